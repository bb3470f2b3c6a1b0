"""Agents made by chance, with a few mistakes each: what the linter says of a runner, that runner does."""
