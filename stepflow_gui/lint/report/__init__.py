"""The linter's output formats, one file each."""
