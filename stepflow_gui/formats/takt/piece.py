"""Reads a TAKT piece or workflow into a Flow: movements become steps, their rules transitions in file order.

What a step of a workflow takes from a fragment (`uses`) is read from the fragment's file, where that can be had.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.flow.model import Entry, Flow, LoopMonitor, Step, Text, Transition, Watch
from stepflow_gui.formats.takt.detect import era_of_file
from stepflow_gui.formats.takt.eras import ENDS, INITIALS, TaktEra
from stepflow_gui.formats.takt.fragments import DEEPEST, fragment_files
from stepflow_gui.formats.takt.step_kinds import AGENT, CALL, SYSTEM, kind_of
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

Load = Callable[[Path], ParsedFile | None]
"""Gives a file by its path; None where it can't be had."""

RETURN, WHEN = "return", "when"
OLDER_RULES, OLDER_NEXT = "transitions", "next_step"  # of the first releases
SUB_ALIAS = "step"  # what a sub-step's name may be called in 0.34.0 to 0.35.4
DEFAULT_THRESHOLD = 3
_KINDS = {AGENT: "movement", SYSTEM: "system", CALL: "call"}  # as a flow calls them


class StepPart(NamedTuple):
    """One of the objects that define a step: the file's own, then those of fragments, of lower priority."""

    document: ParsedFile
    node: Node
    pointer: str


class Body:
    """A step combined from its own object and the fragments that it uses."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[StepPart]) -> None:
        self.parts = parts

    @property
    def own(self) -> StepPart:
        """The object in the file itself."""
        return self.parts[0]

    def get(self, key: str) -> StepPart | None:
        """The value of a key, the file's own first."""
        for part in self.parts:
            value = part.node.get(key)
            if value is not None:
                return StepPart(part.document, value, join(part.pointer, key))
        return None


def read_piece(document: ParsedFile, load: Load | None = None) -> Flow:
    """The flow of a piece or workflow. Of movements of one name the first counts, as it does for the runner."""
    return _Reading(document, load).flow()


def subs_of(body: Body) -> Iterator[tuple[Node, str, ParsedFile]]:
    """The objects of a parallel movement's sub-steps, in their order: of dynamic ones `fixed`, then `pool`."""
    found = body.get("parallel")
    if found is None:
        return
    if found.node.kind == "array":
        lists = [found]
    else:
        lists = [each for key in ("fixed", "pool") if (each := _inside(body, "parallel", key))]
    for each in lists:
        for index, item in enumerate(each.node.items()):
            if item.kind == "object":
                yield item, join(each.pointer, index), each.document


def _inside(body: Body, key: str, inner: str) -> StepPart | None:
    for part in body.parts:
        holder = part.node.get(key)
        value = holder.get(inner) if holder else None
        if value is not None:
            return StepPart(part.document, value, join(part.pointer, key, inner))
    return None


def text_of(node: Node, key: str, pointer: str) -> Text | None:
    """The string under a key with its place; None for anything else."""
    value = node.get(key)
    if value is None or not isinstance(value.value, str):
        return None
    return Text(value.value, value.span, join(pointer, key))


def rule_names(conditions: Iterable[str]) -> list[str]:
    """A unique name for each rule of a list: its condition, with a number where an earlier one has it too."""
    names: dict[str, None] = {}
    numbers: dict[str, int] = {}
    for condition in conditions:
        name, number = condition, numbers.get(condition, 1)
        while name in names:
            number += 1
            name = f"{condition} #{number}".lstrip()
        names[name], numbers[condition] = None, number
    return list(names)


