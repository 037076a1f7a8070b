"""The command line: every verb of a memory as a command, for people and, with --json, for programs."""

from knowwhy.surfaces.cli.door import app, main

__all__ = ["app", "main"]
