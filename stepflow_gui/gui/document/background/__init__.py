"""Work on threads of its own: stopped at any line, or pausing and asking so that the window keeps its pace."""
