"""References between the schema files of an agent."""
