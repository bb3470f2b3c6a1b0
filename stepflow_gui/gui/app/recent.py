"""The agents that were opened last, as a menu."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QMenu, QWidget

from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.file_names import short_names
from stepflow_gui.messages import _

_PIECES = (".yaml", ".yml")
_INSIDE = (".agent", ".takt")  # folders of a project that hold agents or pieces


class RecentMenu(QMenu):
    """Filled when it is shown; what isn't there any more is shown off."""

    def __init__(self, settings: Settings, pick: Callable[[Path], object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._pick = pick
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        self.clear()
        recent = self._settings.recent
        for path, name in zip(recent, recent_names(recent), strict=True):
            action = self.addAction(name.replace("&", "&&"))
            action.setToolTip(str(path))
            action.setEnabled(path.exists())
            action.triggered.connect(partial(self._picked, path))
        if recent:
            self.addSeparator()
            self.addAction(_("&Clear List")).triggered.connect(lambda _checked=False: self._settings.forget_recent())
        else:
            self.addAction(_("No recent files")).setEnabled(False)

    def _picked(self, path: Path, _checked: bool = False) -> None:
        self._pick(path)


def recent_names(registries: Sequence[Path]) -> list[str]:
    """Agents by their folders, pieces by their files, each with its project; alike ones with what differs."""
    folders = [_named(path) for path in registries]
    return [
        f"{folder.name}  –  {_apart(short_name) or _project(folder)}".removesuffix("  –  ")
        for folder, short_name in zip(folders, short_names(folders), strict=True)
    ]


def tab_names(registries: Sequence[Path]) -> list[str]:
    """The same with no more than what distinguishes them."""
    folders = [_named(path) for path in registries]
    return [
        f"{folder.name}  –  {_apart(short_name)}".removesuffix("  –  ")
        for folder, short_name in zip(folders, short_names(folders), strict=True)
    ]


def _apart(short_name: str) -> str:
    first, slash, _rest = short_name.partition("/")
    return first if slash else ""


def _named(path: Path) -> Path:
    """What a file is called by: an agent's folder, a piece's own name."""
    return path.with_suffix("") if path.suffix.lower() in _PIECES else path.parent


def _project(named: Path) -> str:
    above = named.parent
    inside = next((each for each in (above, above.parent) if each.name in _INSIDE), None)
    return inside.parent.name if inside is not None else above.name
