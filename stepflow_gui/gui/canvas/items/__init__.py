"""What stands on the canvas: steps, edges, labels, signs."""
