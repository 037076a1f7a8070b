"""What happens while nobody asks: pure readings of a memory that propose what could be put in order."""
