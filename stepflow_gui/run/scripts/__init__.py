"""Scripts and flow tests, and what they cover."""
