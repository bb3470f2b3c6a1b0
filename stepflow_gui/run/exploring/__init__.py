"""Explores all paths of a flow: coverage, the shortest path to each end, infinite loops, dead ends."""
