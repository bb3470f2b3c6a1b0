"""A person who is never asked, for windows of tests that are about something else."""

from collections.abc import Sequence
from pathlib import Path

from stepflow_gui.gui.widgets.prompts import OnClose, OnConflict


class Silent:
    """Throws changes away when a window closes; any other question fails the test."""

    def changed_on_disk(self, path: Path) -> OnConflict:
        raise AssertionError(path)

    def unsaved(self, path: Path) -> OnClose:
        del path
        return OnClose.DISCARD

    def unsaved_several(self, paths: Sequence[Path]) -> OnClose:
        return self.unsaved(paths[0])

    def open_folder(self) -> Path | None:
        return None

    def open_log(self) -> Path | None:
        return None

    def open_file(self) -> Path | None:
        return None

    def save_file(self, title: str, name: str) -> Path | None:
        del title, name
        return None

    def inform(self, title: str, text: str) -> None:
        raise AssertionError(title + text)
