"""What the menus do that is of no panel alone: rooms, texts, the source; where the keyboard is, what was closed."""
