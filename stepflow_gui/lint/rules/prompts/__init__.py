"""Rules about prompts and fallback keys (SF5)."""
