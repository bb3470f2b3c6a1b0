"""What differs between two readings of a flow: steps, edges, entries, and every field by its JSON Pointer."""
