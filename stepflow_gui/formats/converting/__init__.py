"""A registry of one format as one of another: plain values in, plain values out, and what can't be carried over."""
