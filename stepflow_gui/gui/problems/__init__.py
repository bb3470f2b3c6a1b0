"""The problems panel: findings, fixes, suppressions, rule pages."""
