"""Adapters: a memory in the shapes that other libraries' users know. They translate words and decide nothing.

Each is a module of its own, loaded by name, since each but `mem0_shape` needs another library.
"""
