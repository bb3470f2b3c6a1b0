"""Rules about what is written for the linter itself (SF09): suppressions, patterns of the configuration."""
