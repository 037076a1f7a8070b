"""Where records live: one protocol, an in-memory oracle, and engines proved equal to it."""
