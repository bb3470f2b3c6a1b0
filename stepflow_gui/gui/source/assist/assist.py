"""Help in the source editor: completion, definitions, places of a name, renaming, what a place is about, fixes."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QWidget

from stepflow_gui.formats.change import plan
from stepflow_gui.formats.changes import Change, RenameStep
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.gui.inspector.form_notice import allowed_changes
from stepflow_gui.gui.inspector.inspector import ShownFields
from stepflow_gui.gui.problems.places import is_at
from stepflow_gui.gui.source.assist.completing import SourceCompleting
from stepflow_gui.gui.source.assist.hover import HoverCard, SourceHover
from stepflow_gui.gui.source.assist.links import SourceLinks
from stepflow_gui.gui.source.assist.rename import RenameCheck, RenamePopup
from stepflow_gui.gui.source.assist.variables import found_at_uses
from stepflow_gui.gui.source.editor import SourceEditor
from stepflow_gui.gui.source.languages.language import config_table, is_config, language_of, lexer_of, pairs_of
from stepflow_gui.gui.widgets.palette_matching import PaletteEntry
from stepflow_gui.gui.widgets.palette_popup import PalettePopup
from stepflow_gui.gui.widgets.popup import main_window_of
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.assist.completion import Completions, completions_at
from stepflow_gui.project.assist.cursor_target import CursorTarget
from stepflow_gui.project.assist.definitions import defined_at
from stepflow_gui.project.assist.go_to import definitions_at, references_at, why_no_definition
from stepflow_gui.project.assist.hover import Hover, about
from stepflow_gui.project.assist.names import names_of
from stepflow_gui.project.assist.prompt_completion import prompt_completions
from stepflow_gui.project.assist.renaming import renamable_at, renaming
from stepflow_gui.project.assist.schema_completion import schema_about, schema_completions
from stepflow_gui.project.assist.target_lookup import target_at
from stepflow_gui.project.assist.toml_completion import toml_about, toml_completions
from stepflow_gui.project.assist.variables import VariablePlace
from stepflow_gui.project.assist.yaml_completion import yaml_completions
from stepflow_gui.project.problem_text import describe
from stepflow_gui.text.document import AnyDocument, ParsedFile, TextFile
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

if TYPE_CHECKING:
    from stepflow_gui.gui.document.document import Document

_CTRL, _SHIFT, _ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


class AssistedPanel(Protocol):
    """The panel whose editor is helped: what it shows, and what its menu offers besides."""

    @property
    def document(self) -> "Document | None": ...
    @property
    def path(self) -> Path | None: ...
    @property
    def editor(self) -> SourceEditor: ...
    @property
    def extend_menu(self) -> Callable[[QMenu, Path, int], object] | None: ...
    def window(self) -> QWidget: ...


class SourceOffer(NamedTuple):
    """Something that can be done in the source: `against` is the reason why it can't be now."""

    title: str
    keys: str
    does: Callable[[], object]
    against: str


