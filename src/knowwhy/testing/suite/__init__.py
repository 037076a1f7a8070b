"""The parts of the store suite, one for each thing a store does."""
