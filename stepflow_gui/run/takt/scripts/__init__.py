"""Scripts, flow tests and traces of pieces."""
