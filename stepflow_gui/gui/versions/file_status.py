"""Signs in the status bar of what the person should know before typing: files that can't be written, or are open twice.

A banner shows it in full once; a press on the sign shows it again. Signs are removed when they no longer apply.
"""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QToolButton

from stepflow_gui.gui.desk import Desk
from stepflow_gui.gui.document.disk_watch import DiskWatch
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.open_marks import OpenMarks
from stepflow_gui.text.files.boundary import is_outside
from stepflow_gui.text.files.staging import may_write

_AGAIN = 2_000  # milliseconds from one look at the others to the next, as long as there are any


class FileStatus:
    """One for a window, whichever agent is open in it. `read_only` are the open files that can't be written."""

    def __init__(self, desk: Desk, marks: OpenMarks | None, changed: Callable[[], object]) -> None:
        self._desk = desk
        self._changed = changed  # called when files can be written or not any more
        self._marks = marks
        self._document: Document | None = None
        self._others: list[int] = []
        self._last_text = ""  # by this, in the banner
        self._watch = DiskWatch(desk.window)
        self._watch.changed.connect(self.look)
        self._again = QTimer(desk.window)  # a program that is killed changes no file
        self._again.setObjectName("openTwice")
        self._again.setInterval(_AGAIN)
        self._again.timeout.connect(self.look)
        self.read_only: list[Path] = []
        self.lock = _sign("readOnly", self._show_read_only)
        self.twice = _sign("openTwice", self._show_opened_twice)
        for sign in (self.lock, self.twice):
            desk.window.statusBar().addPermanentWidget(sign)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._came_back)

    def set_document(self, document: Document | None) -> None:
        """Look after another agent, or none."""
        if self._document is not None:
            self._document.text_changed.disconnect(self.look)
            self._document.saved.disconnect(self.look)
            if self._marks is not None:
                self._marks.unmark(self._document.path)
        self._document = document
        self.read_only, self._others, self._last_text = [], [], ""
        if document is not None:
            document.text_changed.connect(self.look)
            document.saved.connect(self.look)
            if self._marks is not None:
                self._marks.mark(document.path)
        self.look()
        self._show()

    def look(self, *_of_what: object) -> None:
        """Look whether the files can be written, and where else they are open."""
        read_only, others = self._barred(), self._elsewhere()
        if (read_only, others) == (self.read_only, self._others):
            return
        more = [path for path in read_only if path not in self.read_only]
        came = [process for process in others if process not in self._others]
        self.read_only, self._others = read_only, others
        self._show()
        self._changed()
        if more:
            self._show_read_only(unasked=True)
        elif came and not read_only:
            self._show_opened_twice(unasked=True)
        elif self._last_text and self._desk.notices.text == self._last_text:
            self._desk.notices.clear()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self.lock.setIcon(theme.icon("lock", "warning"))
        self.twice.setIcon(theme.icon("copy", "warning"))

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        for sign, text in ((self.lock, _("read-only")), (self.twice, _("open twice"))):
            sign.setFont(ui_font(12))
            sign.setText(text)
        self._show()

    def offers(self) -> list[tuple[str, Callable[[], object]]]:
        """What can be done with changes that can't be saved."""
        return [(_("Save a Copy…"), self._desk.actions["save-copy"].trigger), (_("Close"), lambda: None)]

    # Inside

    def _barred(self) -> list[Path]:
        if self._document is None:
            return []
        texts = [text for text in self._document.texts if text.base is not None and not text.gone]
        return [text.path for text in texts if text.path != self._document.layout_path and self._why_not(text.path)]

    def _why_not(self, path: Path) -> str | None:
        """What keeps a file from being saved: `file`, the `folder` in which the new one is written first, `outside`."""
        if self._document is not None and is_outside(path, self._document.last_valid.root):
            return "outside"
        real = path.resolve()
        if real.exists() and not may_write(real):
            return "file"
        return None if may_write(real.parent) else "folder"

    def _elsewhere(self) -> list[int]:
        if self._marks is None or self._document is None:
            return []
        found = self._marks.others(self._document.path)
        self._watch.watch([self._marks.folder])
        return found

    def _show(self) -> None:
        document = self._document
        if document is not None:
            folders = {text.path.parent for text in document.texts}
            self._watch.watch([*folders, *(text.path for text in document.texts)])
        self.lock.setVisible(bool(self.read_only))
        self.twice.setVisible(bool(self._others))
        if not self._others:
            self._again.stop()
        elif not self._again.isActive():
            self._again.start()
        for sign, message in ((self.lock, self._read_only_text()), (self.twice, self._opened_twice_text())):
            sign.setToolTip(message)
            sign.setAccessibleName(f"{sign.text()}: {message}")

    def _read_only_text(self) -> str:
        if not self.read_only:
            return ""
        first = self.read_only[0]
        match self._why_not(first):
            case "folder":
                message = _("“{file}” is read-only: its folder can't be written to.")
            case "outside":
                message = _("“{file}” is read-only: it lies outside the project, through a link.")
            case _:
                message = _("“{file}” is read-only.")
        names = _("”, “").join(path.name for path in self.read_only)
        can = _("You can view it, try changes and save them as a copy.")
        return _("{sentence} {next}").format(sentence=message.format(file=names), next=can)

    def _opened_twice_text(self) -> str:
        if not self._others or self._document is None:
            return ""
        message = ngettext(
            "“{file}” is also open in another Stepflow window (process {processes}). The second one to "
            "save asks before it overwrites.",
            "“{file}” is also open in other Stepflow windows (processes {processes}). The second one to"
            " save asks before it overwrites.",
            len(self._others),
        )
        return message.format(file=self._document.path.name, processes=", ".join(map(str, self._others)))

    def _show_read_only(self, unasked: bool = False) -> None:
        self._show_notice(self._read_only_text(), self.offers(), unasked)

    def _show_opened_twice(self, unasked: bool = False) -> None:
        self._show_notice(self._opened_twice_text(), [(_("Close"), lambda: None)], unasked)

    def _show_notice(self, text: str, offers: list[tuple[str, Callable[[], object]]], unasked: bool) -> None:
        notices = self._desk.notices
        if unasked and notices.text not in {"", self._last_text}:
            return  # something more important is shown there
        self._last_text = text
        notices.show("warning", text, offers)

    def _came_back(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self.look()


def _sign(name: str, pressed: Callable[[], object]) -> QToolButton:
    sign = QToolButton()
    sign.setObjectName(name)
    sign.setProperty("flat", True)
    sign.setIconSize(QSize(14, 14))
    sign.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    sign.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    sign.clicked.connect(lambda _checked=False: pressed())
    sign.hide()
    return sign
