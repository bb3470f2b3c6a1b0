"""YAML texts: tree with spans and edits."""
