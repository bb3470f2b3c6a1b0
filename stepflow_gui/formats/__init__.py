"""One module or folder a format: recognise it, read it into a Flow, turn a change into text edits."""
