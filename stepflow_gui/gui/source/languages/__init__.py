"""Languages of the source editor: lexers, colours, pairs."""
