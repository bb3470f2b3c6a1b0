"""The linter: engine, diagnostics, rules and reports."""
