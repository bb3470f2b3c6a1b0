"""Where agents and pieces are: from a path, a name or a folder."""
