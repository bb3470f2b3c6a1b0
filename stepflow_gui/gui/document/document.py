"""One opened agent: its texts, the flow read from them, the linter's findings, the selection."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QUndoStack

from stepflow_gui.gui.document import history
from stepflow_gui.gui.document.disk_watch import DiskWatch
from stepflow_gui.gui.document.fix_edits import edits_of
from stepflow_gui.gui.document.history import Edits, Geometry, RepeatedCommand, TextCommand, TypingCommand
from stepflow_gui.gui.document.inbox import FlowAfterFindings
from stepflow_gui.gui.document.lint_worker import Findings, Snapshot, changed_since
from stepflow_gui.gui.document.live_lint import LiveLint
from stepflow_gui.gui.document.open_texts import OpenText, OpenTexts, text_on_disk
from stepflow_gui.gui.document.reading import read_agent
from stepflow_gui.gui.document.selection import Reveal, Selection
from stepflow_gui.lint.diagnostic import Diagnostic, Fix
from stepflow_gui.lint.suppressions.suppressing import Suppressed
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.assist.cursor_place import StepFinder
from stepflow_gui.project.finding.locate import AGENT
from stepflow_gui.project.save_journal import save_journal
from stepflow_gui.text import edit
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.files.save_together import PartlySaved
from stepflow_gui.text.files.store import ReadProblem, Saved, SaveResult
from stepflow_gui.text.source import Source, Span

SMOOTH = 100_000  # characters that are read between two keys; more are read in the worker
_QUICK = 2_000_000  # characters that the worker reads at every key, more only after a pause
_PAUSE = 300  # milliseconds
CONFIG_NAME = "stepflow.toml"  # a new one can be begun in the window


class Document(QObject):
    """An opened agent folder. Its texts are the truth: `apply` alone changes them, and everything else follows.

    Signals: `text_changed(path, edits, origin)` for each file changed; `flow_changed()` after a text was read again,
    broken or not; `disk_changed(path)` where another program changed a file that is open here.
    """

    text_changed = Signal(object, object, object)
    flow_changed = Signal()
    diagnostics_changed = Signal()
    selection_changed = Signal(object)
    reveal_asked = Signal(object)
    dirty_changed = Signal()
    saved = Signal()
    disk_changed = Signal(object)

    def __init__(self, folder: AgentFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_open = True  # until it is closed
        self.stack = QUndoStack(self)
        self.geometry = Geometry()  # where the boxes stand that are drawn
        self.version = 0  # counts the changes of any text
        self.other_files_version = 0  # counts those of files other than the registry
        self.diagnostics: list[Diagnostic] = []
        self.suppressed: list[Suppressed] = []  # findings that are kept back
        self._bases: Mapping[Path, int | None] = {}
        self.selected_step: str | None = None
        self.selection = Selection(None, "")  # with the part of the window in which it was made last
        self._folder = folder
        self._last_valid = folder
        self._read_version = 0
        self._linted_version = -1
        self._notified_for: AgentFolder | None = None  # the agent when findings were last reported
        self._asked_version = -1
        self._moved = False  # the layout's text has changed since the folder was read
        self._texts = OpenTexts()
        self._registry = self._texts.hold(folder.registry.path, folder.registry.source)
        self.layout_path = folder.layout_file  # in which the places of moved steps are kept; it needn't be there
        self._news: list[tuple[Path, Sequence[TextEdit], str]] = []  # changes not yet reported
        self._burst = 0
        self._was_dirty = False
        self._finder = StepFinder()
        self._lint = LiveLint(self)
        self._lint.linted.connect(self._linted)
        self._lint.was_read.connect(self._was_read)
        self._held = FlowAfterFindings(self, self._show_read)
        self._later = QTimer(self, singleShot=True)
        self._later.timeout.connect(self._ask)
        self._disk = DiskWatch(self)
        self._disk.changed.connect(self.check_disk)
        self._watch()
        self.stack.indexChanged.connect(self._notify)
        self._ask()

    @classmethod
    def open(cls, path: Path, parent: QObject | None = None) -> "Document | ReadProblem":
        """Open the agent at a path, a folder or one of its files, as configured. `close` it in the end."""
        folder = read_agent(path)
        return folder if isinstance(folder, ReadProblem) else cls(folder, parent)

    def close(self) -> None:
        """Stop linting and watching. The document isn't used any more after this."""
        self.is_open = False
        self.stack.blockSignals(True)  # it empties itself when it goes, and who listened may be half gone
        self._later.stop()
        self._held.close()
        self._lint.close()
        self._disk.close()

    # What is open

    @property
    def folder(self) -> AgentFolder:
        """The agent as the texts are now. A text that is still to be read is read before this returns."""
        if not self.parsed:
            self._read()
        elif self._moved:
            self._moved = False
            same = self._last_valid is self._folder
            self._folder = self._folder.with_buffers(self._texts.buffers())
            self._last_valid = self._folder if same else self._last_valid
        return self._folder

    @property
    def last_valid(self) -> AgentFolder:
        """The agent when its text was last valid and held a flow; what was opened, as far as it could be read."""
        return self._last_valid

    @property
    def parsed(self) -> bool:
        """Whether the texts have been read since they last changed."""
        return self._read_version == self.version

    @property
    def text_broken(self) -> bool:
        """Whether the registry's text is broken, so that `last_valid` is older than it."""
        return not _sound(self._folder)

    @property
    def linted(self) -> bool:
        """Whether `diagnostics` are about the texts as they are now."""
        return self._linted_version == self.version

    @property
    def checked(self) -> bool:
        """Whether the linter has checked the agent at all."""
        return self._linted_version >= 0

    @property
    def dirty(self) -> bool:
        """Whether a text differs from its file, as the file was last seen."""
        return self._texts.dirty

    @property
    def unsaved(self) -> bool:
        """Whether closing would lose something: not where only other programs changed files that are open here."""
        return self._texts.unsaved

    @property
    def path(self) -> Path:
        """The registry's file."""
        return self._registry.path

    @property
    def texts(self) -> OpenTexts:
        """The open files and how they stand to the disk. `apply` alone changes their text."""
        return self._texts

    def source(self, path: Path | None = None) -> Source | ReadProblem:
        """The text of a file, unsaved changes included; of the registry without a path."""
        if path is None:
            return self._registry.source
        text = self._open(path)
        return text if isinstance(text, ReadProblem) else text.source

    def disk_state(self, path: Path) -> OpenText | None:
        """How the text that the window holds of a file stands to the disk; None where it holds none."""
        return self._texts.get(path)

    def snapshot(self) -> Snapshot:
        """The texts as they are now, for who works on them in another thread."""
        held = self._texts.buffers()
        held.pop(self.layout_path, None)
        texts = tuple((path, source.text, source.bom) for path, source in held.items())
        return Snapshot(self.version, self.path, texts)

    # Changing it

    def apply(
        self, edits: Edits, label: str, origin: str, typing: bool = False, repeats: object = None
    ) -> ReadProblem | None:
        """Change texts: one entry of the history, whose offsets all count in the texts as they are now.

        `typing` lets a burst of keys become one entry; so does `repeats`, for changes that give the same value. Gives
        the problem, with nothing changed, where a file can't be read. Raises ValueError where edits overlap.
        """
        before: dict[Path, list[TextEdit]] = {}
        back: dict[Path, list[TextEdit]] = {}
        for path, listed in edits.items():
            if not listed:
                continue
            text = self._open(path, begins=True)
            if isinstance(text, ReadProblem):
                return text
            before[text.path] = edit.ordered(listed)
            back[text.path] = edit.inverse(text.source.text, listed)
        if not before:
            return None
        done = (self._write, self.geometry, before, back, label, origin)
        again = RepeatedCommand(*done, (self._burst, repeats)) if repeats is not None else TextCommand(*done)
        self.stack.push(TypingCommand(*done, self._burst) if typing else again)
        return None

    def apply_fix(self, fix: Fix, origin: str = "fix") -> ReadProblem | None:
        """Make a linter's fix. Does nothing while the findings are older than the texts."""
        if changed := changed_since(self._bases, edits_of(fix), self._text_now):
            self.reread(changed)
        return self.apply(edits_of(fix), fix.title, origin) if self.linted else None

    def end_burst(self) -> None:
        """What is typed from now on is a new entry of the history: the caret jumped."""
        self._burst += 1

    def undo(self) -> None:
        """Take the last entry of the history back."""
        self.stack.undo()

    def redo(self) -> None:
        """Redo the entry that was undone last."""
        self.stack.redo()

    def read_as(self, format_id: str | None) -> None:
        """Read the registry as of a format from now on; None: the one that is detected."""
        folder = self._folder.read_as(format_id)
        if folder is not self._folder:
            self._folder = folder
            self.version += 1
            self._settle()

    def lint_again(self) -> None:
        """Ask for the findings again, as after another language was chosen."""
        self._ask()

    # Selecting

    def select(self, step: str | None, origin: str, steps: tuple[str, ...] | None = None, part: str = "") -> None:
        """Select a step or none, `steps` with it. `origin` names the part of the window that asked: it ignores it."""
        if step != self.selected_step or (steps is not None and (steps, part, None) != self.selection[2:]):
            self.set_selection(Selection(step, origin, steps or (() if step is None else (step,)), part))

    def set_selection(self, selection: Selection) -> None:
        """Select that."""
        self.selected_step, self.selection = selection.step, selection
        self.selection_changed.emit(selection)

    def reveal(self, path: Path, span: Span) -> None:
        """Ask whoever shows texts to show this stretch."""
        text = self._texts.get(path)
        self.reveal_asked.emit(Reveal(text.path if text else path, span))

    def step_at(self, offset: int) -> str | None:
        """The step in which an offset of the registry's text lies."""
        return self._finder.step_at(self.folder, offset)

    # Files

    def save(self, over: Mapping[Path, Source | None] | None = None) -> SaveResult | PartlySaved:
        """Write every changed text.

        Nothing is written where another program changed one of the files since it was read, but `over` texts of
        `on_disk` that may go.
        """
        result = self._texts.save(over or {}, self.folder.root, save_journal()) or Saved(self.path)
        if isinstance(result, Saved):
            self.end_burst()
            self.stack.setClean()
            self.saved.emit()
        self._watch()
        self._check_dirty()
        return result

    def keep_mine(self) -> None:
        """The texts are wanted as they are, whatever other programs made of the files."""
        self._texts.keep()

    def reload(self) -> ReadProblem | None:
        """Take every text from disk again, as one entry of the history: what was here can be had back by undo."""
        fresh = self._texts.read_again(self.path)
        if isinstance(fresh, ReadProblem):
            return fresh
        wanted = {text.path: fresh[text.path].text if text.path in fresh else "" for text in self._texts}
        self.come_from(fresh, wanted, _("Reload from disk"))
        self.stack.setClean()
        return None

    def come_from(self, fresh: Mapping[Path, Source], wanted: Mapping[Path, str], label: str) -> None:
        """The texts are changes to what the files hold now: `wanted`, as one entry of the history."""
        before = self._texts.bases()
        edits = {text.path: edit.difference(text.source.text, wanted[text.path]) for text in self._texts}
        back = {text.path: edit.inverse(text.source.text, edits[text.path]) for text in self._texts}

        def rebase(now: bool) -> None:
            self._texts.rebase_again(*(fresh, before) if now else (before, fresh))
            self._check_dirty()

        self._texts.rebase(fresh)
        self.end_burst()
        self.stack.push(history.RebasedCommand(self._write, self.geometry, edits, back, label, "disk", rebase))
        self._watch()
        self._check_dirty()

    def check_disk(self) -> None:
        """Look whether other programs changed files, by their content. Called when the window gets the focus.

        Of files that are open here `disk_changed` reports each change once; others are read and linted again.
        """
        for path in self._texts.look():
            self.disk_changed.emit(path)
        self._watch()
        self._check_dirty()
        if changed := [path for path, text in self._around() if text != text_on_disk(path)]:
            self.reread(changed)
        else:
            self._ask()  # prompts, which aren't stored, may have been added, changed or removed

    def reread(self, paths: Iterable[Path]) -> None:
        """Files that aren't open here came or changed."""
        self._folder = self._folder.reread(paths)
        self.version += 1
        self.other_files_version += 1
        self._settle()

    # Inside

    def _open(self, path: Path, begins: bool = False) -> OpenText | ReadProblem:
        text = self._texts.get(path)
        if text is None:
            found = self.folder.content(path)
            if isinstance(found, ReadProblem) and found.kind == "missing" and (begins or self._may_begin(path)):
                return self._texts.begin(path)
            if isinstance(found, ReadProblem):
                return found
            text = self._texts.hold(path, found.source)
            self._watch()
        return text

    def _text_now(self, path: Path) -> Source | None:
        found = self._texts.get(path) or self.folder.content(path)
        return None if isinstance(found, ReadProblem) else found.source

    def _may_begin(self, path: Path) -> bool:
        return path == self.layout_path or path.name == CONFIG_NAME or path == self.path.parent / AGENT

    def _around(self) -> Iterator[tuple[Path, str | None]]:
        # The files that the agent was read from and that aren't open here, with their text.
        documents: list[ParsedFile | ReadProblem] = self.folder.schema_files()
        if self.folder.agent_document is not None:
            documents.append(self.folder.agent_document)
        for document in documents:
            if self._texts.get(document.path) is None:
                yield document.path, None if isinstance(document, ReadProblem) else document.source.text

    def _write(self, edits: Edits, origin: str) -> None:
        for path, listed in edits.items():
            text = self._texts.get(path)
            assert text is not None
            if len(listed) == 1:
                text.source = text.source.with_stretch(*listed[0])
            else:
                text.source = text.source.with_text(edit.apply(text.source.text, listed))
            self._news.append((path, listed, origin))
            if path == self.layout_path:  # which doesn't affect the flow
                self._moved = True
            else:
                self.version += 1
                self.other_files_version += path != self.path

    def _notify(self) -> None:
        # Only once the history is at rest: whoever hears of a change may make the next one.
        if not self._news:
            return
        news, self._news = self._news, []
        for path, listed, origin in news:
            self.text_changed.emit(path, listed, origin)
        self._check_dirty()
        if not self.parsed or self._asked_version != self.version:
            self._settle()

    def _settle(self) -> None:
        # Read what changed and have it linted: at once where that is quick, else in the worker.
        if self._texts.size <= SMOOTH:
            self._read()
            self._ask()
        else:
            self._later.start(0 if self._texts.size <= _QUICK else _PAUSE)

    def _check_dirty(self) -> None:
        if self.dirty != self._was_dirty:
            self._was_dirty = not self._was_dirty
            self.dirty_changed.emit()

    def _read(self) -> None:
        folder = self._folder.with_buffers(self._texts.buffers())
        self._moved = False
        self._take(folder, self.version)

    def _take(self, folder: AgentFolder, version: int) -> None:
        self._folder = folder
        self._read_version = version
        if _sound(folder):
            self._last_valid = folder
        self.flow_changed.emit()
        if self.linted and self._notified_for is not folder:  # of the same text, but shown with the flow before it
            self._notified_for = folder
            self.diagnostics_changed.emit()

    def _ask(self) -> None:
        self._asked_version = self.version
        read = None if self.parsed else partial(self._folder.with_buffers, self._texts.buffers())
        self._lint.ask(self.snapshot(), read)

    def _was_read(self, version: int, folder: object) -> None:
        if version == self.version and not self.parsed and isinstance(folder, AgentFolder):
            self._held.hold(version, folder, linted=self.linted)

    def _show_read(self, version: int, folder: AgentFolder) -> None:
        if version == self.version and not self.parsed:
            self._take(folder, version)

    def _linted(self, version: int, findings: Findings | None) -> None:
        if version == self.version and findings is not None:
            if not self.checked and self._texts.size <= SMOOTH:
                self.folder.schema_files()  # read as the linter just did, so that `check_disk` can compare
            same = (
                self.checked
                and self._notified_for is self._folder
                and ((findings.received, findings.suppressed) == (self.diagnostics, self.suppressed))
            )
            self.diagnostics, self.suppressed, self._bases = findings
            self._linted_version = version
            self._notified_for = self._folder
            if not same:
                self.diagnostics_changed.emit()
            self._held.found()

    def _watch(self) -> None:
        self._disk.watch(text.path for text in self._texts)


def _sound(folder: AgentFolder) -> bool:
    return folder.registry.tree.valid and folder.format is not None
