"""From a step to its files: its prompt, schema and retry prompts, where each was looked for, and making one."""

import os
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu

from stepflow_gui.flow.model import Step
from stepflow_gui.gui.desk import CreateMissing, Desk, Feature, FilesChanged, ShowSource
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.save_errors import save_trouble
from stepflow_gui.gui.document.step_file_titles import not_searched, title_of
from stepflow_gui.gui.document.step_terms import has_movements, title_of_command
from stepflow_gui.gui.widgets.actions import ActionSpec, MenuPlace
from stepflow_gui.gui.widgets.menu_text import plain
from stepflow_gui.messages import _
from stepflow_gui.project.problem_text import describe
from stepflow_gui.project.step_file import StepFile
from stepflow_gui.project.step_files import files_by_step, new_text, step_files
from stepflow_gui.text.files.store import ReadProblem, Saved
from stepflow_gui.text.source import Source, Span


class StepFilesJump(Feature):
    """Goes to the files of a step, and makes missing ones."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._document: Document | None = None
        desk.wish.handle(CreateMissing, lambda wish: self.offer(wish.path))

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """Go to a file of the selected step."""
        return (
            ActionSpec(
                *("step-files", self._title, self.open, MenuPlace("flow", 30)),
                keys=("F12",),
                needs_agent=True,
                where=("canvas", "outline"),
            ),
        )

    def set_document(self, document: Document | None) -> None:
        """Follow another document, or none."""
        self._document = document

    def _title(self) -> str:
        return title_of_command("step-files", _("Step &Files…"), self._desk.canvas.graph.flow)

    def open(self) -> None:
        """Show the files of the selected step, to go to one of them."""
        document = self._document
        step = document.folder.flow.steps.get(document.selected_step or "") if document is not None else None
        if document is None or step is None or step.is_section:
            movements = document is not None and has_movements(document.folder.flow)
            text = _("Select a movement to see its files.") if movements else _("Select a step to see its files.")
            self._desk.notices.notice(text)
            return
        self._show(step, None)

    def extend(self, menu: QMenu, step_id: str) -> None:
        """Add the files of a step to its menu; those that don't exist can be made."""
        document = self._document
        step = document.last_valid.flow.steps.get(step_id) if document is not None else None
        if document is None or step is None or step.is_section:
            return
        below = menu.addMenu(_("&Files"))
        below.setToolTipsVisible(True)
        for file in step_files(document.last_valid, step):
            path = file.found or next(iter(file.tried), None)
            title = title_of(file)
            if path is not None:
                text = _("{title}: {file}") if file.found else _("{title}: create {file}…")
                title = text.format(title=title, file=path.name)
            action = below.addAction(plain(title))
            action.setEnabled(path is not None)
            action.setToolTip("\n".join(self.shown(each) for each in file.tried) or not_searched())
            action.triggered.connect(lambda _on=False, file=file: self.go(step, file))
        below.addSeparator()
        below.addAction(self._desk.actions["step-files"])

    def go(self, step: Step, file: StepFile) -> None:
        """Show a file in the source; where there is none, offer to make it."""
        if file.found is None:
            self._show(step, file)
            return
        self._reveal(file.found)

    def offer(self, path: Path) -> None:
        """Offer to make a file of the agent that doesn't exist."""
        document = self._document
        if document is None:
            return
        agent = document.folder
        for step_id, files in files_by_step(agent).items():
            for file in files:
                if file.found is None and path in file.tried:
                    self._show(agent.flow.steps[step_id], file)
                    return
        self._desk.notices.notice(describe(ReadProblem("missing", path)))

    def create(self, step: Step, file: StepFile, path: Path) -> bool:
        """Write the file, unless there is one by now, and show it."""
        from stepflow_gui.text.files.new_file import create

        document = self._document
        if document is None:
            return False
        result = create(path, Source(new_text(document.folder, step, file)), document.folder.root)
        if not isinstance(result, Saved):
            self._desk.notices.show("error", save_trouble(result))
            return False
        document.reread([path])
        self._desk.wish(FilesChanged())
        self._desk.notices.done(_("Created {file}").format(file=path.name))
        self._reveal(path)
        return True

    def preview(self, step: Step, file: StepFile) -> str:
        """What a new file would begin with."""
        document = self._document
        return "" if document is None else new_text(document.folder, step, file)

    def shown(self, path: Path) -> str:
        """A path as seen from the project."""
        document = self._document
        root = document.folder.root if document is not None else path.parent
        return os.path.relpath(path, root) if path.is_relative_to(root) else str(path)

    def _reveal(self, path: Path) -> None:
        self._desk.wish(ShowSource(path, Span(0, 0), focus=True))

    def _show(self, step: Step, file: StepFile | None) -> None:
        from stepflow_gui.gui.editing.step_files_popup import StepFilesPopup

        document = self._document
        if document is None:
            return
        popup = StepFilesPopup(self._desk, self, step, step_files(document.folder, step))
        canvas = self._desk.canvas
        popup.show_at(canvas.mapToGlobal(QPoint(max(0, (canvas.width() - popup.sizeHint().width()) // 2), 24)))
        popup.begin(file)
