"""What a key, a value or a variable is about: what its field means, and what is known of the thing it names."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from stepflow_gui.flow.model import Move, Step, moves_of
from stepflow_gui.formats.climpt.prompts import variable_name
from stepflow_gui.formats.climpt.validation import PATTERN_HOLDERS, STEP_HOLDERS
from stepflow_gui.formats.step_card import kind_name
from stepflow_gui.formats.tables import table_of_flow
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.assist.cursor_place import spot_at
from stepflow_gui.project.assist.cursor_target import CursorTarget, TargetKind
from stepflow_gui.project.assist.definitions import defined_at
from stepflow_gui.project.assist.go_to import transitions_to, why_no_definition
from stepflow_gui.project.assist.piece_targets import entry_hover
from stepflow_gui.project.assist.target_lookup import target_at
from stepflow_gui.project.assist.variables import VariablePlace, steps_showing, variables_of
from stepflow_gui.text.document import AnyDocument, ParsedFile
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

_MOST = 6  # of what is listed


class Hover(NamedTuple):
    """The description of a place: its span, its name and its lines."""

    span: Span
    name: str
    lines: tuple[str, ...]
    is_defined: bool = True  # where it is a name, that something has it


def about(agent: AgentFolder, file: AnyDocument, offset: int) -> Hover | None:
    """What is at an offset, in the language in use; None if nothing is known about it."""
    file = agent.registry if file.path == agent.registry.path else file  # a piece may have come as plain text
    spot = spot_at(agent, file, offset) if isinstance(file, ParsedFile) else None
    subject = target_at(agent, file, offset)
    field = spot.field.worded_for(table_of_flow(agent.flow)[1]) if spot is not None and spot.field is not None else None
    lines = [field.meaning()] if field is not None else []
    if subject is not None:
        lines += _DESCRIPTIONS[subject.kind](agent, subject) if subject.kind in _DESCRIPTIONS else []
    lines = [line for line in dict.fromkeys(lines) if line]
    if not lines:
        return None
    if subject is not None:
        return Hover(subject.span, subject.name, tuple(lines), bool(defined_at(agent, subject)))
    assert spot is not None
    return Hover(spot.span, spot.text if spot.is_key else "", tuple(lines))


def _step(agent: AgentFolder, subject: CursorTarget) -> Iterator[str]:
    flow = agent.flow
    of_movements = table_of_flow(flow)[1] == "piece"
    step = flow.steps.get(subject.name)
    if step is None:
        missing = _("There is no movement “{step}”") if of_movements else _("There is no step “{step}”")
        yield missing.format(step=subject.name)
        return
    kind = kind_name(step)
    yield _("{kind}: {name}").format(kind=kind, name=step.title) if step.title != step.id else kind
    keys = [each.key or "entryStep" for each in flow.entries if each.target and each.target.value == step.id]
    if keys and flow.format == "takt":
        yield _("A run begins here")
    elif keys:
        yield _("Entry: {names}").format(names=_listed(keys))
    come = [f"{other.id} ({intents})" for other, intents in transitions_to(agent, step.id)]
    if come:
        yield _("Comes from: {names}").format(names=_listed(come))
    elif not keys and not step.is_section:
        yield _("No transition goes here")
    go = [
        f"{move.intent}{f' {move.case}' if move.case else ''} → {move.target or move.end or _('the end')}"
        for move in moves_of(step)
    ]
    if go:
        yield _("Goes to: {names}").format(names=_listed(go))


def _target_text(move: Move) -> str:
    return f"{move.intent} {move.case}" if move.case else move.intent


def _intent(agent: AgentFolder, subject: CursorTarget) -> Iterator[str]:
    step = agent.flow.steps.get(subject.step or "")
    if step is None:
        return
    go = [move.target or move.end or _("the end") for move in moves_of(step) if move.intent == subject.name]
    if go:
        yield _("Goes to: {names}").format(names=_listed(list(dict.fromkeys(go))))
    if step.gate is None:
        return
    schema = agent.schema(step)
    there = {
        _("the schema’s enum"): schema.enum_place is None or any(each.value == subject.name for each in schema.intents),
        "allowedIntents": step.gate.allows(subject.name),
        "transitions": step.transition(subject.name) is not None,
    }
    missing = [name for name, has in there.items() if not has]
    if missing:
        yield _("Missing in {names}").format(names=_listed(missing))
    else:
        yield _("In the schema’s enum, in allowedIntents and in transitions alike")


def _member_of(*holders: str) -> "Describe":
    """The description or command, and how it succeeds."""

    def described(agent: AgentFolder, subject: CursorTarget) -> Iterator[str]:
        node = next(
            (found for holder in holders if (found := agent.registry.tree.at(join("", holder, subject.name)))), None
        )
        if node is None:
            yield _("Nothing defines “{name}”").format(name=subject.name)
            return
        for key in ("name", "description", "command", "path", "successWhen", "failurePattern", "adaptation"):
            value = node.get(key)
            if value is not None and isinstance(value.value, str) and value.value:
                yield value.value if key in {"name", "description"} else f"{key}: {value.value}"

    return described


def _schema(agent: AgentFolder, subject: CursorTarget) -> Iterator[str]:
    for place in defined_at(agent, subject):
        if isinstance(place.document, ParsedFile) and (node := place.document.tree.at(place.pointer)) is not None:
            described = node.get("description")
            if described is not None and isinstance(described.value, str):
                yield described.value
        users = [step.id for step in agent.flow.steps.values() if _has_schema(agent, step, place)]
        if users:
            yield _("The answers of {names} follow it").format(names=_listed(users))
        return
    yield _("Nothing defines “{name}”").format(name=subject.name)


def _has_schema(agent: AgentFolder, step: Step, found: VariablePlace) -> bool:
    place = agent.schema(step).place if step.schema_ref else None
    return place is not None and place.pointer == found.pointer and place.document.path == found.document.path


def _linked(agent: AgentFolder, subject: CursorTarget) -> Iterator[str]:
    """The file, or what it holds at a pointer."""
    place = next(iter(defined_at(agent, subject)), None)
    if place is None:
        yield why_no_definition(agent, subject.file, subject.span.start + 1)
        return
    path = place.document.path
    shown = path.relative_to(agent.root).as_posix() if path.is_relative_to(agent.root) else path.name
    yield f"{shown}#{place.pointer}" if place.pointer else shown
    step = agent.flow.steps.get(subject.step or "")
    if subject.kind == "enum" and step is not None:
        yield _listed([str(each.value) for each in agent.schema(step).intents])


def _variable(agent: AgentFolder, subject: CursorTarget) -> Iterator[str]:
    own = agent.flow.steps.get(subject.step or "")
    steps = [own] if own and subject.is_of_json else steps_showing(agent, subject.file.path)
    if not steps and subject.is_of_json:
        steps = list(agent.flow.steps.values())
    name = variable_name(subject.name)
    yield next(
        (each.detail for each in variables_of(agent, steps) if each.name == name),
        _("Nothing gives the variable “{name}”").format(name=name),
    )


def _verdict(agent: AgentFolder, subject: CursorTarget) -> Iterator[str]:
    entry = agent.flow.entry_target(subject.name)
    if entry is not None:
        yield _("A run begins with {step}").format(step=entry)


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MOST])
    rest = len(names) - _MOST
    if rest <= 0:
        return shown
    return ngettext("{names} and {count} more", "{names} and {count} more", rest).format(names=shown, count=rest)


Describe = Callable[[AgentFolder, CursorTarget], Iterator[str]]
_DESCRIPTIONS: dict[TargetKind, Describe] = {
    "step": _step,
    "validation-step": _member_of(*STEP_HOLDERS),
    "intent": _intent,
    "validator": _member_of("validators"),
    "failure-pattern": _member_of(*PATTERN_HOLDERS),
    "schema": _schema,
    "schema-file": _linked,
    "schema-reference": _linked,
    "enum": _linked,
    "prompt": _linked,
    "file": _linked,
    "variable": _variable,
    "verdict": _verdict,
    "section-entry": entry_hover,
}
