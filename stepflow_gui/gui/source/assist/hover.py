"""What is shown where the mouse rests on the source: findings with their fixes as links, else what is there."""

from collections.abc import Callable, Sequence
from functools import partial
from html import escape

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QCursor, QEnterEvent, QHelpEvent, QKeyEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout

from stepflow_gui.gui.problems.list import button_text
from stepflow_gui.gui.problems.model import severity_word
from stepflow_gui.gui.source.assist.card import SourceCard, child_of
from stepflow_gui.gui.source.editor import SourceEditor
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.lint.diagnostic import RANK, Diagnostic
from stepflow_gui.lint.examples.rule_docs import docs_of, first_sentence
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.assist.hover import Hover
from stepflow_gui.text.source import Span

_MOST = 3  # findings that are shown in full
_WIDEST = 440
_PAD = 10
_PATIENCE = 250  # milliseconds that the mouse may take to come from the text to the card


_ENDS = frozenset((QEvent.Type.Hide, QEvent.Type.Resize, QEvent.Type.FocusOut, QEvent.Type.WindowDeactivate))


class HoverCard(SourceCard):
    """Shows rich text with links. `followed` is emitted with the link's number."""

    followed = Signal(int)
    entered = Signal()
    left = Signal()

    def __init__(self, editor: SourceEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self.label = QLabel()
        self.label.setTextFormat(Qt.TextFormat.RichText)
        self.label.setProperty("markup", True)  # the one label that isn't plain text: its contents are escaped
        self.label.setWordWrap(True)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.LinksAccessibleByMouse)
        self.label.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.label.linkActivated.connect(lambda link: self.followed.emit(int(link)))
        column = QVBoxLayout(self)
        column.setContentsMargins(_PAD, 7, _PAD, 8)
        column.addWidget(self.label)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.entered.emit()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.left.emit()

    @property
    def theme(self) -> Theme:
        """The look that it is painted in."""
        return self._editor.theme

    def show_text(self, text: str, place: QRect) -> None:
        """Show a text beside a stretch of the viewport, above it where there is room."""
        self.paint_in(self.theme)
        self.label.setFont(ui_font(12))
        self.label.setText(text)
        self.setAccessibleName(_("About this place"))
        self.setAccessibleDescription(text)
        most = min(_WIDEST, self.room)
        self.label.setWordWrap(False)
        wanted = self.label.sizeHint().width() + 2 * _PAD + 2
        self.label.setWordWrap(True)
        width = min(wanted, most)
        height = self.label.heightForWidth(width - 2 * _PAD - 2) + 17
        self.resize(width, height)
        self.show_beside(place, above=True)


