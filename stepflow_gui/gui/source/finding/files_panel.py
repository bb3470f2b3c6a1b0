"""The page of the side panel that finds and replaces in files: what to look for, where, and what was found by file."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QTreeWidgetItemIterator,
    QVBoxLayout,
    QWidget,
)

from stepflow_gui.gui.source.finding.file_search import MOST, FileHits, FileSearch, SearchScope
from stepflow_gui.gui.source.finding.hit_rows import ROW, FileRow, HitDelegate, row_of
from stepflow_gui.gui.source.finding.query_field import QueryField
from stepflow_gui.gui.widgets.controls import Chooser, name_it, push_button, quiet_label
from stepflow_gui.gui.widgets.dock import PanelTitle
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _, ngettext

_FOUND = Qt.ItemDataRole.UserRole + 1  # the FileHits of a file, the Hit of a line


class FilesPanel(QWidget):
    """`asked()`: look for something else; `cancelled()`; `replace_asked()`; `shown()`: the page came into view.

    `opened(path, source, span, stay)`: show a place; `stay`: the keyboard stays here.
    """

    asked = Signal()
    cancelled = Signal()
    replace_asked = Signal()
    opened = Signal(object, object, object, bool)
    shown = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._theme = theme
        self._items: dict[Path, QTreeWidgetItem] = {}
        self._search: FileSearch | None = None
        self._busy = False
        self.can_replace = True
        self._title = PanelTitle()
        self.field = QueryField()
        self.field.asked.connect(self.asked)
        self.replacing = QToolButton()
        self.replacing.setProperty("flat", True)
        self.replacing.setCheckable(True)
        self.replacing.setFixedSize(20, 24)
        self.replacing.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.replacing.toggled.connect(self._show_replacing)
        self.by = QLineEdit()
        self.by.textChanged.connect(self._show_rows)
        self.scope = Chooser()
        self.scope.activated.connect(lambda _at: self.asked.emit())
        self.summary = quiet_label()
        self.cancel = push_button()
        self.cancel.clicked.connect(self.cancelled)
        self.replace = push_button(primary=True)
        self.replace.clicked.connect(self.replace_asked)
        self.tree = QTreeWidget()
        self.tree.setHeaderHidden(True)
        self.tree.setIndentation(14)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._delegate = HitDelegate(theme, self.tree)
        self.tree.setItemDelegate(self._delegate)
        self.tree.itemClicked.connect(lambda item, _column: self._open(item, stay=True))
        self.tree.itemActivated.connect(lambda item, _column: self._open(item, stay=False))
        self.tree.itemChanged.connect(lambda _item, _column: self._show_button())
        self._lay_out()
        self._show_replacing(on=False)
        self.show_search(None, busy=False)
        self.retranslate()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 12, 8, 8)
        column.setSpacing(6)
        column.addWidget(self._title)
        for widgets in ((self.replacing, self.field), (self.by,), (self.scope,), (self.replace,)):
            row = QHBoxLayout()
            row.setSpacing(2)
            if widgets[0] is not self.replacing:
                row.addSpacing(22)
            for widget in widgets:
                row.addWidget(widget, 0 if widget in {self.replacing, self.replace} else 1)
            if widgets[0] is self.replace:
                row.addStretch(1)
            column.addLayout(row)
        row = QHBoxLayout()
        row.addWidget(self.summary, 1)
        row.addWidget(self.cancel, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(row)
        column.addWidget(self.tree, 1)

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        self._title.set_title(_("Find in Files"))
        self.field.retranslate(_("Find in files"))
        self.by.setPlaceholderText(_("Replace with"))
        self.by.setAccessibleName(_("Replace with"))
        self.by.setFont(mono_font(12))
        name_it(self.replacing, _("Also replace"))
        name_it(self.scope, _("Where to search"))
        self.scope.setFont(ui_font(12))
        self.summary.setFont(ui_font(11))
        self.cancel.setText(_("Cancel"))
        self.cancel.setFont(ui_font(11))
        self.tree.setAccessibleName(_("Matches"))
        self._show_summary()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = self._delegate.theme = theme
        self.tree.viewport().update()

    def open(self, text: str, *, replacing: bool) -> None:
        """Be asked for something, what is selected in a text first."""
        self.replacing.setChecked(replacing)
        if text and not self.field.pattern.isChecked():
            self.field.setText(text)
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def show_scopes(self, scopes: Sequence[tuple[str, SearchScope]]) -> None:
        """Offer where to look; what was chosen stays, as far as it is still there."""
        before = self.chosen_scope
        with QSignalBlocker(self.scope):
            self.scope.clear()
            for name, scope in scopes:
                self.scope.addItem(name, scope)
            kept = next((at for at, (_name, scope) in enumerate(scopes) if scope == before), 0)
            self.scope.setCurrentIndex(kept)
        self.scope.setEnabled(len(scopes) > 1)

    @property
    def chosen_scope(self) -> SearchScope | None:
        """Where to look; None where nothing is open."""
        scope = self.scope.currentData()
        return scope if isinstance(scope, SearchScope) else None

    # What was found

    def show_search(self, search: FileSearch | None, *, busy: bool, progress: tuple[int, int] = (0, 0)) -> None:
        """Show what a search has found so far; rows that are as they were stay."""
        self._search, self._busy, self._progress = search, busy, progress
        found = {each.path: each for each in (search.found if search is not None else ())}
        if not busy:
            for path in [path for path in self._items if path not in found]:
                self.tree.takeTopLevelItem(self.tree.indexOfTopLevelItem(self._items.pop(path)))
        for at, each in enumerate(found.values()):
            item = self._items.get(each.path)
            if item is not None and item.data(0, _FOUND) == each:
                continue
            expanded = item is None or item.isExpanded()
            if item is None:
                item = self._items[each.path] = QTreeWidgetItem()
                self.tree.insertTopLevelItem(min(at, self.tree.topLevelItemCount()), item)
            self._fill(item, each)
            item.setExpanded(expanded)
        self._show_summary()

    def _fill(self, item: QTreeWidgetItem, found: FileHits) -> None:
        root = self._search.scope.path if self._search is not None else found.path
        base = root if self._search is not None and self._search.scope.whole_folder else root.parent
        folder = found.path.parent
        where = folder.relative_to(base).as_posix() if folder.is_relative_to(base) else folder.as_posix()
        count = len(found.hits)
        with QSignalBlocker(self.tree):
            item.takeChildren()
            item.setData(0, _FOUND, found)
            item.setData(0, ROW, FileRow(found.path.name, "" if where == "." else where, count))
            counted = ngettext("{count} match", "{count} matches", count).format(count=count)
            item.setText(0, f"{found.path.name}: {counted}")
            item.setToolTip(0, str(found.path))
            rows = []
            for hit in found.hits:
                row = QTreeWidgetItem()
                row.setData(0, _FOUND, hit)
                rows.append(row)
            item.addChildren(rows)
            self._fill_rows(item, found)
            self._make_checkable(item)

    def _fill_rows(self, item: QTreeWidgetItem, found: FileHits) -> None:
        by = self.by.text() if self.replacing.isChecked() else None
        for child, hit in zip(_rows(item), found.hits, strict=True):
            row = row_of(found.source, hit, by, pattern=self.field.pattern.isChecked())
            child.setData(0, ROW, row)
            child.setText(0, row.text)

    def _make_checkable(self, item: QTreeWidgetItem) -> None:
        on = self.replacing.isChecked()
        for each in (*_rows(item), item):
            flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
            if on:
                flags |= Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsAutoTristate
            each.setFlags(flags)
            each.setData(0, Qt.ItemDataRole.CheckStateRole, Qt.CheckState.Checked if on else None)

    def chosen(self) -> Iterator[FileHits]:
        """What is to be replaced: of each file the matches that are checked."""
        for item in self._items.values():
            found = item.data(0, _FOUND)
            hits = tuple(row.data(0, _FOUND) for row in _rows(item) if row.checkState(0) == Qt.CheckState.Checked)
            if hits:
                yield found._replace(hits=hits)

    def _show_replacing(self, on: bool) -> None:
        self.replacing.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow)
        self.by.setVisible(on)
        self.replace.setVisible(on)
        with QSignalBlocker(self.tree):
            for item in self._items.values():
                self._make_checkable(item)
        self._show_rows()

    def _show_rows(self, _text: str = "") -> None:
        with QSignalBlocker(self.tree):
            for item in self._items.values():
                self._fill_rows(item, item.data(0, _FOUND))
        self.tree.scheduleDelayedItemsLayout()
        self._show_button()

    def _show_button(self) -> None:
        if not self.replacing.isChecked():
            return
        count = sum(len(found.hits) for found in self.chosen())
        text = ngettext("Replace {count}", "Replace {count}", count).format(count=count) if count else _("Replace")
        self.replace.setText(text)
        self.replace.setEnabled(bool(count) and self.can_replace and not self._busy)
        name_it(self.replace, _("Replace all checked matches") if self.can_replace else _("Open an agent to replace."))

    def _show_summary(self) -> None:
        search = self._search
        self.cancel.setVisible(self._busy)
        self.field.show_wrong(bool(search is not None and (search.reason or search.hard)))
        self.summary.setText("" if search is None else self._summary(search))
        self.summary.setVisible(bool(self.summary.text()))
        self._show_button()

    def _summary(self, search: FileSearch) -> str:
        if search.reason:
            return _("Not a regular expression: {reason}").format(reason=search.reason)
        if self._busy:
            done, known = self._progress
            return _("Searching… {done} of {known} files").format(done=done, known=known) if known else _("Searching…")
        if not search.query.text:
            return ""
        count = sum(len(found.hits) for found in search.found)
        hits = ngettext("{count} match", "{count} matches", count).format(count=count)
        files = ngettext("in {count} file", "in {count} files", len(search.found)).format(count=len(search.found))
        lines = [_("{matches} {files}").format(matches=hits, files=files) if count else _("No matches")]
        if search.capped:
            lines = [_("The first {count} matches; search for something more specific.").format(count=MOST)]
        if search.cancelled:
            lines.append(_("Cancelled: not all files were searched."))
        if search.hard:
            names = _(", ").join(path.name for path in search.hard[:3])
            lines.append(_("The pattern takes too long in {files}.").format(files=names))
        return "\n".join(lines)

    # The person

    def _open(self, item: QTreeWidgetItem, *, stay: bool) -> None:
        above = item.parent()
        if above is None:
            if not stay:
                item.setExpanded(not item.isExpanded())
            return
        found = above.data(0, _FOUND)
        self.opened.emit(found.path, found.source, item.data(0, _FOUND).span, stay)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        entered = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if entered and self.field.hasFocus():
            self.asked.emit()
        elif event.key() == Qt.Key.Key_Escape and self._busy:
            self.cancelled.emit()
        elif event.key() == Qt.Key.Key_Down and (self.field.hasFocus() or self.by.hasFocus()):
            self.tree.setFocus()
            first = QTreeWidgetItemIterator(self.tree).value()
            if first is not None and self.tree.currentItem() is None:
                self.tree.setCurrentItem(first)
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()


def _rows(item: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    rows = (item.child(at) for at in range(item.childCount()))
    return [row for row in rows if row is not None]
