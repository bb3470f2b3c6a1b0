"""Searches all that a flow can do: what is covered, the shortest way to each end, endless loops, dead ends."""
