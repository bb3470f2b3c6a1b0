"""JSON texts: tree with spans, edits, recovery, merge."""
