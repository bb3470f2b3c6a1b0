"""A file as text: source and its index, trees with spans, text edits, saving. Knows no format."""
