"""Rules about the files as such: syntax, encoding, structure (SF0)."""
