"""Help in the source editor: completion, hover, links, rename."""
