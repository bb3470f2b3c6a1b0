"""Lines of the source that are folded away: those that are indented further than the one above them."""

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QTextBlock
from PySide6.QtWidgets import QPlainTextDocumentLayout, QPlainTextEdit

_KEYS = {  # with Ctrl and Shift, as layouts of keyboards report them
    Qt.Key.Key_BracketLeft: True,
    Qt.Key.Key_BraceLeft: True,
    Qt.Key.Key_BracketRight: False,
    Qt.Key.Key_BraceRight: False,
}
_CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class Folding(QObject):
    """Folds and unfolds lines of one editor. A fold begins at a line that is seen and is followed by hidden ones.

    What the caret or a change comes to is unfolded. `changed` is emitted where lines came or went.
    """

    changed = Signal()

    def __init__(self, editor: QPlainTextEdit) -> None:
        super().__init__(editor)
        self._editor = editor
        self._due = (0, 0)  # the stretch that a change came to
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)  # the document lays out the change first
        self._later.timeout.connect(self._show_changed)
        editor.cursorPositionChanged.connect(self._show_caret)
        editor.document().contentsChange.connect(self._contents_changed)
        editor.installEventFilter(self)

    def can_fold(self, block: QTextBlock) -> bool:
        """Whether lines that are indented further come below a line."""
        own = _indentation(block)
        below = block.next()
        while below.isValid() and _indentation(below) is None:
            below = below.next()
        inside = _indentation(below) if below.isValid() else None
        return own is not None and inside is not None and inside > own

    def is_folded(self, block: QTextBlock) -> bool:
        """Whether the lines below a line that is seen are hidden."""
        return block.isVisible() and block.next().isValid() and not block.next().isVisible()

    def toggle(self, block: QTextBlock) -> None:
        """Fold what lies below a line, or unfold it."""
        if self.is_folded(block):
            self._set_visible(list(_hidden_below(block)), visible=True)
        elif self.can_fold(block):
            self._fold([block])

    def fold_at(self, block: QTextBlock) -> None:
        """Fold the innermost lines around a line, itself the head where it can be one."""
        while block.isValid() and (self.is_folded(block) or not self.can_fold(block)):
            block = _head_above(block)
        if block.isValid():
            self._fold([block])

    def fold_all(self) -> None:
        """Fold everything that isn't at the left margin."""
        block, heads = self._editor.document().firstBlock(), []
        # A text in braces is all in one: what lies in it is folded.
        outermost = 1 if block.text().strip() in {"{", "["} else 0
        depths: list[int] = []
        while block.isValid():
            own = _indentation(block)
            if own is not None:
                while depths and depths[-1] >= own:
                    depths.pop()
                if len(depths) == outermost and self.can_fold(block):
                    heads.append(block)
                depths.append(own)
            block = block.next()
        self._fold(heads)

    def unfold_all(self) -> None:
        """Show every line."""
        block, hidden = self._editor.document().firstBlock(), []
        while block.isValid():
            if not block.isVisible():
                hidden.append(block)
            block = block.next()
        self._set_visible(hidden, visible=True)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        pressed = kind in {QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride}
        if watched is self._editor and isinstance(event, QKeyEvent) and pressed:
            folds = _KEYS.get(Qt.Key(event.key())) if event.modifiers() == _CTRL_SHIFT else None
            if folds is not None:
                event.accept()
                if kind == QEvent.Type.KeyPress:
                    self.fold_here() if folds else self.unfold_here()
                return True
        return False

    def fold_here(self) -> None:
        """Fold at the caret."""
        self.fold_at(self._editor.textCursor().block())

    def unfold_here(self) -> None:
        """Unfold at the caret."""
        block = self._editor.textCursor().block()
        if self.is_folded(block):
            self.toggle(block)

    def _fold(self, heads: list[QTextBlock]) -> None:
        hidden = [block for head in heads for block in _inside(head)]
        caret = self._editor.textCursor()
        head = next((each for each in heads if caret.block() in _inside(each)), None)
        if head is not None:
            caret.setPosition(head.position())
            self._editor.setTextCursor(caret)
        self._set_visible(hidden, visible=False)

    def _set_visible(self, blocks: list[QTextBlock], *, visible: bool) -> None:
        if not blocks:
            return
        for block in blocks:
            block.setVisible(visible)
            block.setLineCount(max(1, block.layout().lineCount()) if visible else 0)
        layout = self._editor.document().documentLayout()
        assert isinstance(layout, QPlainTextDocumentLayout)
        layout.requestUpdate()
        layout.documentSizeChanged.emit(layout.documentSize())
        self._editor.viewport().update()
        self.changed.emit()

    def _show_caret(self) -> None:
        block = self._editor.textCursor().block()
        if not block.isVisible():
            self._unfold_around(block)

    def _contents_changed(self, position: int, _removed: int, added: int) -> None:
        first, last = (position, position + added) if not self._later.isActive() else self._due
        self._due = min(first, position), max(last, position + added)
        block = self._editor.document().findBlock(position)
        if not block.isVisible() or self.is_folded(block):
            self._later.start()

    def _show_changed(self) -> None:
        block = self._editor.document().findBlock(self._due[0])
        while block.isValid() and (block.position() <= self._due[1] or not block.isVisible()):
            if not block.isVisible():
                self._unfold_around(block)
            block = block.next()

    def _unfold_around(self, block: QTextBlock) -> None:
        self._set_visible(list(_hidden_below(head_of(block))), visible=True)


def head_of(block: QTextBlock) -> QTextBlock:
    """The line that is seen in place of one: itself, or that of its fold."""
    while not block.isVisible() and block.previous().isValid():
        block = block.previous()
    return block


def _hidden_below(head: QTextBlock) -> Iterator[QTextBlock]:
    block = head.next()
    while block.isValid() and not block.isVisible():
        yield block
        block = block.next()


def _inside(head: QTextBlock) -> list[QTextBlock]:
    """The lines that a fold hides: those indented further, empty ones between them, but for those at the end."""
    own = _indentation(head)
    found: list[QTextBlock] = []
    blank: list[QTextBlock] = []
    block = head.next()
    while block.isValid():
        indentation = _indentation(block)
        if indentation is None:
            blank.append(block)
        elif own is None or indentation <= own:
            break
        else:
            found += [*blank, block]
            blank = []
        block = block.next()
    return found


def _head_above(block: QTextBlock) -> QTextBlock:
    """The next line above that is indented less."""
    own = _indentation(block)
    above = block.previous()
    while above.isValid():
        indentation = _indentation(above)
        if indentation is not None and (own is None or indentation < own):
            break
        above = above.previous()
    return above


def _indentation(block: QTextBlock) -> int | None:
    """The blanks before a line's text; None for an empty line."""
    text = block.text()
    content = text.lstrip(" \t")
    return len(text) - len(content) if content else None
