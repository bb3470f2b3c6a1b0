"""The agent's own view beside the flow: one for a window, its page made when it is first shown."""

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, SignalInstance
from PySide6.QtWidgets import QMenu

from stepflow_gui.formats.changes import BeginAgent, Change, ConvertAgent, SetVerdict
from stepflow_gui.formats.climpt.vocabulary import REGISTRY_FORMATS
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.gui.desk import Desk, Feature, OpenAgent, ShowFinding
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.selection import Reveal, Selection
from stepflow_gui.gui.problems.panel import ProblemsPanel
from stepflow_gui.gui.source.panel import SourcePanel
from stepflow_gui.gui.widgets.actions import ActionSpec, MenuPlace
from stepflow_gui.gui.widgets.problem import Problem
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.lint.diagnostic import RANK, Diagnostic
from stepflow_gui.messages import _
from stepflow_gui.project.finding.locate import AGENT
from stepflow_gui.project.problem_text import describe
from stepflow_gui.text.files.presence import real_path
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.source import Source, Span

if TYPE_CHECKING:
    from stepflow_gui.formats.climpt.agent.agent_file import AgentDefinition
    from stepflow_gui.gui.agent.page import AgentPage
    from stepflow_gui.gui.problems.details import Page
    from stepflow_gui.gui.problems.fix_preview import ChangeOffer
    from stepflow_gui.text.json.tree import JsonValue

ORIGIN = "agent"
_STAYS = frozenset({"canvas", "transition", "source", ORIGIN})  # selections that leave the agent in front


