"""Rules about agent.json (SF8)."""
