"""The actions of the source, and what others do while the keyboard is there."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPoint

from stepflow_gui.gui.desk import Desk, Feature
from stepflow_gui.gui.source.formatting import format_edits
from stepflow_gui.gui.source.keys import comment_edits
from stepflow_gui.gui.source.panel import SourcePanel
from stepflow_gui.gui.widgets.actions import ActionSpec, LocalUse, MenuPlace
from stepflow_gui.gui.widgets.ask_popup import AskPopup
from stepflow_gui.gui.widgets.palette_matching import PaletteEntry
from stepflow_gui.gui.widgets.palette_popup import PalettePopup
from stepflow_gui.messages import _
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Span

_WITH_COMMENTS = frozenset({".yaml", ".yml", ".toml"})  # that go from “#” to the end of a line


class SourceActions(Feature):
    """What the menus do with the text in the source panel."""

    def __init__(self, desk: Desk, source: SourcePanel) -> None:
        self._desk = desk
        self._source = source
        self._wrap()

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """Replace, go to a line, a definition or its references, wrap lines."""
        at, assist, settings = partial(MenuPlace, "edit"), self._source.assist, self._desk.settings
        rows = (
            ActionSpec("replace", lambda: _("Rep&lace…"), self._replace, at(220), keys=("Ctrl+H",)),
            ActionSpec(
                *("format", lambda: _("Format Document"), self._format, at(330)),
                keys=("Shift+Alt+F",),
                fits=lambda: self._format_edits() is not None,
                where=("source",),
            ),
            ActionSpec(
                *("toggle-comment", lambda: _("Toggle Line Comment"), self._toggle_comment, at(340)),
                keys=("Ctrl+/",),
                fits=self._has_comments,
                where=("source",),
            ),
            ActionSpec(
                *("go-to-symbol", lambda: _("Go to Symbol…"), self._find_steps, at(435)),
                keys=("Ctrl+Shift+O",),
            ),
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
                *("word-wrap", lambda: _("&Word Wrap"), self._toggle_wrap, MenuPlace("view", 410)),
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
            LocalUse("go-to-symbol", "source", self._open_symbols),
            LocalUse("find-next", "source", partial(source.find_next, 1)),
            LocalUse("find-previous", "source", partial(source.find_next, -1)),
            LocalUse("rename", "source", source.assist.rename),
            LocalUse("fix-problem", "source", source.assist.show_fixes),
        )

    def _format_edits(self) -> Sequence[TextEdit] | None:
        path, mapping = self._source.path, self._source.editor.mapping
        if path is None or path.suffix != ".json" or mapping.is_cut:
            return None
        return format_edits(mapping.source)

    def _format(self) -> None:
        edits = self._format_edits()
        if edits is None:
            self._desk.notices.done(_("Only valid JSON can be formatted."))
        elif edits:
            self._source.editor.asked.emit(edits, _("Format Document"))

    def _has_comments(self) -> bool:
        path = self._source.path
        return path is not None and path.suffix in _WITH_COMMENTS and not self._source.editor.isReadOnly()

    def _toggle_comment(self) -> None:
        if not self._has_comments():
            self._desk.notices.done(_("Only YAML and TOML have line comments."))
            return
        editor = self._source.editor
        cursor, mapping = editor.textCursor(), editor.mapping
        selected = Span(mapping.offset(cursor.selectionStart()), mapping.offset(cursor.selectionEnd()))
        editor.asked.emit(comment_edits(mapping.source, selected), _("Toggle Line Comment"))

    def _find_steps(self) -> None:
        self._desk.actions["find"].trigger()

    def _open_symbols(self) -> None:
        """List what is in the file, to be gone to by its name."""
        entries = [
            PaletteEntry("place", label, holder, partial(self._go_to, span))
            for label, holder, span in self._source.outline.symbols()
        ]
        popup = PalettePopup(self._desk.window, self._desk.theme(), entries, "places")
        popup.field.setPlaceholderText(_("Go to symbol in file…"))
        popup.open_over(self._desk.window)

    def _go_to(self, span: Span) -> None:
        self._source.editor.reveal(span)
        self._source.editor.setFocus()

    def _replace(self) -> None:
        self._desk.actions["focus-source"].trigger()
        self._source.open_find(replacing=True)

    def _ask_line(self) -> None:
        self._desk.actions["focus-source"].trigger()
        editor = self._source.editor
        last = editor.mapping.source.position(len(editor.mapping.source.text)).line
        popup = AskPopup(editor, _("Go to line, 1 to {last}").format(last=last), _("Line"))
        popup.answered.connect(self._go_to_line)
        popup.open_at(editor.mapToGlobal(QPoint(max(0, (editor.width() - popup.width()) // 2), 24)))

    def _go_to_line(self, number: str) -> None:
        editor = self._source.editor
        source = editor.mapping.source
        if number.isdecimal():
            last = source.position(len(source.text)).line
            at = source.offset(max(1, min(last, int(number))), 1)
            self._go_to(Span(at, at))

    def _toggle_wrap(self) -> None:
        self._desk.settings.word_wrap = not self._desk.settings.word_wrap
        self._wrap()

    def _wrap(self) -> None:
        editor = self._source.editor
        mode = editor.LineWrapMode
        editor.setLineWrapMode(mode.WidgetWidth if self._desk.settings.word_wrap else mode.NoWrap)
        editor.refresh()
