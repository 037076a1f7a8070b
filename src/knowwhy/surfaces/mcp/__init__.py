"""The Model Context Protocol: the verbs of a memory as tools for agents, its records as resources."""

from knowwhy.surfaces.mcp.server import serve, server_of

__all__ = ["serve", "server_of"]
