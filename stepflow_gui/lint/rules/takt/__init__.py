"""Rules about TAKT pieces and workflows (T)."""
