"""Configuration: files, fields, selected rules, severities."""
