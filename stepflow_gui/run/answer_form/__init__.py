"""An answer as a form: fields from a step's output schema, a valid start, what breaks it, how to break it at will."""
