"""Rules about registries with checks (SF9)."""
