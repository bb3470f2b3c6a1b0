"""What mouse and keyboard do on the canvas: drags, gestures, panning, zooming."""
