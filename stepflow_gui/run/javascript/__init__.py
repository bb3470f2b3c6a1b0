"""Values and regular expressions as JavaScript reads them."""
