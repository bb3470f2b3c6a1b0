"""The actions of the source, and what others do while the keyboard is there."""

from functools import partial

from PySide6.QtCore import QPoint

from stepflow_gui.gui.desk import Desk, Feature
from stepflow_gui.gui.source.panel import SourcePanel
from stepflow_gui.gui.widgets.actions import ActionSpec, LocalUse, MenuPlace
from stepflow_gui.gui.widgets.ask_popup import AskPopup
from stepflow_gui.messages import _


class SourceActions(Feature):
    """What the menus do with the text in the source panel."""

    def __init__(self, desk: Desk, source: SourcePanel) -> None:
        self._desk = desk
        self._source = source
        source.set_wrapping(desk.settings.word_wrap)

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """Replace, go to a line, a definition or its references, wrap lines."""
        at, assist, settings = partial(MenuPlace, "edit"), self._source.assist, self._desk.settings
        rows = (
            ActionSpec("replace", lambda: _("Rep&lace…"), self._replace, at(220), keys=("Ctrl+H",)),
            ActionSpec(
                *("go-to-line", lambda: _("G&o to Line…"), self._ask_line, at(440)),
                keys=("Ctrl+G",),
                where=("source",),
            ),
            ActionSpec(
                *("definition", lambda: _("Go to Def&inition"), assist.go_to_definition, at(510)),
                keys=("F12",),
                fits=lambda: not assist.offers(self._source.editor.caret)[0].against,
                where=("source",),
            ),
            ActionSpec(
                *("references", lambda: _("Find All References"), assist.find_references, at(520)),
                keys=("Shift+F12",),
                fits=lambda: not assist.offers(self._source.editor.caret)[1].against,
                where=("source",),
            ),
            ActionSpec(
                *("word-wrap", lambda: _("&Word Wrap"), self._toggle_wrap, MenuPlace("view", 310)),
                keys=("Alt+Z",),
                checked=lambda: settings.word_wrap,
            ),
        )
        return tuple(row._replace(needs_agent=True) for row in rows)

    def local_uses(self) -> tuple[LocalUse, ...]:
        """Finding, renaming and fixes, in the text."""
        source = self._source
        return (
            LocalUse("find", "source", source.open_find),
            LocalUse("find-next", "source", partial(source.find_next, 1)),
            LocalUse("find-previous", "source", partial(source.find_next, -1)),
            LocalUse("rename", "source", source.assist.rename),
            LocalUse("fix-problem", "source", source.assist.show_fixes),
        )

    def _replace(self) -> None:
        self._desk.actions["focus-source"].trigger()
        self._source.open_find(replacing=True)

    def _ask_line(self) -> None:
        self._desk.actions["focus-source"].trigger()
        editor = self._source.editor
        last = editor.mapping.source.position(len(editor.mapping.source.text)).line
        popup = AskPopup(editor, _("Go to line, 1 to {last}").format(last=last), _("Line"))
        popup.answered.connect(self._source.go_to_line)
        popup.open_at(editor.mapToGlobal(QPoint(max(0, (editor.width() - popup.width()) // 2), 24)))

    def _toggle_wrap(self) -> None:
        self._desk.settings.word_wrap = not self._desk.settings.word_wrap
        self._source.set_wrapping(self._desk.settings.word_wrap)
