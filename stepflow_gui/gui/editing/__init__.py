"""Edits made on the canvas and in its menus."""