class _Reading:
    def __init__(self, document: ParsedFile, load: Load | None) -> None:
        self.document = document
        self.load = load
        self.era: TaktEra = era_of_file(document.root, document.path)

    def flow(self) -> Flow:
        flow = Flow(self.document, "takt")
        root = self.document.root
        if root is None or root.kind != "object":
            return flow
        flow.agent_id = text_of(root, "name", "")
        member = root.member(self.era.steps)
        if member is not None:
            flow.steps_span = member.key_span
            for index, item in enumerate(member.value.items()):
                self._movement(flow, item, join("", self.era.steps, index))
        flow.entries = list(self._entry(root, flow))
        monitors = root.get("loop_monitors")
        for index, item in enumerate(monitors.items() if monitors else ()):
            if item.kind == "object":
                monitor = self._monitor(item, join("/loop_monitors", index))
                flow.monitors.append(monitor)
                first = flow.steps.get(monitor.cycle[0].value) if monitor.cycle else None
                if first is not None:
                    first.watched.append(monitor)
        _mark_cycles(flow)
        return flow

    def _movement(self, flow: Flow, item: Node, pointer: str) -> None:
        body = self.body(item, pointer, self.document)
        step = self._step(body)
        if step is None:
            flow.odd_steps.append(Text("", item.span, pointer))
        elif step.id in flow.steps:
            flow.repeated_steps.append(step)
        else:
            flow.steps[step.id] = step

    def body(self, item: Node, pointer: str, document: ParsedFile) -> Body:
        """An object with the fragments that it uses."""
        parts = [StepPart(document, item, pointer)]
        while len(parts) < DEEPEST:
            used = text_of(parts[-1].node, "uses", "")
            fragment = self._fragment(used.value) if used else None
            root = fragment.root if fragment else None
            if fragment is None or root is None or root.kind != "object" or any(part.node is root for part in parts):
                break
            parts.append(StepPart(fragment, root, ""))
        return Body(parts)

    def _fragment(self, used: str) -> ParsedFile | None:
        if self.load is None:
            return None
        found = map(self.load, fragment_files(self.document.path, self.era.file_kind, used))
        return next((document for document in found if document is not None), None)

    def _step(self, body: Body, *, sub: bool = False) -> Step | None:
        name = self._name(body, sub=sub)
        own = body.own
        if name is None or own.node.kind != "object":
            return None
        step = Step(name.value, name.span, own.node, own.pointer)
        rules, of_subs = self._rules(body)
        for item, pointer, document in subs_of(body):
            part = self._step(self.body(item, pointer, document), sub=True)
            if part is not None:
                given = of_subs.get(part.id) if of_subs else None
                if given is not None:
                    part.transitions = list(_transitions(given))
                step.subs.append(part)
        step.kind = _kind(body, bool(step.subs))
        step.unread = body.parts[-1].node.get("uses") is not None
        if rules is not None:
            step.transitions_node = rules.node
            step.transitions = list(_transitions(rules))
        return step

    def _name(self, body: Body, *, sub: bool) -> Text | None:
        """A step's name; without one the last part of the fragment's path."""
        own = body.own
        name = body.get("name") or (body.get(SUB_ALIAS) if sub else None)
        if name is not None:
            if not isinstance(name.node.value, str) or not name.node.value:
                return None
            here = name.document is own.document
            return Text(name.node.value, name.node.span if here else _first_line(own.node, own.document), name.pointer)
        used = text_of(own.node, "uses", own.pointer)
        return used.worded(used.value.rstrip("/").rpartition("/")[2]) if used and used.value else None

    def _rules(self, body: Body) -> tuple[StepPart | None, dict[str, StepPart]]:
        """The step's own rules, and those for sub-steps that a fragment brings."""
        rules = body.get("rules") or body.get(OLDER_RULES)
        if rules is None or rules.node.kind != "object":
            return rules, {}
        own, of_subs = rules.node.get("self"), rules.node.get("parallel")
        document, pointer = rules.document, rules.pointer
        return (
            StepPart(document, own, join(pointer, "self")) if own else None,
            {
                member.key: StepPart(document, member.value, join(pointer, "parallel", member.key))
                for member in (of_subs.members() if of_subs else ())
            },
        )

    def _entry(self, root: Node, flow: Flow) -> Iterator[Entry]:
        """Where a run begins: as defined in the file, else with the first movement."""
        named = root.member(self.era.initial) or next(filter(None, map(root.member, INITIALS)), None)
        if named is not None:
            pointer = join("", named.key)
            target = text_of(root, named.key, "")
            yield Entry(None, target, named.key_span, named.value.span, pointer)
        elif flow.steps:
            first = next(iter(flow.steps.values()))
            yield Entry(
                None, Text(first.id, first.key_span, first.pointer), first.key_span, first.key_span, first.pointer
            )

    def _monitor(self, node: Node, pointer: str) -> LoopMonitor:
        cycle = _texts(node.get("cycle"), join(pointer, "cycle"))
        judged = node.get("judge")
        judge = None
        if judged is not None and judged.kind == "object":
            where = join(pointer, "judge")
            judge = Step("_loop_judge_" + "_".join(text.value for text in cycle), judged.span, judged, where)
            judge.kind = "movement"
            rules = judged.get("rules")
            if rules is not None:
                judge.transitions_node = rules
                judge.transitions = list(_transitions(StepPart(self.document, rules, join(where, "rules"))))
        threshold = node.get("threshold")
        value = threshold.value if threshold else DEFAULT_THRESHOLD
        counts = isinstance(value, int) and not isinstance(value, bool) and value > 0
        ignored = _texts(node.get("ignore_steps"), join(pointer, "ignore_steps"))
        return LoopMonitor(cycle, value if counts else None, judge, ignored, node, pointer)


