"""The graph on the screen: scene, items, gestures."""
