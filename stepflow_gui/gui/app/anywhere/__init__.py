"""Going to anything: the box in the row of the menus, the palette, and finding steps."""
