"""Tests of the form of an agent."""
