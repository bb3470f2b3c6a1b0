"""What stands around and in the middle of a window: its side panel, its views."""
