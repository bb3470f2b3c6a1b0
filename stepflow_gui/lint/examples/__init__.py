"""The examples and documentation of rules."""
