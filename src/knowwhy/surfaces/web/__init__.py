"""The explorer: a page that shows what a memory believes and why, as routes for the service that it calls."""

from knowwhy.surfaces.web.pages import explorer

__all__ = ["explorer"]
