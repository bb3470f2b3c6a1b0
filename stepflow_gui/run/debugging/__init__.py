"""What a debugger adds to a run: breakpoints, watches, a timeline with branches, who uses which key, comparing."""
