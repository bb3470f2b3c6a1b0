"""The run panel: its bar and its pages."""
