"""What can be exchanged, named by its role: who reads claims out of words, who knows dates."""
