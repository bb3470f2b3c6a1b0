"""Stepflow: a desktop editor, linter and debugger for agents written as step registries."""

__version__ = "0.1.0"
