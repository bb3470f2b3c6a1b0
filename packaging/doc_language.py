"""The language of a page while it is made."""

from collections.abc import Iterator
from contextlib import contextmanager

import catalogue
from stepflow_gui.messages import language, use_language


@contextmanager
def speaking(other: str) -> Iterator[None]:
    """Texts are in the other language, from the sources as they are now."""
    catalogue.compile_catalogue()
    before = language()
    use_language(other)
    try:
        yield
    finally:
        use_language(before)
