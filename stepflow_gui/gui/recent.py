"""The agents that were opened last, as a menu."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QMenu, QWidget

from stepflow_gui.gui.settings import Settings
from stepflow_gui.messages import _


class RecentMenu(QMenu):
    """Filled when it is shown; what isn't there any more is shown off."""

    def __init__(self, settings: Settings, pick: Callable[[Path], object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._pick = pick
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self._fill)
        self.retranslate()

    def retranslate(self) -> None:
        """Name it in the language in use."""
        self.setTitle(_("Open &Recent"))

    def _fill(self) -> None:
        self.clear()
        recent = self._settings.recent
        for path in recent:
            action = self.addAction(recent_name(path).replace("&", "&&"))
            action.setToolTip(str(path))
            action.setEnabled(path.exists())
            action.triggered.connect(partial(self._picked, path))
        if recent:
            self.addSeparator()
            self.addAction(_("&Clear the List")).triggered.connect(
                lambda _checked=False: self._settings.forget_recent()
            )
        else:
            self.addAction(_("Nothing was opened yet")).setEnabled(False)

    def _picked(self, path: Path, _checked: bool = False) -> None:
        self._pick(path)


def recent_name(path: Path) -> str:
    """An agent by its folder, with that folder's folder to tell two of one name apart."""
    folder = path.parent
    above = folder.parent.name
    project = folder.parent.parent.name if above == ".agent" else above
    return f"{folder.name}  –  {project}" if project else folder.name
