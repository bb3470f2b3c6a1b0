"""Groups of steps: which steps belong together, and the picture in which some groups are folded to a card."""
