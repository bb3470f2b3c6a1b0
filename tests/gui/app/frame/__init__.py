"""Tests of the window's frame."""
