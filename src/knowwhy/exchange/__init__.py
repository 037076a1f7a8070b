"""How a memory looks in files: its own archive, and the files of other memories."""
