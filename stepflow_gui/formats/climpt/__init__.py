"""The climpt registry, the agent around it and its output schemas."""
