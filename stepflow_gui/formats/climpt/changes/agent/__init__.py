"""Changes to agent.json."""
