"""Tests of what stands around and in the middle of a window."""
