"""Rules about how the flow is entered (SF4)."""
