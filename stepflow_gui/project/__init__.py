"""An agent folder as one thing: registry, agent.json, schemas and prompts, unsaved buffers laid over the files."""
