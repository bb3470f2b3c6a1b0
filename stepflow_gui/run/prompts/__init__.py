"""The prompts of a run: files, variables, retry prompts."""
