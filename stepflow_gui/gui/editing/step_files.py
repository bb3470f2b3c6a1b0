"""From a step to its files: its prompt, schema and retry prompts, where each was looked for, and making one."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu

from stepflow_gui.flow.model import Step
from stepflow_gui.gui.document.save_errors import save_trouble
from stepflow_gui.gui.widgets.menu_text import plain
from stepflow_gui.messages import _
from stepflow_gui.project.problem_text import describe
from stepflow_gui.project.step_file import StepFile
from stepflow_gui.project.step_files import files_by_step, new_text, step_files
from stepflow_gui.text.files.store import ReadProblem, Saved
from stepflow_gui.text.source import Source, Span

if TYPE_CHECKING:
    from stepflow_gui.gui.app.window import MainWindow


class StepFilesJump:
    """What of it belongs to one window."""

    def __init__(self, window: "MainWindow") -> None:
        self._window = window
        window.actions_.bind("step-files", self.open)

    def open(self) -> None:
        """Show the files of the selected step, to go to one of them."""
        document = self._window.document
        step = document.folder.flow.steps.get(document.selected_step or "") if document is not None else None
        if document is None or step is None or step.is_section:
            self._window.banner.mention(_("Select a step to see its files."))
            return
        self._show(step, None)

    def extend(self, menu: QMenu, step_id: str) -> None:
        """Add the files of a step to its menu; those that aren't there can be made."""
        document = self._window.document
        step = document.good.flow.steps.get(step_id) if document is not None else None
        if document is None or step is None or step.is_section:
            return
        below = menu.addMenu(_("&Files"))
        below.setToolTipsVisible(True)
        for file in step_files(document.good, step):
            path = file.found or next(iter(file.tried), None)
            title = title_of(file)
            if path is not None:
                text = _("{title}: {file}") if file.found else _("{title}: create {file}…")
                title = text.format(title=title, file=path.name)
            action = below.addAction(plain(title))
            action.setEnabled(path is not None)
            action.setToolTip("\n".join(self.shown(each) for each in file.tried) or says_not())
            action.triggered.connect(lambda _on=False, file=file: self.go(step, file))
        below.addSeparator()
        below.addAction(self._window.actions_["step-files"])

    def go(self, step: Step, file: StepFile) -> None:
        """Show a file in the source; where there is none, offer to make it."""
        if file.found is None:
            self._show(step, file)
            return
        self._reveal(file.found)

    def offer(self, path: Path) -> None:
        """Offer to make a file of the agent that isn't there."""
        document = self._window.document
        if document is None:
            return
        agent = document.folder
        for step_id, files in files_by_step(agent).items():
            for file in files:
                if file.found is None and path in file.tried:
                    self._show(agent.flow.steps[step_id], file)
                    return
        self._window.banner.mention(describe(ReadProblem("missing", path)))

    def create(self, step: Step, file: StepFile, path: Path) -> bool:
        """Write the file, unless there is one by now, and show it."""
        from stepflow_gui.text.files.new_file import create

        document = self._window.document
        if document is None:
            return False
        result = create(path, Source(new_text(document.folder, step, file)))
        if not isinstance(result, Saved):
            self._window.banner.say("error", save_trouble(result))
            return False
        document.reread([path])
        self._window.project.changed.emit()
        self._window.status.done(_("Created {file}").format(file=path.name))
        self._reveal(path)
        return True

    def preview(self, step: Step, file: StepFile) -> str:
        """What a new file would begin with."""
        document = self._window.document
        return "" if document is None else new_text(document.folder, step, file)

    def shown(self, path: Path) -> str:
        """A path as seen from the project."""
        document = self._window.document
        root = document.folder.root if document is not None else path.parent
        return os.path.relpath(path, root) if path.is_relative_to(root) else str(path)

    def _reveal(self, path: Path) -> None:
        window = self._window
        if window.document is not None:
            window.docks[2].show()
            window.document.reveal(path, Span(0, 0))
            window.source.focus_widget.setFocus()

    def _show(self, step: Step, file: StepFile | None) -> None:
        from stepflow_gui.gui.editing.step_files_popup import StepFilesPopup

        document = self._window.document
        if document is None:
            return
        popup = StepFilesPopup(self._window, self, step, step_files(document.folder, step))
        canvas = self._window.canvas
        popup.show_at(canvas.mapToGlobal(QPoint(max(0, (canvas.width() - popup.sizeHint().width()) // 2), 24)))
        popup.begin(file)


def title_of(file: StepFile) -> str:
    """What a file is to its step."""
    titles = {
        "prompt": _("Prompt"),
        "closing-prompt": _("Prompt of the closing action “{name}”"),
        "check-prompt": _("Prompt of the check"),
        "schema": _("Output schema"),
        "failure-prompt": _("Retry prompt of “{name}”"),
        "persona": _("Persona “{name}”"),
        "policy": _("Policy “{name}”"),
        "knowledge": _("Knowledge “{name}”"),
        "instruction": _("Instruction “{name}”"),
        "report-format": _("Report format “{name}”"),
        "shared-step": _("Shared step “{name}”"),
    }
    title = titles[file.kind].format(name=file.name)
    return _("{title}, for the judge of the loop").format(title=title) if file.for_judge else title


def says_not() -> str:
    """Why a file is looked for nowhere."""
    return _("The step doesn’t say which file it is")
