"""Panels that follow the document: outline, inspector, and the labels of the status bar."""

from collections import Counter
from functools import partial
from typing import ClassVar

from PySide6.QtCore import QObject, SignalInstance
from PySide6.QtWidgets import QTabWidget

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.names import name_of_format
from stepflow_gui.gui.app.bottom_bar import BottomBar, LineText
from stepflow_gui.gui.app.outline import OutlinePanel
from stepflow_gui.gui.desk import ALL_FACTS, Desk, Fact, Feature, NameStep, OpenStepMenu, ShowFinding, ShowSource
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.movements import sub_step_at
from stepflow_gui.gui.document.step_terms import counted_steps
from stepflow_gui.gui.inspector.inspector import InspectorPanel
from stepflow_gui.gui.problems.list import mark_of
from stepflow_gui.gui.problems.panel import ProblemsPanel
from stepflow_gui.gui.widgets.actions import MENUS, LocalUse, plain_title, shown_keys
from stepflow_gui.gui.widgets.fields import ElidedLabel
from stepflow_gui.gui.widgets.problem import Problem
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.lint.diagnostic import RANK, Diagnostic
from stepflow_gui.lint.report.counts import counted
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.finding.takt_releases import name_of_releases
from stepflow_gui.project.step_contract import contract_in
from stepflow_gui.text.source import Span

SYNTAX = "SF001"  # the finding of a text that isn't JSON, or YAML
_INVALID = "invalid"  # what a message is about
_SENTENCE = 8_000  # milliseconds
_FLOW_AND_SELECTION: frozenset[Fact] = frozenset({"flow", "selection"})


class OutlineFeature(Feature):
    """The outline: the agent with its status, and its steps."""

    facts: ClassVar[frozenset[Fact]] = ALL_FACTS

    def __init__(self, desk: Desk, outline: OutlinePanel) -> None:
        self._outline = outline
        self._document: Document | None = None
        outline.step_picked.connect(self._picked)
        outline.menu_asked.connect(lambda step, at: desk.wish(OpenStepMenu(step, at)))
        outline.named.connect(lambda step, new: desk.wish(NameStep(step, new)))

    def local_uses(self) -> tuple[LocalUse, ...]:
        """A step is renamed in the list while the keyboard is there."""
        return (LocalUse("rename", "outline", self._outline.rename),)

    @property
    def panel(self) -> OutlinePanel:
        """The outline."""
        return self._outline

    def set_document(self, document: Document | None) -> None:
        """Follow another document, or none."""
        self._document = document

    def refresh(self, changed: frozenset[Fact]) -> None:
        """Show what changed."""
        document = self._document
        if document is None:
            return
        if "flow" in changed and not (document.text_broken and self._outline.has_flow):
            good = document.last_valid
            self._outline.show_flow(good.flow, good.flow.agent_id.value if good.flow.agent_id else good.folder.name)
        if changed & _FLOW_AND_SELECTION and document.selection.origin != "outline":
            self._outline.select(document.selected_step)
        if "findings" in changed:
            self._outline.show_health(*_health_of(document))

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        self._outline.retranslate()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._outline.set_theme(theme)

    def _picked(self, step: str | None) -> None:
        if self._document is not None:
            self._document.select(step, "outline")


