"""Exports what the canvas shows: the menu of formats, and what they are written with."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QAction, QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QMenu

from stepflow_gui.export.formats import FORMATS
from stepflow_gui.gui.desk import Desk, Feature
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.widgets.actions import MenuPlace, MenuSpec
from stepflow_gui.messages import _

if TYPE_CHECKING:
    from stepflow_gui.export.options import Theme
    from stepflow_gui.export.overlay import Overlay


class Exporting(Feature):
    """One for a window. The canvas isn't touched: pictures are made of a copy of it."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._document: Document | None = None
        self.menu = QMenu(desk.window)
        self.findings = QAction(desk.window)
        self.runs = QAction(desk.window)
        for choice in (self.findings, self.runs):
            choice.setCheckable(True)
        self.findings.toggled.connect(lambda on: self.runs.setChecked(self.runs.isChecked() and not on))
        self.runs.toggled.connect(lambda on: self.findings.setChecked(self.findings.isChecked() and not on))
        self.menu.aboutToShow.connect(self._refresh)
        self.retranslate()

    def menu_rows(self) -> tuple[MenuSpec, ...]:
        """The menu of formats."""
        return (MenuSpec(self.menu, MenuPlace("file", 270)),)

    def set_document(self, document: Document | None) -> None:
        """Export another document, or none."""
        self._document = document

    def retranslate(self) -> None:
        """Fill the menu in the language in use."""
        self.menu.clear()
        self.menu.setTitle(_("&Export"))
        self.findings.setText(_("With &Findings"))
        self.runs.setText(_("With &Visits of Run"))
        for format_id, each in FORMATS.items():
            if each.in_menu:
                action = self.menu.addAction(f"{each.title}…")
                action.setObjectName(format_id)
                action.triggered.connect(partial(self._choose_file, format_id))
        self.menu.addSeparator()
        self.menu.addAction(_("Copy as &Picture")).triggered.connect(self.copy_picture)
        self.menu.addAction(_("Copy as &Mermaid")).triggered.connect(self.copy_mermaid)
        self.menu.addSeparator()
        self.menu.addActions([self.findings, self.runs])
        self._refresh()

    def export(self, format_id: str, path: Path) -> bool:
        """Write a format's file; show in the window why that can't be done."""
        from stepflow_gui.export.writing import write_file  # all that exports is loaded with the first export
        from stepflow_gui.project.finding.files_of_registry import files_of

        document = self._document
        if document is None:
            return False
        QApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
        try:
            made = self._content(format_id)
        finally:
            QApplication.restoreOverrideCursor()
        if isinstance(made, str):
            self._desk.notices.show("error", made)
            return False
        refused = write_file(path, made, files_of(document.last_valid), force=True)  # the person was asked
        if refused is not None:
            self._desk.notices.show("error", refused.message)
            return False
        self._desk.notices.done(_("Saved {file}").format(file=path.name))
        return True

    def copy_picture(self) -> None:
        """Put the picture on the clipboard."""
        made = self._content("png")
        if isinstance(made, bytes):
            QGuiApplication.clipboard().setImage(QImage.fromData(made))
            self._desk.notices.done(_("Copied"))
        else:
            self._desk.notices.show("error", made)

    def copy_mermaid(self) -> None:
        """Put the Mermaid text on the clipboard."""
        made = self._content("mermaid")
        if isinstance(made, bytes):
            data = QMimeData()
            data.setText(made.decode("utf-8"))
            QGuiApplication.clipboard().setMimeData(data)
            self._desk.notices.done(_("Copied"))

    def _choose_file(self, format_id: str, _checked: bool = False) -> None:
        document = self._document
        if document is None:
            return
        chosen = FORMATS[format_id]
        ending = chosen.endings[0]
        path = self._desk.prompts.save_file(
            _("Export as {format}").format(format=chosen.title), document.last_valid.folder.name + ending
        )
        if path is not None:
            self.export(format_id, path if path.suffix else path.with_suffix(ending))

    def _content(self, format_id: str) -> bytes | str:
        """The content of the file, or why there is none."""
        from stepflow_gui.export.options import ExportOptions

        document = self._document
        assert document is not None
        chosen = FORMATS[format_id]
        findings = document.diagnostics if chosen.always_lints or self.findings.isChecked() else None
        theme: Theme = "auto" if "auto" in chosen.takes else "dark" if self._desk.theme().dark else "light"
        positions, loops = self._desk.canvas.positions(), self._desk.settings.loop_edges
        options = ExportOptions(theme, chosen.scale, self._overlay(), findings, loops=loops, positions=positions)
        if not chosen.painted:
            return chosen.content(document.last_valid, options)
        from stepflow_gui.gui.pictures.painting import paint

        made = paint(document.last_valid, chosen, options)
        return made if isinstance(made, bytes) else made.message

    def _overlay(self) -> "Overlay":
        from stepflow_gui.export.overlay import NO_OVERLAY, Overlay, lint_overlay

        document = self._document
        if document is not None and self.findings.isChecked():
            return lint_overlay(document.last_valid, document.diagnostics)
        if self.runs.isChecked():
            run = self._desk.canvas.graph.run
            taken = {(move.step, move.intent, move.case): count for move, count in run.move_visits.items()}
            return Overlay(visits=run.step_visits, taken=taken)
        return NO_OVERLAY

    def _refresh(self) -> None:
        for action in self.menu.actions():  # not the menu: one that is disabled couldn't be opened to check this again
            action.setEnabled(self._document is not None)
        visited = bool(self._desk.canvas.graph.run.step_visits)
        self.runs.setEnabled(visited and self._document is not None)
        if not visited:
            self.runs.setChecked(False)
