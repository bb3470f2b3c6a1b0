"""A page of a piece's run that shows one text at a time: prompts as they are put together, reports as they are kept."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker

from stepflow_gui.gui.runs.panel.page import ScrolledPage, read_text
from stepflow_gui.gui.widgets.controls import Chooser
from stepflow_gui.gui.widgets.fields import one_line
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font

_LEAST_TEXT = 72  # pixels of height


class TextPage(ScrolledPage):
    """Several texts by title; the chosen one is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.titles = Chooser()
        self.text = read_text(_LEAST_TEXT)
        self.column.setContentsMargins(12, 6, 12, 6)
        self.column.setSpacing(6)
        self.column.addWidget(self.titles)
        self.column.addWidget(self.text, 1)
        self._texts: list[str] = []
        self.titles.currentIndexChanged.connect(self._show)

    def name_it(self, name: str, nothing: str) -> None:
        """Set its name, and its text where there is nothing."""
        self.titles.setAccessibleName(name)
        self.text.setAccessibleName(name)
        self.text.setPlaceholderText(nothing)
        self.titles.setFont(ui_font(12))
        self.text.setFont(mono_font(12))

    def show_texts(self, texts: Sequence[tuple[str, str]]) -> None:
        """Show these (title, text); the one with the title that was shown stays."""
        before = self.titles.currentText()
        self._texts = [text for _title, text in texts]
        with QSignalBlocker(self.titles):
            self.titles.clear()
            for title, _text in texts:
                self.titles.addItem(one_line(title))
            self.titles.setCurrentIndex(max(0, self.titles.findText(before)) if texts else -1)
        self.titles.setVisible(bool(texts))
        self._show(self.titles.currentIndex())

    def _show(self, at: int) -> None:
        text = self._texts[at] if 0 <= at < len(self._texts) else ""
        if text != self.text.toPlainText():
            self.text.setPlainText(text)
