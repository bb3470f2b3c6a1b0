"""The state machine of a piece, pure: rules, judges, monitors."""
