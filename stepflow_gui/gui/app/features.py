"""The features of a window kept in step with the open document: each is called only about facts that it shows."""

from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import QEvent, QObject, QTimer, SignalInstance

from stepflow_gui.gui.desk import ALL_FACTS, Fact, Feature
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.widgets.theme import Theme

_PAINTED: frozenset[Fact] = frozenset({"findings"})  # shown in words and colours; flow and selection are not news then


class Features(QObject):
    """Calls `refresh` of a feature when a fact that it shows changed: at once, or when its panel can be seen."""

    def __init__(self, features: Sequence[Feature], parent: QObject) -> None:
        super().__init__(parent)
        self._features = features
        self._due: dict[Feature, frozenset[Fact]] = {}
        self._links: list[tuple[SignalInstance, Callable[..., object]]] = []
        self._step = QTimer(self)
        self._step.setSingleShot(True)
        self._step.timeout.connect(self._refresh_next)
        for feature in features:
            if feature.panel is not None:
                feature.panel.installEventFilter(self)

    def __iter__(self) -> Iterator[Feature]:
        """The features, in the order in which they follow the document."""
        return iter(self._features)

    def set_document(self, document: Document | None, *, in_steps: bool = False) -> None:
        """Have all features follow another document, or none. `in_steps`: events come between what they show of it."""
        self._step.stop()
        for signal, slot in self._links:
            signal.disconnect(slot)
        self._links, self._due = [], {}
        if document is not None:  # before the features' own links: these find the panels in step with the document
            self._links = [
                (document.flow_changed, lambda: self.notify(frozenset({"flow"}))),
                (document.diagnostics_changed, lambda: self.notify(frozenset({"findings"}))),
                (document.selection_changed, lambda _selection: self.notify(frozenset({"selection"}))),
            ]
        for signal, slot in self._links:
            signal.connect(slot)
        for feature in self._features:
            feature.set_document(document)
        if document is None:
            return
        if in_steps:
            self._due = {feature: feature.facts for feature in self._features if feature.facts}
            self._step.start(0)
        else:
            self.notify(ALL_FACTS)

    def notify(self, changed: frozenset[Fact]) -> None:
        """These facts changed."""
        for feature in self._features:
            due = (changed & feature.facts) | self._due.get(feature, frozenset())
            if not due:
                continue
            if feature.panel is not None and not feature.panel.isVisible():
                self._due[feature] = due
            else:
                self._due.pop(feature, None)
                feature.refresh(due)

    def _refresh_next(self) -> None:
        seen = (each for each in self._features if each in self._due and (each.panel is None or each.panel.isVisible()))
        feature = next(seen, None)
        if feature is not None:
            feature.refresh(self._due.pop(feature))
            self._step.start(0)

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        for feature in self._features:
            feature.retranslate()
        self.notify(_PAINTED)

    def set_theme(self, theme: Theme) -> None:
        """Paint everything in another theme."""
        for feature in self._features:
            feature.set_theme(theme)
        self.notify(_PAINTED)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            for feature in [feature for feature in self._due if feature.panel is watched]:
                feature.refresh(self._due.pop(feature))
        return False
