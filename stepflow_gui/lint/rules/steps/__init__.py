"""Rules about a step by itself (SF1)."""
