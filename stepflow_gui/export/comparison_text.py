"""A comparison as lines to read: a block a step, then entries, registry and files. What edges show isn't repeated."""

from collections import Counter
from collections.abc import Iterable, Iterator

from stepflow_gui.flow.comparison.flows import EdgeChange, EntryChange, FlowComparison, StepChange
from stepflow_gui.flow.comparison.values import FieldChange
from stepflow_gui.flow.model import Move, Step, moves_of
from stepflow_gui.formats.step_card import kind_word
from stepflow_gui.lint.report.json_text import json_text
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.comparison import AgentComparison, FileDifference
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join, parent

SIGNS = {"added": "+", "removed": "-", "changed": "~", "renamed": "»"}
_COLORS = {"+": "32", "-": "31", "~": "33", "»": "36"}
_LONGEST = 60  # characters of a value
_IN = "    "


def comparison_lines(comparison: AgentComparison, title: str, *, color: bool) -> Iterator[str]:
    """The lines; a single message if nothing differs."""
    paint = _Paint(color)
    yield paint.bold(printable(title))
    if comparison.same:
        yield _same(comparison)
        return
    flow = comparison.flow
    if flow is not None:
        yield from _flow_lines(flow, paint)
    for change in comparison.files:
        yield from _file_lines(change, paint, alone=flow is None)
    yield ""
    yield printable(_(", ").join(_summary(comparison)))


def _same(comparison: AgentComparison) -> str:
    if comparison.formatting and comparison.flow is not None:
        return _("No difference in the flow: only the formatting differs")
    if comparison.formatting:
        return _("No difference: only the formatting differs")
    return _("No difference in the flow") if comparison.flow is not None else _("No difference")


def _flow_lines(flow: FlowComparison, paint: "_Paint") -> Iterator[str]:
    shown = {edge.step for edge in flow.edges}
    edges: dict[str, list[EdgeChange]] = {}
    for edge in flow.edges:
        edges.setdefault(edge.step, []).append(edge)
    for step in flow.steps:
        yield from _step_lines(
            step, edges.get(step.id, []), paint, hashed="checks" in {flow.old.format, flow.new.format}
        )
        shown.discard(step.id)
    for step_id, changes in edges.items():
        if step_id in shown:  # the order of the steps alone makes these changes
            yield paint.signed("~", printable(step_id))
            yield from _edge_lines(changes, paint)
    if flow.entries:
        yield _("Entries")
        yield from (paint.signed(SIGNS[entry.kind], _entry_text(entry), _IN) for entry in flow.entries)
    shown_in_entries = {pointer for entry in flow.entries for pointer in _entry_pointers(flow, entry)}
    rest = [change for change in flow.others if not change.follows and change.pointer not in shown_in_entries]
    fields = list(_field_lines(rest, "", paint))
    if fields:
        yield _("Registry")
        yield from fields
    following = sum(change.follows and change.kind == "changed" for change in flow.fields)
    if following:
        text = ngettext("{count} reference follows", "{count} references follow", following)
        yield paint.signed("»", text.format(count=following))


def _step_lines(step: StepChange, edges: list[EdgeChange], paint: "_Paint", *, hashed: bool = False) -> Iterator[str]:
    """A step's block; where ids are `hashed` its name is shown too."""
    shown = step.step
    sign = SIGNS[step.kind]
    if step.kind == "renamed" and step.old and step.new:
        yield paint.signed(sign, printable(f"{step.old.id} → {step.new.id}"))
    elif step.kind == "changed":
        name = _("“{name}”").format(name=shown.title) if hashed and shown.title != shown.id else ""
        yield paint.signed(sign, printable(_(", ").join(filter(None, (shown.id, name)))))
    else:
        yield paint.signed(sign, printable(_(", ").join(filter(None, (shown.id, _about(shown))))))
        for move in moves_of(shown):
            yield paint.signed(sign, printable(f"{_intent_text(move.intent, move.case)} → {_target_text(move)}"), _IN)
        return
    yield from _edge_lines(edges, paint)
    in_edges = {place for edge in edges for move in (edge.old, edge.new) if move for place in _pointers_of(move)}
    fields = [change for change in step.fields if not change.follows and change.pointer != f"{shown.pointer}/stepId"]
    for change in _leaves(fields, in_edges):
        yield from _field_lines([change], shown.pointer, paint, step.old.pointer if step.old else "")


def _about(step: Step) -> str:
    kind = (kind_word(step) if step.kind else "") or (_("prompt section") if step.is_section else "")
    return _(", ").join(filter(None, (kind, _("“{name}”").format(name=step.title) if step.title != step.id else "")))


def _edge_lines(edges: Iterable[EdgeChange], paint: "_Paint") -> Iterator[str]:
    for edge in edges:
        label = _intent_text(edge.intent, edge.case)
        if edge.kind == "changed" and edge.old and edge.new:
            text = _("{way} → {step} (was {before})").format(
                way=label, step=_target_text(edge.new), before=_target_text(edge.old)
            )
        else:
            move = edge.new or edge.old
            assert move is not None
            text = f"{label} → {_target_text(move)}"
        yield paint.signed(SIGNS[edge.kind], printable(text), _IN)


