"""How many examples a property is tried with: all with --full, a share in other runs, more in a search."""

from hypothesis import settings

USUAL = 100
"""What hypothesis takes where nothing else is said."""


def examples(count: int) -> int:
    """`count` examples with --full; in other runs as many as the profile in use has to the usual ones."""
    return max(1, count * settings.default.max_examples // USUAL)
