"""The language of a page while it is made."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import catalogue
from stepflow_gui.messages import language, use_language


@cache
def _compile() -> None:
    catalogue.compile_catalogue()


@contextmanager
def speaking(other: str) -> Iterator[None]:
    """Texts are in the other language, from the sources of the catalogue, compiled once a process."""
    _compile()
    before = language()
    use_language(other)
    try:
        yield
    finally:
        use_language(before)