class InspectorFeature(Feature):
    """The inspector: the selected step, or else the registry."""

    facts: ClassVar[frozenset[Fact]] = ALL_FACTS

    def __init__(self, desk: Desk, inspector: InspectorPanel) -> None:
        self._desk = desk
        self._inspector = inspector
        self._document: Document | None = None
        inspector.step_picked.connect(self._picked)
        inspector.only_picked.connect(self._picked)
        inspector.made_in_all.connect(desk.notices.done)
        inspector.details_asked.connect(lambda found, page: desk.wish(ShowFinding(found, page)))
        inspector.group_asked.connect(self._change_group)

    @property
    def panel(self) -> InspectorPanel:
        """The inspector."""
        return self._inspector

    def set_document(self, document: Document | None) -> None:
        """Follow another document, or none."""
        self._document = document
        self._inspector.set_document(document)
        if document is None:
            self._inspector.show_nothing()

    def refresh(self, changed: frozenset[Fact]) -> None:
        """Show the selected step, or the registry."""
        del changed  # all of it is one form
        document = self._document
        if document is None:
            return
        good, found = document.last_valid, document.diagnostics
        several = [good.flow.steps[each] for each in document.selection.steps if each in good.flow.steps]
        if len(several) > 1:
            ids = {each.id for each in several}
            self._inspector.show_several(good, several, [each for each in found if each.step in ids])
            return
        step = good.flow.steps.get(document.selected_step or "")
        group = document.selection.group
        card = self._desk.canvas.graph.groups.cards.get(group.key) if group is not None else None
        if group is not None and card is not None:
            inside = [each for each in found if each.step in card.group.steps]
            self._inspector.show_group(good, card, inside, group, own=self._desk.canvas.folding.by == "hand")
            return
        if step is None:
            of_file = [each for each in found if each.step is None and each.file == document.path]
            self._inspector.show_registry(good, name_of_format(good.flow), _problems(of_file))
            return
        sub = sub_step_at(step, document.selection.part) if document.selection.part else None
        if sub is not None:
            inside = [each for each in found if f"{each.pointer}/".startswith(f"{sub.pointer}/")]
            self._inspector.show_step(good, sub, contract_in(good, sub), _problems(inside), within=step)
            return
        of_step = [each for each in found if each.step == step.id]
        self._inspector.show_step(good, step, contract_in(good, step), _problems(of_step))

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        self._inspector.retranslate()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._inspector.set_theme(theme)

    def _picked(self, step: str | None) -> None:
        if self._document is not None:
            self._document.select(step, "link", () if step is None else (step,))

    def _change_group(self, word: str) -> None:
        group = self._document.selection.group if self._document is not None else None
        if group is not None and word == "toggle":
            self._desk.canvas.folding.toggle(group.key)
        elif group is not None:
            self._desk.actions[word].trigger()


class StatusFeature(Feature):
    """The labels of the status bar, and the title of the problems' tab: format, problems, steps and transitions."""

    facts: ClassVar[frozenset[Fact]] = frozenset({"flow", "findings"})

    def __init__(self, state: ElidedLabel, count: ElidedLabel, output: QTabWidget) -> None:
        self._state = state
        self._count = count
        self._output = output
        self._document: Document | None = None
        self._named: tuple[Flow, str] | None = None  # the format of a flow, and the releases that a piece is for

    def set_document(self, document: Document | None) -> None:
        """Follow another document, or none."""
        self._document = document

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        self._named = None
        self.refresh(self.facts)

    def refresh(self, changed: frozenset[Fact]) -> None:
        """Show what changed."""
        if self._document is None:
            return
        flow = self._document.last_valid.flow
        found = self._document.diagnostics
        self._output.setTabText(0, _("Problems") + (f"  {len(found)}" if found else ""))
        if self._named is None or self._named[0] is not flow:
            releases = name_of_releases(flow, _configured_runtime(flow))
            self._named = flow, "  ·  ".join(filter(None, (name_of_format(flow), releases)))
        self._state.show_whole(f"{self._named[1]}  ·  {_health_of(self._document)[0]}")
        if "flow" not in changed:
            return
        count = len(flow.moves())
        moves = ngettext("{count} transition", "{count} transitions", count).format(count=count)
        self._count.show_whole(f"{counted_steps(flow, len(flow.steps))}  ·  {moves}")


