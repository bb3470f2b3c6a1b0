"""New agents: templates, the example, copies."""