class SourceAssist(QObject):
    """The help of one source panel's editor.

    `fix_asked(finding, fix)` and `rule_asked(finding)`: a link under the mouse was followed. `done(text)`: what was
    changed, `refused(text)` why nothing was.
    """

    fix_asked = Signal(object, object)
    rule_asked = Signal(object)
    done = Signal(str)
    refused = Signal(str)

    def __init__(self, panel: AssistedPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._panel = panel
        self._editor = panel.editor
        self._document: Document | None = None  # whose changes are heard
        self._coloured: object = None  # what the colours depend on
        self._fields = ShownFields()
        editor = self._editor
        self.completing = SourceCompleting(editor, self._completions)
        self.card = HoverCard(editor)
        self.hover = SourceHover(editor, self.card, self._found_at, self.hover_at, self.place_of)
        self.links = SourceLinks(editor, self._link_at, self.go_to_definition)
        self.hover.fix_asked.connect(self.fix_asked)
        self.hover.rule_asked.connect(self.rule_asked)
        editor.shown.connect(self._shown)
        editor.menu_asked.connect(self._fill_menu)
        editor.installEventFilter(self)

    # Keys

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._editor and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            does = self._of_key(event)
            if does is not None:
                does()
                return True
        return super().eventFilter(watched, event)

    def _of_key(self, event: QKeyEvent) -> Callable[[], object] | None:
        key, modifiers = event.key(), event.modifiers() & (_CTRL | _SHIFT | _ALT)
        if key == Qt.Key.Key_F12:
            return self.find_references if modifiers == _SHIFT else self.go_to_definition
        if key == Qt.Key.Key_F2 and not modifiers:
            return self.rename
        enters = key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if (key == Qt.Key.Key_Period and modifiers == _CTRL) or (enters and modifiers == _ALT):
            return self.show_fixes
        if key == Qt.Key.Key_I and modifiers == _CTRL:
            return self.show_hover
        return None

    # Going

    def go_to_definition(self, offset: int | None = None) -> bool:
        """Go to where the name at the caret, or at an offset, is defined; False where there is nowhere to go."""
        at = self._editor.caret if offset is None else offset
        places = self._places(definitions_at, at)
        if len(places) == 1:
            self._go(places[0])
        elif places:
            self._offer(places)
        elif offset is None:
            self._explain(why_no_definition)
        return bool(places)

    def find_references(self) -> None:
        """List every place of the name at the caret."""
        places = self._places(references_at, self._editor.caret)
        if places:
            self._offer(places)
        else:
            self._explain(why_no_definition)

    def _link_at(self, offset: int) -> Span | None:
        at = self.file()
        subject = target_at(*at, offset) if at is not None else None
        if at is None or subject is None:
            return None
        places = defined_at(at[0], subject)
        itself = len(places) == 1 and places[0].document is subject.file and places[0].span == subject.span
        return subject.span if places and not itself else None

    def _places(
        self, find: Callable[[AgentFolder, AnyDocument, int], list[VariablePlace]], offset: int
    ) -> list[VariablePlace]:
        at = self.file()
        return find(*at, offset) if at is not None else []

    def _go(self, place: VariablePlace) -> None:
        document = self._panel.document
        if document is not None:
            document.reveal(place.document.path, place.span)

    def _offer(self, places: list[VariablePlace]) -> None:
        entries = []
        for place in places:
            line = place.document.source.position(place.span.start).line
            text = place.document.source.line_text(line).strip()
            where = f"{place.document.path.name}:{line}"
            entries.append(PaletteEntry("file", text, where, partial(self._go, place)))
        popup = PalettePopup(main_window_of(self._editor), self._editor.theme, entries)
        popup.open_over(self._panel.window())

    def _explain(self, why: Callable[[AgentFolder, AnyDocument, int], str]) -> None:
        at = self.file()
        offset = self._editor.caret
        text = why(*at, offset) if at is not None else _("No name here")
        self.hover.note(text or _("No name here"), offset)

    # Renaming

    def rename(self, offset: int | None = None) -> None:
        """Ask for another name for what is at the caret, or at an offset, over the old one."""
        at = self.file()
        where = self._editor.caret if offset is None else offset
        subject = self._renamable(where)
        if at is None or isinstance(subject, Refusal):
            self.hover.note(subject.reason if isinstance(subject, Refusal) else "", where)
            return
        self.completing.close()
        hint = ""
        if subject.kind == "intent":
            fitting = [name.text for name in names_of(at[0], "intent", join("", "steps", subject.step or ""))]
            hint = _("One of {names}").format(names=", ".join(fitting))
        popup = RenamePopup(main_window_of(self._editor), subject.name, partial(self._judge, subject), hint)
        popup.wanted.connect(self._rename)
        quote = 1 if subject.is_of_json else len(subject.head)
        place = self.place_of(Span(subject.span.start + quote, subject.span.end))
        popup.open_at(self._editor.viewport().mapToGlobal(place.topLeft()))

    def _renamable(self, offset: int) -> CursorTarget | Refusal:
        at, document = self.file(), self._panel.document
        if at is None or document is None:
            return Refusal(_("No name here"))
        if document.text_broken:
            return Refusal(_("Fix the syntax error first."))
        return renamable_at(*at, offset)

    def _judge(self, subject: CursorTarget, new: str) -> RenameCheck:
        document = self._panel.document
        if document is None:
            return RenameCheck("", None)
        found = renaming(document.folder, subject, new)
        if isinstance(found.plan, Refusal):
            choices = (
                [(allowed.label, allowed.change) for allowed in allowed_changes(found.change, found.plan)]
                if found.change
                else []
            )
            return RenameCheck(found.plan.reason, None, choices)
        edits = {path: listed for path, listed in found.plan.edits.items() if path != document.layout_path}
        places, files = sum(map(len, edits.values())), len(edits)
        counts = [
            ngettext("{count} edit", "{count} edits", places).format(count=places),
            ngettext("{count} file", "{count} files", files).format(count=files),
        ]
        return RenameCheck("\n".join((" · ".join(counts), *found.plan.notes)), found.change or found.plan)

    def _rename(self, wanted: Change | Plan) -> None:
        document = self._panel.document
        if document is None:
            return
        found = wanted if isinstance(wanted, Plan) else plan(document.folder, wanted)
        if isinstance(found, Plan):
            problem = document.apply(found.edits, found.title, "inspector")
            found = Refusal(describe(problem)) if problem else found
        if isinstance(found, Refusal):
            self.refused.emit(found.reason)
            return
        if isinstance(wanted, RenameStep) and document.selected_step == wanted.step:
            document.select(wanted.new, "link")
        self.done.emit("  ".join((found.title, *found.notes)))

    # Hovers

    def hover_at(self, offset: int) -> Hover | None:
        """What an offset is about."""
        at = self.file()
        if at is None:
            return None
        agent, file = at
        if is_config(file.path):
            return toml_about(config_table(agent, file.path), file.source.text, offset)
        found = about(agent, file, offset)
        if found is None and isinstance(file, ParsedFile) and language_of(agent, file.path) == "schema":
            keyword = schema_about(file, offset)
            return Hover(keyword[0], keyword[1], (keyword[2],)) if keyword is not None else None
        return found

    def show_hover(self) -> None:
        """Show what is at the caret, without the mouse."""
        if not self.hover.show_at(self._editor.caret):
            self.hover.note(_("No information here"), self._editor.caret)

    def show_fixes(self) -> None:
        """Open the menu of what can be done about the findings at the caret, else in its line."""
        path, offset = self._panel.path, self._finding_near()
        if path is None or offset is None or self._panel.extend_menu is None:
            self.hover.note(_("No problem here"), self._editor.caret)
            return
        menu = QMenu(self._editor)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._panel.extend_menu(menu, path, offset)
        at = self.place_of(Span(self._editor.caret, self._editor.caret))
        menu.popup(self._editor.viewport().mapToGlobal(at.bottomLeft() + QPoint(0, 2)))
        first = next((action for action in menu.actions() if action.isEnabled() and not action.isSeparator()), None)
        if first is not None:
            menu.setActiveAction(first)

    def _finding_near(self) -> int | None:
        """An offset that has findings: the caret's, else the first in its line."""
        caret = self._editor.caret
        line = self._line_of(caret)
        here = [mark.start for mark in self._editor.marks if self._line_of(mark.start) == line]
        return next((offset for offset in (caret, *here) if self._found_at(offset)), None)

    def _found_at(self, offset: int) -> list[Diagnostic]:
        document, path = self._panel.document, self._panel.path
        if document is None or path is None or not document.linted:
            return []
        here = [found for found in document.diagnostics if is_at(found, path, offset)]
        used = [found for found, span in found_at_uses(document, path) if span.start <= offset <= span.end]
        return here + [found for found in used if found not in here]

    def _line_of(self, offset: int) -> int:
        return self._editor.mapping.source.position(offset).line

    # Menu

    def offers(self, offset: int) -> list[SourceOffer]:
        """What can be done with the name at an offset."""
        at = self.file()
        no_name = _("No name here")
        why_not = why_no_definition(*at, offset) if at is not None else no_name
        renamable = self._renamable(offset)
        reason = renamable.reason if isinstance(renamable, Refusal) else ""
        nowhere = "" if at is not None and target_at(*at, offset) is not None else no_name
        return [
            SourceOffer(_("Go to &Definition"), "F12", partial(self.go_to_definition, offset), why_not),
            SourceOffer(_("Find All Reference&s"), "Shift+F12", self._references_of(offset), nowhere),
            SourceOffer(_("Re&name…"), "F2", partial(self.rename, offset), reason),
        ]

    def commands(self) -> list[SourceOffer]:
        """What keys do at the caret that no action of the window does."""
        return [
            SourceOffer(_("Complete"), "Ctrl+Space", self.completing.complete, ""),
            SourceOffer(_("Show Hover"), "Ctrl+I", self.show_hover, ""),
            SourceOffer(_("Fold Lines"), "Ctrl+Shift+[", self._editor.folding.fold_here, ""),
            SourceOffer(_("Unfold Lines"), "Ctrl+Shift+]", self._editor.folding.unfold_here, ""),
            SourceOffer(_("Fold All Lines"), "", self._editor.folding.fold_all, ""),
            SourceOffer(_("Unfold All Lines"), "", self._editor.folding.unfold_all, ""),
        ]

    def _fill_menu(self, menu: QMenu, offset: int) -> None:
        menu.setToolTipsVisible(True)
        for offer in self.offers(offset):
            action = menu.addAction(f"{offer.title}\t{offer.keys}", offer.does)
            action.setEnabled(not offer.against)
            action.setToolTip(offer.against)
        menu.addSeparator()

    def _references_of(self, offset: int) -> Callable[[], None]:
        return lambda: self._offer(self._places(references_at, offset))

    # What is shown

    def file(self) -> tuple[AgentFolder, AnyDocument] | None:
        """The agent, and its file that is shown; None where there is none."""
        document, path = self._panel.document, self._panel.path
        if document is None or path is None:
            return None
        folder = document.folder
        if path.suffix == ".json":
            parsed = folder.document(path)
            return (folder, parsed) if isinstance(parsed, ParsedFile) else None
        return folder, TextFile(path, self._editor.mapping.source)

    def place_of(self, span: Span) -> QRect:
        """Where the first line of a stretch is in the viewport."""
        editor = self._editor
        cursor = editor.textCursor()
        cursor.setPosition(editor.mapping.position(span.start))
        start = editor.cursorRect(cursor)
        block_end = cursor.block().position() + cursor.block().length() - 1
        cursor.setPosition(min(editor.mapping.position(span.end), block_end))
        return start.united(editor.cursorRect(cursor))

    def _completions(self, offset: int) -> Completions | None:
        at = self.file()
        if at is None:
            return None
        agent, file = at
        if is_config(file.path):
            return toml_completions(config_table(agent, file.path), file.source.text, offset)
        match language_of(agent, file.path):
            case "json" if isinstance(file, ParsedFile):
                return completions_at(agent, file, offset)
            case "schema" if isinstance(file, ParsedFile):
                return schema_completions(agent, file, offset)
            case "yaml" if file.path == agent.registry.path:
                return yaml_completions(agent, file.source.text, offset, self._fields.of(agent.flow))
            case "prompt":
                return prompt_completions(agent, file, offset)
        return None

    def _shown(self) -> None:
        """Another text is in the editor: it may be in another language."""
        self.completing.close()
        self.hover.hide()
        document = self._panel.document
        if document is not self._document:
            if self._document is not None:
                self._document.flow_changed.disconnect(self._colour)
            self._document = document
            if document is not None:
                document.flow_changed.connect(self._colour)
        self._coloured = None
        self._colour()

    def _colour(self) -> None:
        document, path = self._panel.document, self._panel.path
        if document is None or path is None:
            return
        agent = document.last_valid if document.parsed else None
        if agent is None:
            agent = document.folder
        depends, lex = lexer_of(agent, path)
        if (path, depends) != self._coloured:
            self._coloured = (path, depends)
            self._editor.set_language(lex, pairs_of(agent, path))
