"""Forms made from the field tables: which lines a place of a file has, and the widgets that edit them."""
