"""Whether things move: as the person chose, or as the desktop asks."""
