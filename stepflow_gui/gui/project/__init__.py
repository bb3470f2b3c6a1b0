"""The project view: the agents of a repository, their health and their files."""
