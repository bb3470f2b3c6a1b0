"""The head of the source panel: tabs of files, breadcrumb."""
