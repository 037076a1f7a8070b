"""A memory for AI agents that knows why it believes what it believes."""

__version__ = "0.1.0"
