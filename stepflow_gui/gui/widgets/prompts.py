"""Questions to the person, behind an interface without Qt, so the window's commands run headless in tests."""

from collections.abc import Sequence
from enum import Enum, auto
from pathlib import Path
from typing import Protocol


class OnConflict(Enum):
    """What to do with a file that changed on disk."""

    MERGE = auto()
    OVERWRITE = auto()
    RELOAD = auto()
    CANCEL = auto()


class OnClose(Enum):
    """What to do with unsaved changes."""

    SAVE = auto()
    DISCARD = auto()
    CANCEL = auto()


class Prompts(Protocol):
    """Asks the person; each call waits for the answer."""

    def changed_on_disk(self, path: Path) -> OnConflict:
        """The file to be saved was changed by another program since it was read."""

    def unsaved(self, path: Path) -> OnClose:
        """The window closes, or another agent is opened, over unsaved changes."""

    def unsaved_several(self, paths: Sequence[Path]) -> OnClose:
        """As `unsaved`, once for several files."""

    def open_folder(self) -> Path | None:
        """Which folder to open."""

    def open_file(self) -> Path | None:
        """Which file to open."""

    def open_log(self) -> Path | None:
        """Which log of a real run to open."""

    def save_file(self, title: str, name: str) -> Path | None:
        """Where to write a file that isn't one of the agent's; `name` is proposed."""

    def inform(self, title: str, text: str) -> None:
        """Show something that must not be overlooked."""
