"""Rules about output schemas and where files may lie (SF7)."""
