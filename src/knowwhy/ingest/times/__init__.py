"""Times as people speak of them, in English and Chinese, placed by when they were spoken of."""
