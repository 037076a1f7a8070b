"""What a belief is, and how a mind changes: pure functions and values, no clock, no input, no output."""
