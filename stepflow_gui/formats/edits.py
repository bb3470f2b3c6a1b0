"""What a format answers when it is asked for a change."""

from pathlib import Path
from typing import NamedTuple

from stepflow_gui.text.document import Place
from stepflow_gui.text.edit import TextEdit

Edits = dict[Path, list[TextEdit]]
"""Text edits by file, all to be applied together; empty where nothing has to change.

A file that doesn't exist yet is taken for an empty text.
"""


class Refusal(NamedTuple):
    """Why a change isn't made, in the language in use.

    `options` are the fields of the change that, once set, let it pass; `places` what is in the way; `steps` the
    other steps that it concerns.
    """

    reason: str
    options: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    steps: tuple[str, ...] = ()


class PromptMove(NamedTuple):
    """A prompt file, or a folder of prompts, to move along with a change. It isn't moved automatically."""

    old: Path
    new: Path


class Plan(NamedTuple):
    """A change worked out. `notes` list, in the language in use, what it leaves alone or what follows from it."""

    title: str  # what the history calls it
    edits: Edits
    notes: tuple[str, ...] = ()
    moves: tuple[PromptMove, ...] = ()
