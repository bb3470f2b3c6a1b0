"""What a format answers when it is asked for a change."""

from pathlib import Path
from typing import NamedTuple

from stepflow_gui.text.edit import TextEdit

Edits = dict[Path, list[TextEdit]]
"""Text edits by file, all to be applied together; empty where nothing has to change."""


class Refusal(NamedTuple):
    """Why a change isn't made, in the language in use."""

    reason: str
