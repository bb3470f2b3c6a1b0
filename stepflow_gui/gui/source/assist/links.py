"""Names of the source as links while Ctrl is held: underlined under the mouse, followed by a click."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QCursor, QGuiApplication, QKeyEvent, QMouseEvent

from stepflow_gui.gui.source.editor import SourceEditor
from stepflow_gui.text.source import Span

_CTRL = Qt.KeyboardModifier.ControlModifier


class SourceLinks(QObject):
    """Watches one editor. `link_at(offset)` returns the stretch that is a link, `follow(offset)` goes to its target."""

    def __init__(
        self, editor: SourceEditor, link_at: Callable[[int], Span | None], follow: Callable[[int], bool]
    ) -> None:
        super().__init__(editor)
        self._editor = editor
        self._viewport = editor.viewport()  # not to be asked for while the editor goes
        self._link_at = link_at
        self._follow = follow
        self._looked: tuple[int, str] | None = None  # which position of which text was asked about last
        self._viewport.setMouseTracking(True)
        self._viewport.installEventFilter(self)
        editor.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self._editor:
            if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Control:
                if kind == QEvent.Type.KeyPress:
                    self._show(self._viewport.mapFromGlobal(QCursor.pos()))
                elif kind == QEvent.Type.KeyRelease:
                    self._clear()
            elif kind in {QEvent.Type.FocusOut, QEvent.Type.Hide}:
                self._clear()
            return False
        if isinstance(event, QMouseEvent) and kind == QEvent.Type.MouseMove:
            if event.modifiers() & _CTRL and not event.buttons():
                self._show(event.position().toPoint())
            else:
                self._clear()
        elif isinstance(event, QMouseEvent) and kind == QEvent.Type.MouseButtonPress:
            self._clear()
            if event.modifiers() & _CTRL and event.button() == Qt.MouseButton.LeftButton:
                return self._follow(self._offset(event.position().toPoint()))
        elif kind == QEvent.Type.Leave:
            self._clear()
        return False

    def _show(self, point: QPoint) -> None:
        viewport = self._viewport
        if not viewport.rect().contains(point) or QGuiApplication.mouseButtons():
            self._clear()
            return
        looked = (self._offset(point), self._editor.mapping.source.text)
        if looked == self._looked:
            return
        self._looked = looked
        link = self._link_at(looked[0])
        self._editor.set_link(link)
        viewport.setCursor(Qt.CursorShape.PointingHandCursor if link else Qt.CursorShape.IBeamCursor)

    def _clear(self) -> None:
        self._looked = None
        if self._editor.link is not None:
            self._editor.set_link(None)
            self._viewport.setCursor(Qt.CursorShape.IBeamCursor)

    def _offset(self, point: QPoint) -> int:
        return self._editor.mapping.offset(self._editor.cursorForPosition(point).position())
