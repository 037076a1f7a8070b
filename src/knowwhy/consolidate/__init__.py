"""What happens while nobody asks: each step reads one state of a memory and proposes what to do about it."""
