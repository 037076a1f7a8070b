"""Grammar: how claims are said in English and Chinese, and what takes them back again."""
