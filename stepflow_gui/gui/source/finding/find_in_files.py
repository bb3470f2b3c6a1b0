"""Find and replace in the files of the agent or of the folder that is open."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from stepflow_gui.gui.desk import Desk, Feature, OpenAgent, ShowSource
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.widgets.actions import ActionSpec, MenuPlace
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.problem_text import describe
from stepflow_gui.text.edit import TextEdit, difference, moved
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.source import Source, Span

if TYPE_CHECKING:
    from stepflow_gui.gui.document.background.work import Background
    from stepflow_gui.gui.source.finding.file_search import FileHits, FileSearch
    from stepflow_gui.gui.source.finding.files_panel import FilesPanel

PAGE = "find"  # of the side panel
_SOON, _LATER = 250, 700  # milliseconds after a key here, and after a change of a text


class FindInFiles(QObject, Feature):
    """One for a window; its page is loaded when it is first asked for. `selected` gives the text that is selected."""

    def __init__(self, desk: Desk, selected: Callable[[], str]) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._selected = selected
        self._document: Document | None = None
        self._search: FileSearch | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self.search)
        self.page: FilesPanel | None = None
        self._worker: Background | None = None

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """Find, and replace, in files."""
        return (
            ActionSpec(
                *("find-in-files", lambda: _("Fi&nd in Files…"), self.open, MenuPlace("edit", 250)),
                keys=("Ctrl+Shift+F",),
            ),
            ActionSpec(
                *("replace-in-files", lambda: _("Replace in Files…"), self._open_replacing, MenuPlace("edit", 260)),
                keys=("Ctrl+Shift+H",),
                needs_agent=True,
            ),
        )

    def set_document(self, document: Document | None) -> None:
        """Follow another document, or none."""
        if self._document is not None and self.page is not None:
            self._document.text_changed.disconnect(self._text_changed)
        self._document = document
        if self.page is None:
            return
        self._drop()
        self.page.show_search(None, busy=False)
        if document is not None:
            document.text_changed.connect(self._text_changed)
        self._show_scopes(self.page)
        if self.page.isVisible():
            self._soon.start(_SOON)

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        if self.page is not None:
            self._show_scopes(self.page)
            self.page.retranslate()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        if self.page is not None:
            self.page.set_theme(theme)

    def open(self) -> None:
        """Show the page, with what is selected in the source."""
        self._open(replacing=False)

    def _open_replacing(self) -> None:
        self._open(replacing=True)

    def _open(self, *, replacing: bool) -> None:
        page, selected = self.page or self._make_page(), self._selected()
        self._show_scopes(page)
        self._desk.side.hold(PAGE, page)
        self._desk.side.show_page(PAGE)
        page.open(selected, replacing=replacing)

    def _make_page(self) -> "FilesPanel":
        from stepflow_gui.gui.document.background.work import Background
        from stepflow_gui.gui.source.finding.files_panel import FilesPanel  # loaded by those who search

        page = self.page = FilesPanel(self._desk.theme())
        page.asked.connect(lambda: self._soon.start(_SOON))
        page.shown.connect(lambda: self._soon.start(_SOON))
        page.replace_asked.connect(self._replace)
        page.opened.connect(self._show_place)
        self._worker = Background("stepflow-find", self)
        self._worker.reported.connect(self._progressed)
        self._worker.done.connect(self._done)
        page.cancelled.connect(self._worker.cancel)
        if self._document is not None:
            self._document.text_changed.connect(self._text_changed)
        return page

    def _show_scopes(self, page: "FilesPanel") -> None:
        from stepflow_gui.gui.source.finding.file_search import SearchScope

        document, scopes = self._document, []
        if document is not None:
            name = _("This piece") if document.last_valid.format == "takt" else _("This agent")
            scopes.append((name, SearchScope(document.path)))
        root = self._desk.settings.open_project or (document.last_valid.root if document is not None else None)
        if root is not None:
            scopes.append((_("Folder “{name}”").format(name=root.name), SearchScope(root, whole_folder=True)))
        page.can_replace = document is not None
        page.show_scopes(scopes)

    # Searching

    def search(self) -> None:
        """Look for what is asked for, in a thread."""
        from stepflow_gui.gui.source.finding.file_search import FileSearch

        self._soon.stop()
        page, worker = self.page, self._worker
        scope = page.chosen_scope if page is not None else None
        if page is None or worker is None or scope is None or not page.isVisible():
            return
        unsaved = {
            path: Source(text, bom) for document in self._documents() for path, text, bom in document.snapshot().texts
        }
        search = self._search = FileSearch(page.field.query, scope, unsaved)
        worker.start(lambda job: search(lambda done, known: job.report((done, known)), job.is_cancelled))
        page.show_search(self._search, busy=True)

    def _documents(self) -> list[Document]:
        """Those of all tabs, this one's first."""
        others = self._desk.window.window().findChildren(Document)
        own = [self._document] if self._document is not None else []
        return [*own, *(each for each in others if each is not self._document and each.is_open)]

    def _progressed(self, progress: tuple[int, int]) -> None:
        if self.page is not None:
            self.page.show_search(self._search, busy=True, progress=progress)

    def _done(self, _search: object) -> None:
        if self.page is not None:
            self.page.show_search(self._search, busy=False)

    def _drop(self) -> None:
        self._soon.stop()
        if self._worker is not None:
            self._worker.drop()

    def _text_changed(self, _path: Path, _edits: object, _origin: str) -> None:
        if self.page is not None and self.page.isVisible():
            self._soon.start(_LATER)

    # What was found

    def _show_place(self, path: Path, source: Source, span: Span, stay: bool) -> None:
        """In this agent's texts, or in the agent that the file is of."""
        document = self._document
        if document is not None and (path == document.path or not self._is_elsewhere(path, document)):
            now = document.source(path)
            edits = difference(source.text, now.text) if isinstance(now, Source) else ()
            span = Span(moved(span.start, edits), moved(span.end, edits))
            self._desk.wish(ShowSource(path, span, focus=not stay))
        else:
            self._desk.wish(OpenAgent(path, span))

    def _is_elsewhere(self, path: Path, document: Document) -> bool:
        """Whether a file is the registry of another agent, or outside of this one's project."""
        from stepflow_gui.project.files import Files
        from stepflow_gui.project.finding.locate import REGISTRY
        from stepflow_gui.project.finding.piece_places import is_yaml
        from stepflow_gui.project.finding.registry_of_path import is_piece, is_registry

        folder = document.last_valid
        if document.disk_state(path) is not None:
            return False
        if not folder.inside(path) or path.name == REGISTRY:
            return True
        files = Files(folder.root, {})
        return is_piece(path, files) if is_yaml(path) else path.suffix == ".json" and is_registry(files.read(path))

    def _replace(self) -> None:
        """Replace what is checked: one entry of the history of each agent whose texts are concerned."""
        page = self.page
        if page is None or self._document is None or page.field.query != (self._search and self._search.query):
            return
        chosen = list(page.chosen())
        wanted: dict[Document, dict[Path, list[TextEdit]]] = {}
        for found in chosen:
            holder = self._holder(found.path)
            if holder is None:
                text = _("{file} belongs to no open agent. Open its agent, or uncheck it.")
                self._desk.notices.notice(text.format(file=found.path))
                return
            now = holder.source(found.path)
            if isinstance(now, ReadProblem):
                self._desk.notices.notice(describe(now))
                return
            if now.text != found.source.text:
                self._desk.notices.notice(
                    _("Files changed since the search. Nothing was replaced; check the new matches.")
                )
                self.search()
                return
            wanted.setdefault(holder, {})[found.path] = self._edits(found, page.by.text())
        for holder, edits in wanted.items():
            holder.end_burst()
            holder.apply(edits, _("Replace in Files"), "files")
        self._report(sum(len(found.hits) for found in chosen), len(chosen), len(wanted))

    def _edits(self, found: "FileHits", by: str) -> list[TextEdit]:
        from stepflow_gui.gui.source.finding.replace import replacing

        pattern = self.page is not None and self.page.field.pattern.isChecked()
        return replacing(found.source.text, found.hits, by, pattern=pattern)

    def _holder(self, path: Path) -> Document | None:
        """The document that has a text open, else one in whose project the file lies, this one first."""
        documents = self._documents()
        holding = (each for each in documents if each.disk_state(path) is not None)
        around = (each for each in documents if each.last_valid.inside(path))
        return next(holding, None) or next(around, None)

    def _report(self, count: int, files: int, agents: int) -> None:
        hits = ngettext("{count} match replaced", "{count} matches replaced", count).format(count=count)
        where = ngettext("in {count} file", "in {count} files", files).format(count=files)
        text = _("{matches} {files}").format(matches=hits, files=where)
        if agents > 1:
            text = _("{done}; Undo in each of the {count} agents reverts it").format(done=text, count=agents)
        self._desk.notices.done(text)
