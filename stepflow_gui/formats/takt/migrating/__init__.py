"""Takes a piece or workflow to another release of TAKT."""
