"""The prompts of a piece, and a model that answers them."""
