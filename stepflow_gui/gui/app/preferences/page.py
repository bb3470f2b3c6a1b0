"""The page of settings: one column that can be searched; each is in force at once, but for the scale."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from stepflow_gui import messages
from stepflow_gui.gui.app.preferences.choices import (
    LANGUAGE_NAMES,
    ProgramLooks,
    look_names,
    opening_names,
    scale_names,
    setting_names,
)
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.actions import Actions, plain_title
from stepflow_gui.gui.widgets.controls import Chooser, quiet_label
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.messages import _

V = TypeVar("V")


class SettingsPage(QDialog):
    """Changes are made by whoever carries them out for the whole program."""

    def __init__(self, settings: Settings, actions: Actions, choices: ProgramLooks, parent: QWidget) -> None:
        super().__init__(parent)
        self._settings = settings
        self._actions = actions
        self._choices = choices
        self.search = QLineEdit()
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self._rows: list[tuple[QWidget, str]] = []  # each with what is searched of it
        self.openings: dict[str, QCheckBox] = {}
        self._body = QWidget()
        self._body.setObjectName("panel")
        self._column = QVBoxLayout(self._body)
        self._column.setContentsMargins(12, 12, 12, 12)
        self._column.setSpacing(18)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self._body)
        self._none = quiet_label()
        buttons = QDialogButtonBox()
        self._closing = buttons.addButton("", QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 12)
        column.setSpacing(12)
        for widget in (self.search, self._none):
            column.addWidget(widget)
        column.addWidget(self._scroll, 1)
        column.addWidget(buttons)
        self._fill()
        self.resize(520, 560)
        self.search.setFocus()

    def _fill(self) -> None:
        """Write every row, in the language in use."""
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        self._rows, self.openings = [], {}
        self.setWindowTitle(_("Settings"))
        self.search.setPlaceholderText(_("Search settings"))
        self.search.setAccessibleName(_("Search settings"))
        self._scroll.setAccessibleName(_("Settings"))
        self._none.setText(_("No matches"))
        self._closing.setText(_("Close"))
        for part in (self.search, self._closing):
            part.setFont(ui_font(12))
        look, language, scale, moving, *_openings, keys_row = setting_names()
        self.look = self._chooser(*look, look_names(), self._settings.look, self._set_look)
        self.language = self._chooser(*language, LANGUAGE_NAMES, messages.language(), self._set_language)
        self.scale = self._chooser(*scale, scale_names(), self._settings.scale, self._set_scale)
        motion = self._actions["reduce-motion"]
        self.motion = QCheckBox(plain_title(motion.text()))
        self.motion.setFont(ui_font(12))
        self.motion.setChecked(motion.isChecked())
        self.motion.clicked.connect(motion.trigger)
        self._row(*moving, self.motion)
        group = QLabel(_("Shown by itself"))
        group.setFont(ui_font(13))
        self._column.addWidget(group)
        of_group = " ".join(word for _opening, *words in opening_names() for word in (group.text(), *words))
        self._rows.append((group, of_group.casefold()))
        for opening, title, about in opening_names():
            box = QCheckBox(title)
            box.setFont(ui_font(12))
            box.setChecked(self._settings.opens(opening))
            box.toggled.connect(partial(self._settings.set_opens, opening))
            self.openings[opening] = box
            self._row("", about, box, group.text())
        keys = self._actions["shortcuts"]
        self.keys = QPushButton(plain_title(keys.text().partition("\t")[0]) + "…")
        self.keys.setFont(ui_font(12))
        self.keys.setAutoDefault(False)
        self.keys.clicked.connect(keys.trigger)
        self._row(*keys_row, self.keys)
        self._column.addStretch(1)
        self._filter(self.search.text())

    def _chooser(
        self, title: str, about: str, options: Sequence[tuple[V, str]], current: V, pick: Callable[[V], object]
    ) -> Chooser:
        chooser = Chooser()
        chooser.setFont(ui_font(12))
        for _value, name in options:
            chooser.addItem(name)
        chooser.setCurrentIndex(next((at for at, (value, _name) in enumerate(options) if value == current), 0))
        chooser.activated.connect(lambda at: pick(options[at][0]))
        chooser.setAccessibleName(title)
        self._row(title, about, chooser, " ".join(name for _value, name in options))
        return chooser

    def _row(self, title: str, about: str, control: QWidget, words: str = "") -> None:
        row = QWidget()
        column = QVBoxLayout(row)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        if title:
            name = QLabel(title)
            name.setFont(ui_font(13))
            column.addWidget(name)
            column.addWidget(quiet_label(about))
        column.addWidget(control, 0, Qt.AlignmentFlag.AlignLeft)
        if not title:
            explained = quiet_label(about)
            explained.setContentsMargins(24, 0, 0, 0)
            column.addWidget(explained)
        control.setAccessibleDescription(about)
        own = control.text() if isinstance(control, QCheckBox | QPushButton) else ""
        self._rows.append((row, f"{title} {about} {own} {words}".casefold()))
        self._column.addWidget(row)

    def _filter(self, text: str) -> None:
        wanted = text.casefold().split()
        shown = 0
        for row, words in self._rows:
            fits = all(word in words for word in wanted)
            row.setVisible(fits)
            shown += fits
        self._none.setVisible(not shown)

    def _set_look(self, look: str) -> None:
        self._choices.set_look(look)

    def _set_language(self, language: str) -> None:
        self._choices.set_language(language)
        self._fill()
        self.language.setFocus()

    def _set_scale(self, scale: int) -> None:
        self._settings.scale = scale
