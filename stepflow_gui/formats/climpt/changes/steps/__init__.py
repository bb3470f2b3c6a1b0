"""Steps added, copied, renamed and removed, with their schemas and prompts."""
