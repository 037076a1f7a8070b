"""The HTTP service: every verb of one or more memories at an address, and a client that calls them."""

from knowwhy.surfaces.http.app import application
from knowwhy.surfaces.http.hosting import Hosted, Limits
from knowwhy.surfaces.http.keys import KeyRing

__all__ = ["Hosted", "KeyRing", "Limits", "application"]
