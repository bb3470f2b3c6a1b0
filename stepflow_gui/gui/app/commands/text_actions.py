"""The actions of the Edit menu while the keyboard is in a field for text: they are about its text."""

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QLineEdit

from stepflow_gui.gui.app.commands.focus_place import FocusPlace, TextWidget
from stepflow_gui.gui.desk import Feature
from stepflow_gui.gui.source.panel import SourcePanel
from stepflow_gui.gui.widgets.actions import LocalUse, Place

_PLACES: tuple[Place, ...] = ("text", "source")


class TextActions(Feature):
    """Cut, copy, paste, delete and select all in the field that has the keyboard."""

    def __init__(self, focus: FocusPlace, source: SourcePanel) -> None:
        self._focus = focus
        self._source = source

    def local_uses(self) -> tuple[LocalUse, ...]:
        """What the actions do in texts."""
        does: dict[str, tuple[Callable[[TextWidget], object], Callable[[TextWidget], bool]]] = {
            "cut": (lambda text: text.cut(), lambda text: _selected(text) and not text.isReadOnly()),
            "copy": (lambda text: text.copy(), _selected),
            "paste": (lambda text: text.paste(), lambda text: not text.isReadOnly()),
            "remove": (_delete, lambda text: _selected(text) and not text.isReadOnly()),
            "select-all": (lambda text: text.selectAll(), lambda _text: True),
            "duplicate": (lambda _text: None, lambda _text: False),
        }
        return tuple(
            LocalUse(action, place, partial(self._on_text, act), partial(self._ask, fits))
            for place in _PLACES
            for action, (act, fits) in does.items()
        )

    @property
    def _text(self) -> TextWidget:
        return self._focus.text or self._source.editor

    def _on_text(self, act: Callable[[TextWidget], object]) -> None:
        act(self._text)

    def _ask(self, fits: Callable[[TextWidget], bool]) -> bool:
        return fits(self._text)


def _selected(text: TextWidget) -> bool:
    return text.hasSelectedText() if isinstance(text, QLineEdit) else text.textCursor().hasSelection()


def _delete(text: TextWidget) -> None:
    if isinstance(text, QLineEdit):
        text.del_()
    else:
        text.textCursor().removeSelectedText()
