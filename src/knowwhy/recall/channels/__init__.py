"""The ways in which a question finds beliefs and evidence; each can be used alone and says what it found."""
