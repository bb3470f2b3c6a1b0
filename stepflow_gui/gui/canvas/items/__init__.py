"""The items on the canvas: steps, edges, labels, signs."""
