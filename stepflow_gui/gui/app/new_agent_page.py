"""The page that makes a new agent from a template: which one, how it is called, in which folder, what is written."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QByteArray, QMargins, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from stepflow_gui.export.palette import Palette
from stepflow_gui.export.svg import flow_svg
from stepflow_gui.formats.read import read_flow
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.lint.config.runtime_setting import Setting, setting_for
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.creating.new_agent import NewAgentPlan, NewAgentRefusal, free_name, make, title_for, want
from stepflow_gui.project.creating.templates import Template, templates
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.files.new_files import FilesNotCreated
from stepflow_gui.text.source import Source

_PICTURE_WIDTH = 270  # pixels
_AROUND = QMargins(2, 2, 2, 2)


class NewAgentPage(QDialog):
    """`made(path)`: the files are written, and this is the one to open."""

    made = Signal(object)

    def __init__(
        self, folder: Path | None, ask_folder: Callable[[], Path | None], theme: Theme, parent: QWidget
    ) -> None:
        """`folder` is the project that is proposed; `ask_folder` lets the person pick another."""
        super().__init__(parent)
        self.setWindowTitle(_("New Agent"))
        self._ask_folder = ask_folder
        self._palette = Palette(dark=theme.dark)
        self._wanted: NewAgentPlan | None = None
        self._setting = Setting()
        self.list = QListWidget()
        self.list.setAccessibleName(_("Templates"))
        self.list.setFont(ui_font(13))
        for template in templates():
            item = QListWidgetItem(template.about.title)
            item.setData(Qt.ItemDataRole.UserRole, template.id)
            item.setToolTip(template.about.text)
            self.list.addItem(item)
        rows = self.list.sizeHintForRow(0) * self.list.count()
        self.list.setFixedHeight(rows + 2 * self.list.frameWidth() + 2)
        self.picture = FlowPicture(self._palette)
        self.about = QLabel()
        self.about.setWordWrap(True)
        self.about.setFont(ui_font(12))
        self.name, self.title, self.folder = QLineEdit(), QLineEdit(), QLineEdit(str(folder) if folder else "")
        self.folder.setCursorPosition(0)  # its beginning is what is seen of a long one
        self.folder.setPlaceholderText(_("The project’s folder"))
        self.choose = QPushButton(_("Choose…"))
        self.note = QLabel()
        self.note.setWordWrap(True)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setFont(ui_font(12))
        self.heading = QLabel()
        self.heading.setFont(ui_font(12))
        self.heading.setProperty("muted", True)
        self.files = QListWidget()
        self.files.setFont(mono_font(11))
        self.files.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.files.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.files.setAccessibleName(_("Files that will be written"))
        self.confirm = QPushButton(_("Create"))
        self.confirm.setProperty("primary", True)
        self.confirm.setDefault(True)
        self._lay_out()
        self.list.currentItemChanged.connect(self._turn)
        self.folder.textChanged.connect(self._propose_name)
        for line in (self.name, self.title, self.folder):
            line.textChanged.connect(self._look)
        self.choose.clicked.connect(self._pick_folder)
        self.confirm.clicked.connect(self._make)
        self.list.setCurrentRow(0)
        self.list.setFocus()

    @property
    def template(self) -> Template:
        """The one that is chosen."""
        return templates()[max(0, self.list.currentRow())]

    def _lay_out(self) -> None:
        form = QGridLayout()
        form.setHorizontalSpacing(8)
        form.setVerticalSpacing(6)
        for row, (label, line) in enumerate(
            ((_("&Name"), self.name), (_("&Display name"), self.title), (_("&Folder"), self.folder))
        ):
            title = QLabel(label)
            title.setFont(ui_font(12))
            title.setBuddy(line)
            line.setFont(ui_font(12))
            line.setAccessibleName(label.replace("&", ""))
            form.addWidget(title, row, 0)
            form.addWidget(line, row, 1, 1, 1 if line is self.folder else 2)
        form.addWidget(self.choose, 2, 2)
        form.setColumnStretch(1, 1)
        cancel = QPushButton(_("Cancel"))
        cancel.clicked.connect(self.reject)
        for button in (self.choose, cancel, self.confirm):
            button.setFont(ui_font(12))
            button.setAutoDefault(button is self.confirm)
        end = QHBoxLayout()
        end.setSpacing(8)
        end.addWidget(self.note, 1)
        end.addWidget(cancel)
        end.addWidget(self.confirm)
        left = QVBoxLayout()
        left.setSpacing(8)
        left.addWidget(self.list)
        left.addWidget(self.about)
        left.addLayout(form)
        left.addWidget(self.heading)
        left.addWidget(self.files, 1)
        both = QHBoxLayout()
        both.setSpacing(12)
        both.addLayout(left, 1)
        both.addWidget(self.picture)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 12)
        column.setSpacing(10)
        column.addLayout(both, 1)
        column.addLayout(end)
        self.resize(760, 580)

    def _turn(self) -> None:
        """Another template."""
        self.about.setText(self.template.about.text)
        self.picture.show_flow(self.template)
        self._propose_name()
        self._look()

    def _propose_name(self) -> None:
        """One that is free, as long as the person has given none."""
        if self.name.text() and self.name.isModified():
            return
        folder = self._folder()
        self.name.setText(free_name(self.template, folder) if folder else self.template.name)
        self.name.setModified(False)

    def _folder(self) -> Path | None:
        given = self.folder.text().strip()
        try:
            return Path(given).expanduser() if given else None
        except RuntimeError:  # unknown user
            return Path(given)

    def _look(self) -> None:
        """Show what would be written, or why nothing can be."""
        self.title.setPlaceholderText(title_for(self.name.text()))
        found: NewAgentPlan | NewAgentRefusal = NewAgentRefusal("folder", _("Choose a folder"))
        folder = self._folder()
        if folder is not None:
            found = want(self.template, folder, self.name.text(), self.title.text() or None)
        self._wanted = found if isinstance(found, NewAgentPlan) else None
        self._setting = setting_for(found) if isinstance(found, NewAgentPlan) else Setting()
        blamed = found.about if isinstance(found, NewAgentRefusal) else None
        for line, about in ((self.name, "name"), (self.title, "title"), (self.folder, "folder")):
            _mark(line, about == blamed)
        self.note.setText(found.message if isinstance(found, NewAgentRefusal) else self._setting.hint or "")
        self.note.setProperty("token", "error" if isinstance(found, NewAgentRefusal) else "muted")
        self.note.style().polish(self.note)
        self.confirm.setEnabled(self._wanted is not None)
        self._list_files()

    def _list_files(self) -> None:
        self.files.clear()
        if self._wanted is None:
            self.heading.setText(_("Nothing is written"))
            return
        paths = list(self._wanted.files)
        edit = self._setting.edit
        if edit is not None and edit.before is None:
            paths.append(edit.path)
        self.heading.setText(ngettext("{count} new file", "{count} new files", len(paths)).format(count=len(paths)))
        for path in paths:
            self._list_file("{file}", path, self._wanted.folder)
        if edit is not None and edit.before is not None:
            self._list_file(_("{file} (settings are added)"), edit.path, self._wanted.folder)

    def _list_file(self, text: str, path: Path, folder: Path) -> None:
        item = QListWidgetItem(text.format(file=path.relative_to(folder).as_posix()))
        item.setToolTip(str(path))
        self.files.addItem(item)

    def _pick_folder(self) -> None:
        picked = self._ask_folder()
        if picked is not None:
            self.folder.setText(str(picked))

    def _make(self) -> None:
        if self._wanted is None:
            return
        result = make(self._wanted, self._setting.edit)
        if isinstance(result, FilesNotCreated):
            self._look()
            text = _("{path}: can't be written ({reason})").format(path=result.path, reason=result.reason)
            self.note.setText(text)
            self.note.setProperty("token", "error")
            self.note.style().polish(self.note)
            return
        opened = self._wanted.opened
        self.accept()
        self.made.emit(opened)


class FlowPicture(QWidget):
    """A small picture of a template's graph."""

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette
        self._renderer = QSvgRenderer()
        self.setFixedWidth(_PICTURE_WIDTH)

    def show_flow(self, template: Template) -> None:
        """Draw what a template would make."""
        path = template.opened(template.name)
        text = template.files(template.name, template.name)[path]
        flow = read_flow(ParsedFile.read(Path(path), Source(text)))
        self._renderer.load(QByteArray(flow_svg(flow, palette=self._palette).encode()))
        names = [step.name.value if step.name else step.id for step in flow.steps.values()]
        self.setAccessibleName(_("Steps: {steps}").format(steps=_(", ").join(names)))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(self._palette["line"]))
        painter.setBrush(QColor(self._palette["canvas"]))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        size = self._renderer.defaultSize()
        if not size.isEmpty():
            room = self.size().shrunkBy(_AROUND)
            shown = size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio).boundedTo(size)
            left, upper = (self.width() - shown.width()) / 2, (self.height() - shown.height()) / 2
            self._renderer.render(painter, QRectF(left, upper, shown.width(), shown.height()))
        painter.end()


def proposed_folder(opened: Path | None) -> Path | None:
    """The project that is open, else the folder that the program was started in, unless that is not a project's."""
    try:
        here = Path.cwd()
    except FileNotFoundError:  # it was removed meanwhile
        return opened
    return opened or (None if here in {Path.home(), Path(here.anchor)} else here)


def _mark(line: QLineEdit, wrong: bool) -> None:
    if bool(line.property("wrong")) != wrong:
        line.setProperty("wrong", wrong)
        line.style().polish(line)
