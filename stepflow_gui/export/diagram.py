"""A flow as plain nodes and links, for formats that lay out by themselves. One link for each transition."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from stepflow_gui.flow.entry_regions import regions
from stepflow_gui.flow.layout import NodeId
from stepflow_gui.flow.layout.captions import visible
from stepflow_gui.flow.layout.dimensions import entry_label, label_of
from stepflow_gui.flow.model import Flow, Move, Step
from stepflow_gui.formats.climpt.eras import guide_for
from stepflow_gui.formats.step_card import kind_of
from stepflow_gui.formats.takt.card import is_good_end
from stepflow_gui.messages import _
from stepflow_gui.run.machine.closure_checks import ClosureValidation, MatchedFailure, failure_of, validation_for

BAD_END = "bad"
Shape = Literal["step", "end", "ghost", "check", "pattern", "prompt"]


class DiagramNode(NamedTuple):
    """`name` is unique and plain (`n0`); `kind` the step's, or "section", or empty; of a bad end BAD_END."""

    name: str
    shape: Shape
    text: str
    kind: str = ""
    is_entry: bool = False


class Link(NamedTuple):
    """From one node to another by their names; links of checks, and those never taken, aren't transitions."""

    source: str
    target: str
    label: str
    is_transition: bool = True


class Group(NamedTuple):
    """Steps that stand apart: those of one of several entries, and prompt sections."""

    title: str
    nodes: tuple[str, ...]


class Diagram(NamedTuple):
    """All of it, in file order."""

    title: str
    nodes: tuple[DiagramNode, ...]
    links: tuple[Link, ...]
    groups: tuple[Group, ...]


def diagram_of(flow: Flow, verdict: str | None = None, *, checks: bool = True) -> Diagram:
    """The diagram. `checks`: what is validated before a step closes is between it and the end, as in the guide."""
    return _DiagramBuilder(flow, verdict, checks=checks).drawn()


