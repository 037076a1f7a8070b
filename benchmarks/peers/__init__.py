"""The same work in knowwhy and beside it."""
