"""The agent as a form: agent.json in its groups, its parameters as a table, an assistant for its verdict type."""