class _DiagramBuilder:
    def __init__(self, flow: Flow, verdict: str | None, *, checks: bool) -> None:
        self._flow = flow
        self._verdict = verdict
        self._checks = checks
        self._nodes: dict[tuple[str, ...], DiagramNode] = {}
        self._links: list[Link] = []
        self._entries: dict[str, list[str | None]] = {}
        for entry in flow.entries:
            if entry.target:
                self._entries.setdefault(entry.target.value, []).append(entry.key)

    def drawn(self) -> Diagram:
        for step in self._flow.steps.values():
            self._node(("step", step.id), "step", self._text(step), kind_of(step), is_entry=step.id in self._entries)
        for target in self._entries:
            self._of_step(target)
        for move in self._flow.moves():
            validation = self._validation(move)
            if validation is not None:
                self._check(self._flow.steps[move.step], validation)
            else:
                self._transition(move)
        title = self._flow.agent_id.value if self._flow.agent_id else ""
        return Diagram(visible(title), tuple(self._nodes.values()), tuple(self._links), tuple(self._groups()))

    def _transition(self, move: Move) -> None:
        source = self._of_step(move.step)
        target = self._end(move.end) if move.target is None else self._of_step(move.target)
        if move.asks and target != source:  # the step runs again; its target is only shown
            self._link(source, source, label_of(move))
            self._link(source, target, label_of(move.without_asking()), is_transition=False)
        else:
            self._link(source, target, label_of(move))

    def _node(self, key: tuple[str, ...], shape: Shape, text: str, kind: str = "", *, is_entry: bool = False) -> str:
        if key not in self._nodes:
            self._nodes[key] = DiagramNode(f"n{len(self._nodes)}", shape, visible(text), kind, is_entry)
        return self._nodes[key].name

    def _text(self, step: Step) -> str:
        """The id, as the guide has it; in checks, where ids are hashes, after the name."""
        if step.subs:
            return _("{step}: {names}").format(step=step.id, names=_(", ").join(sub.id for sub in step.subs))
        named = self._flow.format == "checks" and step.title != step.id
        return f"{step.title} ({step.id})" if named else step.id

    def _of_step(self, step: str) -> str:
        return self._node(("step", step), "ghost", step)

    def _end(self, word: str = "") -> str:
        kind = "" if is_good_end(word) else BAD_END
        return self._node(("end", word), "end", word or _("End"), kind)

    def _link(self, source: str, target: str, label: str, *, is_transition: bool = True) -> None:
        self._links.append(Link(source, target, label, is_transition))

    def _validation(self, move: Move) -> ClosureValidation | None:
        """What is checked before a transition to the end is taken; None for others, or if nothing is."""
        if not self._checks or move.target is not None or move.intent != "closing":
            return None
        found = validation_for(self._flow, move.step, self._verdict, guide_for(self._flow.format))
        return found if found is not None and found.validators else None

    def _check(self, step: Step, validation: ClosureValidation) -> None:
        """The validators one after the other; a failure goes over its pattern and prompt back to the work."""
        names = [
            self._node(("check", step.id, str(number)), "check", f"{validator}?")
            for number, validator in enumerate(validation.validators)
        ]
        for number, (name, validator) in enumerate(zip(names, validation.validators, strict=True)):
            if number == 0:
                label = _("validator: {name}").format(name=visible(validator))
                self._link(self._of_step(step.id), name, label)
            target = names[number + 1] if number + 1 < len(names) else self._end()
            self._link(name, target, _("pass"), is_transition=False)
            if validation.action == "abort":
                self._link(name, self._end(), _("fail"), is_transition=False)
            else:
                self._retry(step, number, name, failure_of(self._flow, validator, "", guide_for(self._flow.format)))

    def _retry(self, step: Step, number: int, name: str, failure: MatchedFailure | None) -> None:
        label = _("fail")
        if failure is not None:
            text = _("failure pattern: {name}").format(name=failure.name)
            pattern = self._node(("pattern", step.id, str(number)), "pattern", text)
            self._link(name, pattern, label, is_transition=False)
            name, label = pattern, ""
            if failure.known:
                file = prompt_name(self._flow, failure)
                prompt = self._node(
                    ("prompt", step.id, str(number)), "prompt", _("retry with {file}").format(file=file)
                )
                named = (("edition", failure.edition), ("adaptation", failure.adaptation))
                chosen = ", ".join(f"{key}={visible(value)}" for key, value in named if value is not None)
                self._link(name, prompt, chosen, is_transition=False)
                name = prompt
        for back in self._work_before(step):
            self._link(name, self._of_step(back), label, is_transition=False)

    def _work_before(self, step: Step) -> list[str]:
        """Where a retry goes on, as the guide draws it: at the steps that hand off here, else at the step itself."""
        found = [move.step for move in self._flow.moves() if move.target == step.id and move.intent == "handoff"]
        return list(dict.fromkeys(found)) or [step.id]

    def _groups(self) -> Iterator[Group]:
        steps = [NodeId("step", step) for step in self._entries if step in self._flow.steps]
        of_step = regions(self._flow, steps)
        for number, entry in enumerate(steps):
            inside = tuple(self._of_step(step) for step, region in of_step.items() if region == number)
            if inside:
                yield Group(entry_label(self._entries[entry.name]), inside)
        sections = tuple(self._of_step(step.id) for step in self._flow.steps.values() if step.is_section)
        if sections:
            yield Group(_("Prompt sections"), sections)


def prompt_name(flow: Flow, failure: MatchedFailure) -> str:
    """The file name of the retry prompt that a failure pattern selects."""
    root = flow.document.root.value if flow.document.root else {}
    key = "pathTemplate" if failure.adaptation else "pathTemplateNoAdaptation"
    usual = "f_{edition}_{adaptation}.md" if failure.adaptation else "f_{edition}.md"
    template = root.get(key) if isinstance(root, dict) else None
    name = (template if isinstance(template, str) and template else usual).rpartition("/")[2]
    return name.replace("{edition}", failure.edition or "failed").replace("{adaptation}", failure.adaptation or "")
