"""Why, since when, what against, and what would change it."""