class NewsFeature(QObject, Feature):
    """What comes up while the texts are edited, in the bottom bar: the worst new problem, why a text is invalid."""

    facts: ClassVar[frozenset[Fact]] = frozenset({"flow", "findings"})

    def __init__(self, desk: Desk, bar: BottomBar, problems: ProblemsPanel) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._bar = bar
        self._problems = problems
        self._document: Document | None = None
        self._is_invalid = False  # whether it is shown that the text is
        self._known: frozenset[object] | None = None  # the problems of before; None: not yet looked for
        desk.middle.changed.connect(self._show_broken)

    def set_document(self, document: Document | None) -> None:
        """Follow another document, or none."""
        self._document, self._known = document, None
        self._bar.set_lasting(LineText(""))
        self._desk.notices.settle(_INVALID)

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        self._show_broken()

    def refresh(self, changed: frozenset[Fact]) -> None:
        """Show what changed."""
        document = self._document
        if document is None or not document.linted:
            return
        if "findings" in changed and not document.text_broken:
            self._show_new(document)
        self._show_broken()

    def _show_new(self, document: Document) -> None:
        # Without their words: another language is no news.
        marked = [(mark_of(each)[:-1], each) for each in document.diagnostics if each.severity != "info"]
        known, self._known = self._known, frozenset(mark for mark, _found in marked)
        new = [found for mark, found in marked if known is not None and mark not in known]
        if new and self._desk.settings.opens("sentence"):
            worst = min(new, key=lambda found: RANK[found.severity])
            act = partial(self._problems.show_step_of, worst)
            self._bar.show_line(LineText(f"{worst.code}  {worst.message}", worst.severity, act), _SENTENCE)

    def _show_broken(self) -> None:
        document = self._document
        broken = document is not None and document.text_broken and document.linted
        found = _first_error(document) if document is not None and broken else None
        if found is None:
            if self._is_invalid:
                self._bar.set_lasting(LineText(""))
                self._desk.notices.settle(_INVALID)
            self._is_invalid = False
            return
        self._is_invalid = True
        text = _("Line {line}: {reason}").format(line=found.range.start.line, reason=found.message)
        self._bar.set_lasting(LineText(text, "error", partial(self._problems.show_step_of, found)))
        notices = self._desk.notices
        if self._desk.middle.view != "flow" or not self._desk.settings.opens("banner"):
            notices.settle(_INVALID)
        elif not notices.text:
            notices.show("error", text, ((_("Split"), partial(self._split, found)),), about=_INVALID)

    def _split(self, found: Diagnostic) -> None:
        self._desk.wish(ShowSource(found.file, Span(found.range.start.offset, found.range.end.offset), focus=True))


def _first_error(document: Document) -> Diagnostic | None:
    here = [each for each in document.diagnostics if each.file == document.path and each.severity == "error"]
    return min(here, key=lambda found: (found.code != SYNTAX, found.range.start.offset), default=None)


class HintsFeature(QObject, Feature):
    """One line in the bottom bar, once for ever: what to do with the first of a kind."""

    facts: ClassVar[frozenset[Fact]] = frozenset({"selection"})

    def __init__(self, desk: Desk, layout_turned: SignalInstance) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._document: Document | None = None
        layout_turned.connect(self._turned)

    def set_document(self, document: Document | None) -> None:
        """Follow another document, or none."""
        self._document = document
        if document is not None and self._desk.settings.take_hint("panels"):
            keys = [shown_keys(self._desk.actions[each].shortcut()) for each in ("side-panel", "bottom-panel")]
            self._desk.notices.done(_("Panels: {keys}").format(keys=_(", ").join(keys)))

    def refresh(self, changed: frozenset[Fact]) -> None:
        """Show what changed."""
        del changed  # it is the selection
        if self._document is not None and len(self._document.selection.steps) > 1:
            text = _("Several selected: edit all in the inspector, align and group them by the menu {menu}.")
            self._show("several", text)

    def _turned(self, layout: str) -> None:
        if layout == "debug":
            keys = shown_keys(self._desk.actions["run-step"].shortcut())
            self._show("run", _("{keys} runs a step; Stop brings the panels back."), keys)

    def _show(self, hint: str, text: str, keys: str = "") -> None:
        if self._desk.settings.take_hint(hint):
            menu = plain_title(dict(MENUS)["flow"]())
            self._desk.notices.done(text.format(menu=menu, keys=keys))


def _health_of(document: Document) -> tuple[str, str]:
    """The findings as a short line, and the colour token of the worst."""
    if not document.checked:
        return _("checking…"), "section"
    return health_text(Counter(diagnostic.severity for diagnostic in document.diagnostics))


def health_text(found: Counter[str]) -> tuple[str, str]:
    """How many findings there are of each severity as a short line, and the colour token of the worst."""
    parts = list(counted(found["error"], found["warning"], found["info"]))
    token = "error" if found["error"] else "warning" if found["warning"] else "closure"
    return _(", ").join(parts) or _("no problems"), token


def _problems(found: list[Diagnostic]) -> list[Problem]:
    """What the linter reports, the worst first."""
    ordered = sorted(found, key=lambda each: RANK[each.severity])
    return [Problem(each.pointer or "", each.severity, f"{each.code}  {each.message}") for each in ordered]


def _configured_runtime(flow: Flow) -> str | None:
    """The runtime that is set for a piece."""
    if flow.format != "takt":
        return None
    from stepflow_gui.lint.config.config import Configs  # most files are of other formats

    path = flow.document.path
    return Configs().of(path).runtime(path, flow.format)
