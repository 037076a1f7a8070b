"""The explorer: a page that calls the service it comes from. Its sources are in web/, built into static/."""

from knowwhy.surfaces.web.pages import pages

__all__ = ["pages"]
