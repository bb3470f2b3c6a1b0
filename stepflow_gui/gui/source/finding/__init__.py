"""Find and replace in the source."""
