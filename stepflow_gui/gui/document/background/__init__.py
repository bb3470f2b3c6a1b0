"""Work on threads of its own, which asks whether it is still wanted, and rests so that the window keeps its pace."""
