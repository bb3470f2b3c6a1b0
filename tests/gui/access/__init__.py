"""Tests of using the window without a mouse, without seeing it, or seeing it otherwise."""
