"""Rules about validators, failure patterns and validation steps (SF6)."""
