"""Several selected steps: their contracts side by side, the fields that all have, and edits of all of them at once."""
