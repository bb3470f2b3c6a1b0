"""What a person sets for the whole program: a page, and the same as actions for the palette."""
