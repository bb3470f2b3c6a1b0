"""A place for a widget that is built when it is first shown, so what is not shown costs nothing."""

from collections.abc import Callable
from itertools import pairwise
from typing import Generic, Protocol, TypeVar, runtime_checkable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

W_co = TypeVar("W_co", bound=QWidget, covariant=True)


@runtime_checkable
class _Worded(Protocol):
    def retranslate(self) -> None: ...


class LazyWidget(QWidget, Generic[W_co]):
    """Stands where the widget will; `built` is that, None before. `ready()`: it was built and can be filled.

    `make` builds it in the language and theme in use. Until then it needs neither.
    """

    ready = Signal()

    def __init__(self, make: Callable[[], W_co]) -> None:
        super().__init__()
        self._make = make
        self.built: W_co | None = None

    @property
    def widget(self) -> W_co:
        """The widget, built now if it was never shown."""
        if self.built is None:
            made = self._make()
            column = QVBoxLayout(self)
            column.setContentsMargins(0, 0, 0, 0)
            stops = _stops(made)
            column.addWidget(made)
            self._place(stops)
            made.show()
            if isinstance(made, _Worded):
                made.ensurePolished()
                made.retranslate()  # again: the style sheet puts its fonts in place of those that were set before
            column.activate()  # it has its size when it is filled
            self.built = made
            self.ready.emit()
        return self.built

    def if_built(self, act: Callable[[W_co], object]) -> None:
        """Do something with the widget, unless it is not built yet: it is filled when it is built."""
        if self.built is not None:
            act(self.built)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        assert self.widget

    def _place(self, stops: list[QWidget]) -> None:
        """Have Tab go to what the keyboard can be given to where this place is, not last of all in the window."""
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # Qt puts nothing behind what doesn't take it
        for before, after in pairwise([self, *stops]):
            QWidget.setTabOrder(before, after)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)


def _stops(made: QWidget) -> list[QWidget]:
    """What takes the keyboard in a widget that is in no window yet, in its order."""
    stops: list[QWidget] = [made]
    while (each := stops[-1].nextInFocusChain()) is not None and each is not made:
        stops.append(each)
    return [each for each in stops if each.focusPolicy().value and each.focusProxy() is None]
