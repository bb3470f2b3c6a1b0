"""The message about a word that isn't among the choices: what they are, and which one was probably meant."""

from collections.abc import Iterable

from stepflow_gui.formats.runtimes import RuntimeNames
from stepflow_gui.lint.closest_name import nearest


def choice_names(choices: Iterable[str]) -> tuple[str, ...]:
    """The choices as messages name them; runtimes with the forms of those that are not list."""
    return choices.forms if isinstance(choices, RuntimeNames) else tuple(choices)


def nearest_choice(word: str, choices: Iterable[str]) -> str | None:
    """The choice that was probably meant; None where none is alike."""
    named = choices.release_meant(word) if isinstance(choices, RuntimeNames) else None
    return named or nearest(word, choices)