def _mark_cycles(flow: Flow) -> None:
    """Mark the rules that go round a watched cycle."""
    watched_moves: dict[tuple[str, str], list[Watch]] = {}
    for monitor in flow.monitors:
        names = tuple(text.value for text in monitor.cycle)
        watch = Watch(names, monitor.threshold, tuple(_judged(monitor.judge)))
        for pair in dict.fromkeys(zip(names, (*names[1:], *names[:1]), strict=True)):
            watched_moves.setdefault(pair, []).append(watch)
    for step_id in dict.fromkeys(step_id for step_id, _target in watched_moves):
        step = flow.steps.get(step_id)
        for at, rule in enumerate(step.transitions if step is not None else ()):
            found = (
                watched_moves.get((step_id, rule.target.value)) if rule.target is not None and not rule.asks else None
            )
            if step is not None and found:
                step.transitions[at] = rule._replace(watched=tuple(found))


def _judged(judge: Step | None) -> Iterator[tuple[str, str]]:
    for rule in judge.transitions if judge is not None else ():
        yield rule.as_written, rule.target.value if rule.target is not None else rule.end


def _kind(body: Body, parallel: bool) -> str:
    if parallel:
        return "parallel"
    parts = ((key, body.get(key)) for key in ("kind", "mode", "call"))
    return _KINDS[kind_of({key: part.node.value for key, part in parts if part is not None})]


def _transitions(rules: StepPart) -> Iterator[Transition]:
    """The rules of a list as transitions, each labelled by its condition. What is not an object is none."""
    listed = [(item, join(rules.pointer, index)) for index, item in enumerate(rules.node.items())]
    listed = [each for each in listed if each[0].kind == "object"]
    conditions = [_condition(item, pointer) for item, pointer in listed]
    names = rule_names(condition.value if condition else "" for condition in conditions)
    for (item, pointer), condition, name in zip(listed, conditions, names, strict=True):
        full_text = condition.value if condition else ""
        transition = Transition(
            name,
            condition.span if condition else item.span,
            item,
            pointer,
            asks=_on(item, "requires_user_input"),
            interactive=_on(item, "interactive_only"),
            condition_text=full_text if full_text != name else None,
        )
        target = text_of(item, "next", pointer) or text_of(item, OLDER_NEXT, pointer)
        if target is not None and target.value in ENDS:
            transition = transition._replace(terminal=True, end=target.value)
        elif target is not None and target.value:
            transition = transition._replace(target=target)
        elif text_of(item, RETURN, pointer) is not None:
            transition = transition._replace(terminal=True, end=RETURN)
        yield transition


def _condition(rule: Node, pointer: str) -> Text | None:
    """A rule's condition; TAKT 0.36 to 0.52 also take an expression of its own in its place."""
    expression = None if rule.get("condition") is not None else text_of(rule, WHEN, pointer)
    return expression.worded(f"when({expression.value})") if expression else text_of(rule, "condition", pointer)


def _on(node: Node, key: str) -> bool:
    value = node.get(key)
    return value is not None and value.value is True


def _texts(node: Node | None, pointer: str) -> tuple[Text, ...]:
    return tuple(
        Text(item.value, item.span, join(pointer, index))
        for index, item in enumerate(node.items() if node else ())
        if isinstance(item.value, str)
    )


def _first_line(node: Node, document: ParsedFile) -> Span:
    line = document.source.text[node.start : node.end].partition("\n")[0].rstrip()
    return Span(node.start, node.start + len(line))
