"""The frame of the window: rail, side panel, the views in the middle."""
