"""Running the rules over agents: engine, memory, outcomes."""
