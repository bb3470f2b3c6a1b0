"""The graph as a picture: export and painting without a window."""
