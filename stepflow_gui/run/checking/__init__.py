"""What is checked of a registry before a run of it begins."""