class SourceHover(QObject):
    """Shows and hides the card of one editor. `found_at(offset)` gives the findings there, `about(offset)` the rest.

    `fix_asked(finding, fix)` and `rule_asked(finding)` report which link was followed.
    """

    fix_asked = Signal(object, object)
    rule_asked = Signal(object)

    def __init__(
        self,
        editor: SourceEditor,
        card: HoverCard,
        found_at: Callable[[int], list[Diagnostic]],
        about: Callable[[int], Hover | None],
        place_of: Callable[[Span], QRect],
    ) -> None:
        super().__init__(editor)
        self._editor = editor
        self._viewport = editor.viewport()  # not to be asked for while the editor goes
        self.card = card
        self._found_at = found_at
        self._about = about
        self._place_of = place_of
        self._links: list[Callable[[], None]] = []
        self._place = QRect()
        self._leave = QTimer(self)
        self._leave.setSingleShot(True)
        self._leave.setInterval(_PATIENCE)
        self._leave.timeout.connect(self._hide_unless_over)
        card.followed.connect(self._follow)
        card.entered.connect(self._leave.stop)
        card.left.connect(self._leave.start)
        self._viewport.installEventFilter(self)
        editor.installEventFilter(self)
        editor.verticalScrollBar().valueChanged.connect(self.hide)
        editor.horizontalScrollBar().valueChanged.connect(self.hide)

    def show_at(self, offset: int) -> bool:
        """Show the hover of an offset; False where there is nothing to show."""
        found = sorted(self._found_at(offset), key=lambda each: RANK[each.severity])
        subject = self._about(offset)
        if not found and subject is None:
            self.hide()
            return False
        span = subject.span if subject is not None else Span(offset, offset + 1)
        if found:
            spans = [Span(each.range.start.offset, each.range.end.offset) for each in found]
            span = next((each for each in spans if each.start <= offset <= each.end), span)
        self._links = []
        text = self._findings(found)
        if subject is not None and (subject.is_defined or not found):  # else a finding has reported it
            text += (self._line() if found else "") + _markup(subject)
        self._place = self._place_of(span)
        self.card.show_text(text, self._place)
        self._editor.hovered = offset if found else None
        return True

    def note(self, text: str, offset: int) -> None:
        """Show a short note beside an offset, until a key is pressed or the mouse moves on."""
        self._links = []
        self._editor.hovered = None
        self._place = self._place_of(Span(offset, offset))
        self.card.show_text(escape(text), self._place)

    def hide(self, *_value: int) -> None:
        """Take the card away."""
        self._leave.stop()
        self.card.hide()
        self._editor.hovered = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        viewport = self._viewport
        if watched is viewport and kind == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            cursor = self._editor.cursorForPosition(event.pos())
            behind = event.pos().x() > self._editor.cursorRect(cursor).right() + 2 * self._editor.fontMetrics().height()
            if behind or not self.show_at(self._editor.mapping.offset(cursor.position())):
                self.hide()
            return True
        if not self.card.isVisible():
            return False
        if watched is viewport and kind in {QEvent.Type.MouseMove, QEvent.Type.Leave}:
            if kind == QEvent.Type.MouseMove and self._place.adjusted(-8, -8, 8, 8).contains(
                viewport.mapFromGlobal(QCursor.pos())
            ):
                self._leave.stop()
            elif not self._leave.isActive():
                self._leave.start()
        elif watched is viewport and kind in {QEvent.Type.MouseButtonPress, QEvent.Type.Wheel}:
            self.hide()
        elif watched is self._editor and kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            escaped = event.key() == Qt.Key.Key_Escape
            self.hide()
            return escaped
        elif watched is self._editor and kind in _ENDS:
            self.hide()
        return False

    def _hide_unless_over(self) -> None:
        if not child_of(self.card, QCursor.pos()):
            self.hide()

    def _follow(self, number: int) -> None:
        if 0 <= number < len(self._links):
            does = self._links[number]
            self.hide()
            does()

    def _link(self, text: str, does: Callable[[], None]) -> str:
        self._links.append(does)
        accent = self.card.theme.hex("accent")
        return f"<a style='color: {accent}' href='{len(self._links) - 1}'>{escape(text)}</a>"

    def _findings(self, found: Sequence[Diagnostic]) -> str:
        blocks = [self._finding(each) for each in found[:_MOST]]
        rest = len(found) - _MOST
        if rest > 0:
            blocks.append(escape(ngettext("{count} more finding", "{count} more findings", rest).format(count=rest)))
        return self._line().join(blocks)

    def _line(self) -> str:
        colour = self.card.theme.hex("line")
        cell = f"<td style='background-color: {colour}; font-size: 1px; line-height: 1px'>&nbsp;</td>"
        return f"<table width='100%' cellspacing='0' cellpadding='0' style='margin: 5px 0'><tr>{cell}</tr></table>"

    def _finding(self, found: Diagnostic) -> str:
        theme = self.card.theme
        head = (
            f"<span style='color: {theme.hex(found.severity)}'><b>{escape(severity_word(found.severity))}</b></span> "
            f"<span style='color: {theme.hex('muted')}'>{escape(found.code)}</span>"
        )
        lines = [head, escape(found.message)]
        why = _why(found.code)
        if why:
            lines.append(f"<span style='color: {theme.hex('muted')}'>{escape(why)}</span>")
        lines += [
            self._link(button_text(fix), partial(self.fix_asked.emit, found, fix))
            for fix in sorted(found.fixes, key=lambda fix: not fix.safe)
        ]
        lines.append(self._link(_("Explain {code} (F1)").format(code=found.code), lambda: self.rule_asked.emit(found)))
        return "".join(f"<p style='margin: 0 0 3px 0'>{line}</p>" for line in lines)


def _markup(subject: Hover) -> str:
    lines = [f"<b>{escape(subject.name)}</b>"] if subject.name else []
    lines += [escape(line) for line in subject.lines]
    return "".join(f"<p style='margin: 0 0 3px 0'>{line}</p>" for line in lines)


def _why(code: str) -> str:
    """The first sentence of a rule's reason."""
    try:
        return first_sentence(docs_of(code).why)
    except KeyError:
        return ""
