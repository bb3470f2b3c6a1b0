"""An editor that has a large text only once somebody sees it: laying one out holds the window up."""

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPlainTextEdit

from stepflow_gui.gui.source.mapping import Mapping
from stepflow_gui.text.source import Source

_LARGE = 100_000  # characters


class LateTextEdit(QPlainTextEdit):
    """`lay_out` shows a text; `wait_with` puts that off where nobody sees it, until it is seen or asked for."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: Source | None = None
        self._mapping = Mapping(self.document())

    def lay_out(self, source: Source) -> None:
        """Show a text from its start."""
        raise NotImplementedError

    def wait_with(self, source: Source) -> bool:
        """Show nothing yet, if it is a large text that can't be seen; False where it is to be shown now."""
        self._waiting = None
        if len(source.text) <= _LARGE or self.isVisible():
            return False
        self._waiting = source
        return True

    @property
    def is_waiting(self) -> bool:
        """Whether the text isn't there yet."""
        return self._waiting is not None

    @property
    def mapping(self) -> Mapping:
        """What ties the text to its file, laid out at the latest now."""
        source, self._waiting = self._waiting, None
        if source is not None:
            self.lay_out(source)
        return self._mapping

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        assert self.mapping
