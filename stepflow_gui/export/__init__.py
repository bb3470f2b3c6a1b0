"""The graph and the findings as files for others."""