class AgentView(QObject, Feature):
    """The page with the form of agent.json, in place of the flow."""

    def __init__(self, desk: Desk, source: SourcePanel, problems: ProblemsPanel) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._source = source
        self._problems = problems
        self._document: Document | None = None
        self._last_valid: AgentDefinition | None = None  # agent.json when its text was last valid
        self.page: AgentPage | None = None

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """Go to the agent's form, and the assistant for its verdict type."""
        go = ActionSpec("focus-agent", lambda: _("&Agent"), self.open, MenuPlace("focus", 60))
        choose = ActionSpec("choose-verdict", lambda: _("Choose &Verdict Type…"), self.choose_verdict)
        return (
            go._replace(keys=("Ctrl+6",), needs_agent=True),
            choose._replace(place=MenuPlace("flow", 240), needs_agent=True),
        )

    @property
    def available(self) -> bool:
        """Whether what is open has a page of its agent."""
        return self._document is not None and self._document.last_valid.flow.format != "takt"

    @property
    def is_open(self) -> bool:
        """Whether the agent is in front."""
        return self.page is not None and self.page.isVisibleTo(self._desk.window)

    def set_document(self, document: Document | None) -> None:
        """Show another agent, or none."""
        if self._document is not None:
            for signal, slot in self._links(self._document):
                signal.disconnect(slot)
        self.close()
        if self.page is not None:
            self.page.forget_remarks()
        self._document, self._last_valid = document, None
        if document is not None:
            self._keep_good()
            for signal, slot in self._links(document):
                signal.connect(slot)

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        if self.page is not None:
            self.page.retranslate()
            self._show()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        if self.page is not None:
            self.page.set_theme(theme)
            self._show()

    def open(self) -> None:
        """Bring the agent to the front, with the keyboard where its form begins."""
        if self._bring():
            assert self.page is not None
            if self.page.form_shown:
                self.page.focus_first()
            else:
                self.page.offer.button.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def open_at(self, pointer: str, *, focus: bool = True) -> bool:
        """Bring the agent to the front with the field of a place; False where the form has none for it."""
        return self._bring() and self.page is not None and self.page.focus_place(pointer, focus=focus)

    def choose_verdict(self) -> None:
        """Ask the questions for a verdict type, beside its field."""
        if self._bring() and self.page is not None and self.page.form is not None and self.page.form_shown:
            place = self.page.form.place
            self.page.focus_place(f"{place.holder}/{place.type_key}", focus=False)
            QTimer.singleShot(1, self.page, self._ask_verdict)  # once the field is in view

    def close(self) -> None:
        """Back to the flow."""
        if self.is_open:
            self._desk.show_page(self._desk.canvas)

    # Inside

    def _links(self, document: Document) -> list[tuple[SignalInstance, Callable[..., None]]]:
        return [
            (document.flow_changed, self._changed),
            (document.diagnostics_changed, self._show),
            (document.selection_changed, self._selected),
            (document.reveal_asked, self._revealed),
        ]

    def _bring(self) -> bool:
        if not self.available:
            return False
        if self.page is None:
            self.page = self._made()
        if not self.is_open:
            self._desk.show_page(self.page)
            self.page.show_form()
            self._show()
        return True

    def _made(self) -> "AgentPage":
        from stepflow_gui.gui.agent.caret_sync import CaretSync  # loaded by those who look at it
        from stepflow_gui.gui.agent.page import AgentPage

        page = AgentPage(self._desk.theme(), self._make)
        CaretSync(self._source, page, lambda: self._document)
        page.chart_wanted.connect(self._ask_verdict)
        page.convert_wanted.connect(self._offer_conversion)
        page.source_wanted.connect(lambda: self._reveal(Span(0, 0)))
        page.followed.connect(self._follow)
        page.head.menu_asked.connect(self._offer_menu)
        page.head.page_asked.connect(self._ask_details)
        return page

    def _selected(self, selection: Selection) -> None:
        if selection.step is not None and selection.origin not in _STAYS:
            self.close()

    def _revealed(self, wanted: Reveal) -> None:
        """A problem of agent.json was picked in the list: its field is shown, the keyboard stays where it is."""
        found, document = self._problems.current_finding, self._document
        if found is None or document is None or wanted.path != found.file or found.file == document.path:
            return
        parsed = document.folder.agent_document
        if parsed is not None and found.file == parsed.path:
            self.open_at(found.pointer or "", focus=False)

    def _changed(self) -> None:
        self._keep_good()
        self._show()

    def _keep_good(self) -> None:
        assert self._document is not None
        agent = self._document.folder.agent
        if agent is None:
            self._last_valid = None
        elif self._last_valid is None or _sound(agent):
            self._last_valid = agent

    def _show(self) -> None:
        document, page = self._document, self.page
        if document is None or page is None or not self.is_open:
            return
        folder, agent = document.folder, self._last_valid
        if agent is None:
            file = document.path.parent / AGENT
            text = _(
                "There is no {file} beside {registry}. It defines how the agent is run: its limits, tools and end."
            )
            found = folder.document(file)
            missing = isinstance(found, ReadProblem) and found.kind == "missing"
            message = text.format(file=AGENT, registry=document.path.name)
            if isinstance(found, ReadProblem) and not missing:
                message = describe(found)
            beginnable = missing and folder.format in REGISTRY_FORMATS
            button = _("Create {file}").format(file=AGENT) if beginnable else ""
            page.offer.show_text(message, button, lambda: self._make(BeginAgent(file)))
            page.show_offer()
            return
        if not page.form_shown and not page.offer.comparing:
            page.show_form()
        from stepflow_gui.gui.agent.page import ShownAgent

        now = folder.agent
        broken = now is None or not _sound(now)
        listed = sorted(self._diagnostics(), key=lambda each: RANK[each.severity])
        problems = [Problem(each.pointer or "", each.severity, f"{each.code}  {each.message}") for each in listed]
        page.show_agent(ShownAgent(folder, agent, [] if broken else problems, broken))
        page.convert_button.setVisible(not broken and self._is_older(agent))
        self._show_status(broken)

    def _show_status(self, broken: bool) -> None:
        assert self._document is not None
        assert self.page is not None
        folder, notices = self._document.folder, self.page.notices
        parsed, agent = folder.agent_document, folder.agent
        if broken and parsed is not None:
            problem = next(iter(parsed.tree.problems), None)
            if problem is None:
                notices.show_status(_("{file} must hold an object.").format(file=parsed.path.name), "error", "", None)
                return
            span = Span(problem.start, problem.end) if problem else Span(0, 0)
            line = parsed.source.position(span.start).line
            text = _("{file} has a syntax error in line {line}. This is its last valid state.")
            message = text.format(file=parsed.path.name, line=line)
            notices.show_status(message, "error", _("Go to the mistake"), lambda: self._reveal(span))
            return
        named = agent.registry_path.value if agent is not None and agent.registry_path else ""
        wanted = real_path(folder.folder / named) if named else None
        if wanted is not None and wanted != real_path(self._document.path):
            text = _("{file} names “{registry}” as its registry; open here is “{opened}”.")
            message = text.format(file=AGENT, registry=named, opened=self._document.path.name)
            there = folder.inside(wanted) and folder.exists(wanted)
            link = _("Open that one") if there else ""
            notices.show_status(message, "warning", link, lambda: self._desk.wish(OpenAgent(wanted)))
        else:
            notices.show_status("", "", "", None)

    def _is_older(self, agent: "AgentDefinition") -> bool:
        from stepflow_gui.formats.climpt.agent.converting import converted

        root = agent.document.root
        value = root.value if root is not None else None
        if not isinstance(value, dict) or not isinstance(value.get("runner", {}), dict):
            return False
        return converted(value).value != value

    def _diagnostics(self) -> list[Diagnostic]:
        document = self._document
        parsed = document.folder.agent_document if document is not None else None
        if document is None or parsed is None:
            return []
        return [found for found in document.diagnostics if found.file == parsed.path]

    # What the person asks

    def _make(self, change: Change) -> Plan | Refusal:
        from stepflow_gui.gui.inspector.form_notice import make

        document = self._document
        if document is None:
            return Refusal(_("No agent open."))
        return make(document, change)

    def _follow(self, step: str) -> None:
        if self._document is not None:
            self._document.select(step, "link")

    def _reveal(self, span: Span) -> None:
        parsed = self._document.folder.agent_document if self._document is not None else None
        if self._document is not None and parsed is not None:
            self._document.reveal(parsed.path, span)
            self._desk.actions["focus-source"].trigger()

    def _ask_verdict(self) -> None:
        from stepflow_gui.gui.agent.chart_popup import ChartPopup

        document, page = self._document, self.page
        agent = document.folder.agent if document is not None else None
        if document is None or page is None or page.form is None or agent is None or not page.chart_button.isEnabled():
            return
        root = agent.document.root
        place = page.form.place
        config = page.form.verdict_of(root.value if root else None).get(place.config_key)
        steps = [step.id for step in document.folder.flow.steps.values() if not step.is_section]
        popup = ChartPopup(page, config if isinstance(config, dict) else {}, steps)

        def take(verdict: str, values: "dict[str, JsonValue]", without: list[str]) -> None:
            given = tuple(values.items())
            change = SetVerdict(
                agent.document.path, place.holder, verdict, given, tuple(without), place.type_key, place.config_key
            )
            found = self._make(change)
            if isinstance(found, Refusal):
                page.refuse(found.reason)
            else:
                page.focus_place(f"{place.holder}/{place.type_key}", focus=True)

        popup.wanted.connect(take)
        popup.show_at(page.chart_point())

    def _offer_conversion(self) -> None:
        offer = self._conversion()
        if self.page is None or offer is None:
            return
        self.page.show_offer()
        self.page.offer.compare(offer)

    def _conversion(self) -> "ChangeOffer | None":
        from stepflow_gui.formats.change import plan
        from stepflow_gui.gui.problems.fix_preview import ChangeOffer
        from stepflow_gui.gui.problems.fix_preview import FilePreview as Shown
        from stepflow_gui.text.edit import apply

        document = self._document
        agent = document.folder.agent if document is not None else None
        if document is None or agent is None or self.page is None:
            return None
        change = ConvertAgent(agent.document.path)
        found = plan(document.folder, change)
        if isinstance(found, Refusal):
            self.page.refuse(found.reason)
            return None
        shown = []
        for path, edits in found.edits.items():
            source = document.source(path)
            before = source.text if isinstance(source, Source) else ""
            shown.append(Shown(path, before, apply(before, edits)))

        def make() -> str:
            made = self._make(change)
            if isinstance(made, Refusal):
                return made.reason
            if self.page is not None:
                self.page.show_form()
                self.page.notices.mention(" ".join(made.notes))
            return ""

        note = "\n".join(found.notes) or _("Nothing is lost: every part gets its place under “runner”.")
        return ChangeOffer(found.title, note, shown, make)

    def _finding(self, problem: Problem) -> Diagnostic | None:
        return next((each for each in self._diagnostics() if problem.text == f"{each.code}  {each.message}"), None)

    def _offer_menu(self, problem: Problem, point: QPoint) -> None:
        from stepflow_gui.gui.problems.menu import fill_menu

        found = self._finding(problem)
        if found is not None and self.page is not None:
            menu = QMenu(self.page)
            fill_menu(menu, found, self._problems)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(point)

    def _ask_details(self, problem: Problem, page: str) -> None:
        found = self._finding(problem)
        if found is not None:
            self._desk.wish(ShowFinding(found, cast("Page", page)))


def _sound(agent: "AgentDefinition") -> bool:
    root = agent.document.root
    return agent.document.tree.valid and root is not None and root.kind == "object"
