"""agent.json in its layouts: fields, defaults, checks, conversion."""