def _intent_text(intent: str, case: str | None) -> str:
    return intent if case is None else f"{intent} [{case}]"


def _target_text(move: Move) -> str:
    target = _("the end") if move.target is None else move.target
    return target if move.limit is None else _("{step} (max {count})").format(step=target, count=move.limit)


def _entry_text(entry: EntryChange) -> str:
    key = _("entry") if entry.key is None else entry.key
    if entry.continuation:
        key = _("{entry} (continuation)").format(entry=key)
    old, new = entry.old or "–", entry.new or "–"
    if entry.kind == "changed":
        return printable(_("{way} → {step} (was {before})").format(way=key, step=new, before=old))
    return printable(f"{key} → {new if entry.kind == 'added' else old}")


def _entry_pointers(flow: FlowComparison, entry: EntryChange) -> Iterator[str]:
    for side in (flow.old, flow.new):
        for each in side.entries:
            if (each.key, each.continuation) == (entry.key, entry.continuation):
                yield each.pointer


def _pointers_of(move: Move) -> Iterator[str]:
    """Where a transition is written: its target, or the rule that names none and the target in it."""
    yield move.pointer
    yield join(move.pointer, "target")


def _leaves(fields: Iterable[FieldChange], shown: set[str]) -> Iterator[FieldChange]:
    """The fields that no edge shows; of an added or removed object that edges show in part, the other members."""
    around = {above for place in shown for above in _above(place)}
    stack = list(fields)[::-1]
    while stack:
        change = stack.pop()
        value = change.new if change.kind == "added" else change.old
        if change.pointer in shown and not isinstance(value, dict):
            continue
        if change.kind in {"added", "removed"} and isinstance(value, dict) and change.pointer in shown | around:
            stack += [_member(change, key, inner) for key, inner in reversed(value.items())]
        else:
            yield change


def _member(change: FieldChange, key: str, value: JsonValue) -> FieldChange:
    place = join(change.pointer, key)
    if change.kind == "added":
        return change._replace(new_pointer=place, new=value)
    return change._replace(old_pointer=place, old=value)


def _above(pointer: str) -> Iterator[str]:
    while pointer:
        pointer = parent(pointer)
        yield pointer


def _field_lines(
    fields: Iterable[FieldChange], start: str, paint: "_Paint", old_start: str | None = None
) -> Iterator[str]:
    for change in fields:
        begin = start if change.new_pointer is not None or old_start is None else old_start
        place = _shortened(change.pointer.removeprefix(begin).removeprefix("/") or "/", 2 * _LONGEST)
        match change.kind:
            case "added":
                text = f"{place}  {_value(change.new)}"
            case "removed":
                text = f"{place}  {_value(change.old)}"
            case "renamed":
                text = f"{place}  ({change.old})"
            case "changed":
                text = f"{place}  {_value(change.old)} → {_value(change.new)}"
        yield paint.signed(SIGNS[change.kind], printable(text), _IN)


def _value(value: JsonValue) -> str:
    try:
        text = json_text(value)
    except RecursionError:
        return "…"
    return _shortened(text, _LONGEST)


def _shortened(text: str, longest: int) -> str:
    half = longest // 2
    return text if len(text) <= longest else f"{text[:half]}…{text[-half:]}"


def _file_lines(change: FileDifference, paint: "_Paint", *, alone: bool) -> Iterator[str]:
    if not alone or change.kind != "changed":  # the title names it
        about = _(", ").join(filter(None, (change.path, *_of_file(change))))
        yield paint.signed(SIGNS[change.kind], printable(about))
    yield from _field_lines(change.fields, "", paint)


def _of_file(change: FileDifference) -> Iterator[str]:
    yield {"schema": _("schema"), "prompt": _("prompt")}.get(change.role, "")
    if change.lines is not None:
        yield _("lines: +{added} −{removed}").format(added=change.lines[0], removed=change.lines[1])


def _summary(comparison: AgentComparison) -> Iterator[str]:
    flow = comparison.flow
    if flow is not None:
        count = Counter(step.kind for step in flow.steps)
        if n := count["added"]:
            yield ngettext("{count} step added", "{count} steps added", n).format(count=n)
        if n := count["removed"]:
            yield ngettext("{count} step removed", "{count} steps removed", n).format(count=n)
        if n := count["changed"]:
            yield ngettext("{count} step changed", "{count} steps changed", n).format(count=n)
        if n := count["renamed"]:
            yield ngettext("{count} step renamed", "{count} steps renamed", n).format(count=n)
        if n := len(flow.edges):
            yield ngettext("{count} transition differs", "{count} transitions differ", n).format(count=n)
        if n := len(flow.fields):
            yield ngettext("{count} field differs", "{count} fields differ", n).format(count=n)
    if n := len(comparison.files):
        yield ngettext("{count} file differs", "{count} files differ", n).format(count=n)


class _Paint:
    def __init__(self, color: bool) -> None:
        self._color = color

    def bold(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if self._color else text

    def signed(self, sign: str, text: str, before: str = "") -> str:
        line = f"{before}{sign} {text}"
        return f"\x1b[{_COLORS[sign]}m{line}\x1b[0m" if self._color else line
