"""What is drawn over the whole graph: runs, changes, overview, minimap, filter."""
