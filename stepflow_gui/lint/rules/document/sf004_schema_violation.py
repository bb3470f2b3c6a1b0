"""SF004 schema-violation.

What it does: reports values of a type that their field can't have, or outside its choices, the fields that every
registry needs, and transitions that are neither a target nor a condition with its targets.

Why is this bad: the runner reads such a value as absent, or stops. Each finding says which, for the chosen version: an
error where it refuses the file or a run stops, else a warning. It tolerates a wrong `name`, `edition`,
`uvVariables` and `usesStdin`, and does without; `climpt --validate` refuses these as well. Without `uvVariables`
climpt 2026-04-01 and 2026-04-08 make no prompt and stop at a step that isn't closure, and climpt 2026-03-14 shows
another prompt than the step's own, or stops where it has none. A `stepKind` that doesn't exist makes loading fail where
the step has a gate. climpt 1.14 (a pre-release) tolerates none of these at any start. Since 2026-04-01 an input that
can never have a value ends the run.

Fix: give the field a value of its type.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from stepflow_gui.formats.climpt.validation import LATER_TYPES, validator_types
from stepflow_gui.formats.fields import Shape, choice
from stepflow_gui.formats.tables import registry_fields
from stepflow_gui.lint.closest_name import is_slip, nearest
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.document.agent_faults import agent_faults
from stepflow_gui.lint.rules.document.input_faults import input_faults
from stepflow_gui.lint.rules.document.json_types import a_kind, expectation
from stepflow_gui.lint.rules.document.needed_fields import (
    Lacking,
    given,
    lacking_addressed,
    lacking_fields,
    lacking_older,
)
from stepflow_gui.lint.rules.document.root_marks import has_marks
from stepflow_gui.lint.rules.document.shape_faults import ShapeFault, faults, nulls
from stepflow_gui.lint.rules.document.transition_faults import TransitionFault, transition_faults
from stepflow_gui.lint.rules.document.value_faults import value_faults
from stepflow_gui.lint.rules.fixes import take_away, write, write_literal
from stepflow_gui.lint.rules.prelude import (
    ADDRESSED,
    DOCUMENT,
    ERROR,
    GATE,
    KINDS,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    _,
    changed,
)
from stepflow_gui.lint.rules.refusals import entry_refused, refused_registry, registry_refused, with_outcome
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.shown import shown
from stepflow_gui.text.json.tree import JsonValue, Node
from stepflow_gui.text.pointer import join, split
from stepflow_gui.text.source import Span

if TYPE_CHECKING:
    from stepflow_gui.lint.rules.document.type_outcomes import Consequence

_STEPS = "steps"
RULE = Rule("SF004", "schema-violation", ERROR, looks_at=DOCUMENT, defers_to=("SF009", "SF010", "SF203"))

BAD = changed({"/steps/initial.issue/transitions/next": "continuation.issue"})
GOOD = changed()

NEEDED = ("agentId", "version")
FALSY = (None, "", 0, False)  # what climpt takes for missing
REFUSED_VALUES = ("kind",)  # outside its choices the loader takes it for a mistake
_OLDER = ("transitions-only", "c3l-flat", "c3l-completion", "flow-array")  # which have the fields of a step as c3l has
OTHERS = (
    "transitions",
    "entryStepMapping",
    "iterations",
)  # what stands in these is judged here by itself, or elsewhere


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """The registry and, for what SF8 doesn't judge, agent.json. Schemas have rules of their own."""
    root = document.root
    if context.format == "takt":
        from stepflow_gui.lint.rules.takt.field_faults import general_faults  # a family of its own

        yield from general_faults(document, context)
        return
    if document is context.folder.agent_document:
        yield from agent_faults(document, context)
    if document is not context.registry or root is None or root.kind == "missing":
        return
    if root.kind != "object":
        message = _("A registry is an object; this file holds {kind}").format(kind=a_kind(root.value))
        yield Finding(message, Span(root.start, min(root.end, root.start + 1)), "")
        return
    yield from _steps_member(root, document, context)
    if context.judged_as in GATE:
        yield from _needed(root, document, context)
    yield from context.by_step(RULE.code, root.value, lambda value: _beside_table(value, document, context))


def _beside_table(value: dict[str, JsonValue], document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    missing: set[str] = set()
    if (context.judged_as in KINDS or context.format in _OLDER) and document.tree.valid:
        of_format = lacking_addressed if context.format in ADDRESSED else lacking_fields
        lacking = [*(lacking_older if context.format in _OLDER else of_format)(value)]
        yield from (_lacking(each, document, context) for each in lacking)
        missing = {join(each.pointer, field) for each in lacking for field in each.fields}
    if context.format == "flow-array":
        yield from _empty_lists(value, document)
    if context.format in ADDRESSED:
        empty = list(_empty_adaptations(value, document))
        missing |= {each.pointer or "" for each in empty}
        yield from empty
    table = registry_fields(context.format)
    odd = context.without_valid_steps(table, value)
    for fault in faults(table, odd, context.format, OTHERS):
        if fault.pointer in {f"/{key}" for key in NEEDED} and value.get(fault.pointer[1:]) in FALSY:
            continue  # reported as empty
        if fault.pointer in missing:
            continue
        yield from _wrong_type(fault, document, context)
    yield from _nulls(table, odd, missing, document, context)
    for fault in value_faults(table, odd, context.format):
        if fault.pointer not in missing:
            yield _outside(fault, document, context)
    yield from _semantic_validators(odd, document, context)
    steps = value.get("steps")
    for key, raw in steps.items() if isinstance(steps, dict) else ():
        if isinstance(raw, dict):
            yield from _step(key, raw, join("/steps", key), document, context)


def _empty_lists(value: dict[str, JsonValue], document: ParsedFile) -> Iterator[Finding]:
    """Tasks without steps, in the shape that lists the steps of each."""
    tasks = value.get("flow")
    for task, steps in tasks.items() if isinstance(tasks, dict) else ():
        if steps == []:
            pointer = join("/flow", task)
            message = _("“{task}” of “flow” lists no step: a run of this task has none to begin with").format(task=task)
            yield Finding(message, _at(document, pointer), pointer, severity=WARNING)


def _nulls(
    table: Shape, value: dict[str, JsonValue], missing: set[str], document: ParsedFile, context: RuleContext
) -> Iterator[Finding]:
    """Null is not text, list or number: only the check on request minds it in a field that may be left out."""
    for pointer in nulls(table, value, context.format):
        keys = split(pointer)
        if pointer in missing or not _is_refused_null(tuple(keys), context):
            continue
        text = _("“{field}” of “{name}” is null: a run treats it as missing, “climpt --validate” ({era}) refuses it")
        if len(keys) < 3:
            text = _("“{field}” is null: a run treats it as missing, “climpt --validate” ({era}) refuses it")
        message = text.format(field=keys[-1], name=keys[1] if len(keys) > 1 else "", era=context.climpt.name)
        title = _("Remove “{word}”").format(word=keys[-1])
        step = keys[1] if keys[0] == "steps" else None
        proposals = take_away(document, [pointer], title)
        yield Finding(message, _at(document, pointer), pointer, step, severity=WARNING, proposals=proposals)


def _is_refused_null(keys: tuple[str, ...], context: RuleContext) -> bool:
    # As for wrong types, what follows is loaded only for a file with such a value.
    from stepflow_gui.lint.rules.document.field_outcomes import is_refused_null
    from stepflow_gui.lint.rules.document.type_outcomes import WrongValue

    return is_refused_null(WrongValue(keys, None, context), registry_fields(context.format))


def _semantic_validators(value: dict[str, JsonValue], document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """A type of the table that the version doesn't know yet."""
    validators = value.get("validators")
    for name, validator in validators.items() if isinstance(validators, dict) else ():
        kind = validator.get("type") if isinstance(validator, dict) else None
        if isinstance(kind, str) and kind in LATER_TYPES and kind not in validator_types(context.climpt):
            pointer = join("/validators", name, "type")
            yield _outside(ShapeFault(pointer, choice(*LATER_TYPES), kind), document, context)


def _empty_adaptations(value: dict[str, JsonValue], document: ParsedFile) -> Iterator[Finding]:
    """An adaptation that is there and names none."""
    steps = value.get("steps")
    for name, raw in steps.items() if isinstance(steps, dict) else ():
        address = raw.get("address") if isinstance(raw, dict) else None
        pointer = join("/steps", name, "address", "adaptation")
        span = document.tree.key_span(pointer)
        if isinstance(address, dict) and address.get("adaptation", "-") in ("", None) and span is not None:
            text = (
                _("The adaptation of “{step}” is null: climpt-1.14 refuses to load the registry; leave it out")
                if address["adaptation"] is None
                else _("The adaptation of “{step}” is empty: climpt-1.14 refuses to load the registry; leave it out")
            )
            title = _("Remove “{word}”").format(word="adaptation")
            proposals = take_away(document, [pointer], title)
            yield Finding(text.format(step=name), span, pointer, step=name, proposals=proposals)


def _at(document: ParsedFile, pointer: str) -> Span:
    node = document.tree.at(pointer)
    assert node is not None
    return node.span


def _steps_member(root: Node, document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    if "steps" not in root.value:
        if document.tree.valid and has_marks(root):
            yield _without_steps(root, document, context)
    elif root.value["steps"] is None and _at(document, "/steps").start < _at(document, "/steps").end:
        yield _no_steps(_("“steps” is null, not an object: {outcome}"), document, context)
    elif root.value["steps"] == {} and context.judged_as in (*GATE, "checks"):
        yield _no_steps(_("“steps” is empty: {outcome}"), document, context)


def _no_steps(message: str, document: ParsedFile, context: RuleContext) -> Finding:
    text = message.format(outcome=entry_refused(context))
    return Finding(text, _at(document, "/steps"), pointer="/steps")


def _without_steps(root: Node, document: ParsedFile, context: RuleContext) -> Finding:
    """Said at a key like it that holds an object, where it is clear which."""
    like = _steps_meant([member.key for member in root.members() if member.value.kind == "object"])
    span = document.tree.key_span(join("", like)) if like else None
    if like is None or span is None:
        message = with_outcome(_("The registry has no “steps”"), entry_refused(context))
        return Finding(message, Span(root.start, root.start + 1), "", lacks=(_STEPS,))
    message = _("The registry has no “steps”. Is it “{key}”?").format(key=like)
    proposals = [write(document, span, _STEPS)]
    return Finding(message, span, join("", like), proposals=proposals, misspelt=True)


def _steps_meant(keys: list[str]) -> str | None:
    """The only key that is a slip away, else the only one like it: a word joined to others is a name of its own."""
    slips = [key for key in keys if is_slip(key, _STEPS)]
    if slips:
        return slips[0] if len(slips) == 1 else None
    alike = [key for key in keys if nearest(_STEPS, [key])]
    if len(alike) > 1:
        alike = [key for key in alike if _STEPS not in key.lower()]
    return alike[0] if len(alike) == 1 else None


def _needed(root: Node, document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    for key in NEEDED:
        if key not in root.value:
            if document.tree.valid:
                message = _("The registry has no “{field}”: {outcome}").format(
                    field=key, outcome=registry_refused(context)
                )
                at = Span(root.start, root.start + 1)
                yield Finding(message, at, "", severity=refused_registry(context), lacks=(key,))
        elif root.value[key] in FALSY:
            wrong = _("“{field}” is empty") if root.value[key] == "" else _("“{field}” must be a string but is {kind}")
            message = with_outcome(wrong.format(field=key, kind=a_kind(root.value[key])), registry_refused(context))
            yield Finding(message, _at(document, f"/{key}"), f"/{key}", severity=refused_registry(context))


def _wrong_type(fault: ShapeFault, document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    keys = split(fault.pointer)
    follows = _consequence(tuple(keys), fault.value, context)
    if follows is None:
        return
    step = keys[1] if len(keys) > 1 and keys[0] == "steps" else None
    if step is not None and len(keys) == 2:
        text = _("The step “{step}” is {kind}, not an object")
    elif step is not None:
        text = _("“{field}” of “{step}” must be {expected} but is {kind}")
    else:
        text = _("“{field}” must be {expected} but is {kind}")
    named = next(key for key in reversed(keys) if not key.isdecimal())
    message = text.format(field=named, step=step, expected=expectation(fault.shape), kind=a_kind(fault.value))
    message = follows.text.replace("{message}", message)
    span = _at(document, fault.pointer)
    proposals = write_literal(document, span, fault.shape.kind, fault.value)
    yield Finding(message, span, fault.pointer, step=step, severity=follows.severity, proposals=proposals)


def _consequence(keys: tuple[str, ...], value: JsonValue, context: RuleContext) -> "Consequence | None":
    # The outcomes are loaded only for a file with such a value.
    from stepflow_gui.lint.rules.document.field_outcomes import consequence_of
    from stepflow_gui.lint.rules.document.type_outcomes import WrongValue

    return consequence_of(WrongValue(keys, value, context), registry_fields(context.format))


def _stops(step: str | None, context: RuleContext) -> bool:
    from stepflow_gui.lint.rules.document.type_outcomes import stops

    return stops(None, step, context)


def _lacking(lacking: Lacking, document: ParsedFile, context: RuleContext) -> Finding:
    """Most are wanted only by the fuller check that runs on request; climpt 1.14 asks for them at each start."""
    step = lacking.name if lacking.pointer.startswith("/steps/") else None
    stopped = "uvVariables" in lacking.fields and _stops(step, context)
    keys = tuple(split(lacking.pointer))
    fatal = [] if lacking.refused or not lacking.name else [_fatal((*keys, field), context) for field in lacking.fields]
    follows = next((each for each in fatal if each is not None), None)
    if follows is not None:
        text = follows.replace("{message}", _("“{name}” has no {fields}"))
    elif stopped:
        text = _("“{name}” has no {fields}: {era} makes no prompt for it, and the run stops there")
    elif lacking.refused:
        text = _("“{name}” has no {fields}: climpt-1.14 refuses to load the registry")
        if not lacking.name:
            text = _("The registry has no {fields}: climpt-1.14 refuses to load it")
    elif lacking.name:
        text = _("“{name}” has no {fields}: “climpt --validate” ({era}) refuses the registry")
        if "uvVariables" in lacking.fields and step is not None and context.climpt.needs_variables:
            text = _(
                "“{name}” has no {fields}: “climpt --validate” ({era}) refuses the registry, and a run doesn't use the"
                " step's own prompt"
            )
    else:
        text = _("The registry has no {fields}: “climpt --validate” ({era}) refuses it")
    span = document.tree.key_span(lacking.pointer) or Span(_at(document, "").start, _at(document, "").start + 1)
    return Finding(
        text.format(name=lacking.name, fields=_(", ").join(lacking.fields), era=context.climpt.name),
        span,
        lacking.pointer,
        step=step,
        severity=ERROR if lacking.refused or stopped or follows is not None else WARNING,
        proposals=given(lacking, document),
        cause=("format", lacking.name) if {"kind", "address"} <= set(lacking.fields) else None,
        lacks=lacking.fields,
    )


def _fatal(keys: tuple[str, ...], context: RuleContext) -> str | None:
    """What follows from a field that doesn't exist, where a run can't do without it."""
    follows = _consequence(keys, None, context)
    return follows.text if follows is not None and follows.severity == ERROR else None


def _outside(fault: ShapeFault, document: ParsedFile, context: RuleContext) -> Finding:
    """The runner goes on, but for the stepKind of a step with a gate: it looks up what such a kind may emit."""
    keys = split(fault.pointer)
    span = _at(document, fault.pointer)
    step = keys[1] if keys[0] == "steps" else None
    names = {"field": keys[-1], "name": keys[1], "value": shown(fault.value)}
    if not fault.shape.choices:
        text = _("“{field}” of “{name}” is {value}: it must be at least {least}").format(
            least=fault.shape.least, **names
        )
        unread = _consequence(tuple(keys), fault.value, context)
        text = text if unread is None else unread.text.replace("{message}", text)
        return Finding(text, span, fault.pointer, step, severity=WARNING)
    refused = keys[-1] in REFUSED_VALUES and context.format in ADDRESSED
    refused |= keys[-1] == "stepKind" and bool(fault.value) and context.judged_as in KINDS and _has_gate(step, document)
    of_validator = keys[0] == "validators" and keys[-1] == "type"
    choices = validator_types(context.climpt) if of_validator else fault.shape.choices
    text = _("“{field}” of “{name}” is “{value}”, not one of {choices}").format(choices=_(", ").join(choices), **names)
    follows = None if refused else _consequence(tuple(keys), fault.value, context)
    if refused:
        text = with_outcome(text, registry_refused(context))
    elif follows is not None:
        text = follows.text.replace("{message}", text)
    meant = context.nearest(RULE.code, fault.value, choices)
    if meant:
        text += _(". Did you mean “{meant}”?").format(meant=meant)
    proposals = [write(document, span, meant)] if meant else []
    severity = ERROR if refused else follows.severity if follows is not None and of_validator else WARNING
    return Finding(text, span, fault.pointer, step, severity=severity, proposals=proposals, misspelt=bool(meant))


def _has_gate(step: str | None, document: ParsedFile) -> bool:
    gate = document.tree.at(join("/steps", step, "structuredGate")) if step is not None else None
    return gate is not None and isinstance(gate.value, dict)


def _step(
    step: str, raw: dict[str, JsonValue], pointer: str, document: ParsedFile, context: RuleContext
) -> Iterator[Finding]:
    gate = raw.get("structuredGate")
    if isinstance(gate, dict) and gate and gate.get("allowedIntents") is None:
        where = join(pointer, "structuredGate")
        message = _("The gate of “{step}” has no “allowedIntents”: no answer can be read").format(step=step)
        span = document.tree.key_span(join(where, "allowedIntents")) or document.tree.key_span(where)
        yield Finding(message, span or _at(document, where), where, step=step)
    yield from input_faults(step, raw.get("inputs"), document, context)
    transitions = raw.get("transitions")
    if isinstance(transitions, dict):
        where = join(pointer, "transitions")
        for fault in transition_faults(transitions):
            place = join(where, fault.intent, *fault.keys)
            node = document.tree.at(place)
            follows = _outcome(fault, step, context)
            if node and node.kind != "missing" and follows is not None:
                text = fault.text
                if fault.is_empty and context.era.whole_check:
                    text = _("The target of “{intent}” of “{step}” is empty")
                message = text.format(intent=fault.intent, step=step, kind=a_kind(fault.value))
                message = follows.text.replace("{message}", message)
                cause = ("intent", step, fault.intent) if fault.is_empty and context.format == "complete" else None
                proposals = _targeted(fault, step, context) if fault.is_empty else ()
                yield Finding(
                    message, node.span, place, step, severity=follows.severity, proposals=proposals, cause=cause
                )


def _targeted(fault: TransitionFault, step: str, context: RuleContext) -> Iterator[Proposal]:
    from stepflow_gui.lint.rules.flow.likely import connect_to_likely, end_there

    found = context.flow.steps[step]
    rule = found.transition(fault.intent)
    if rule is not None and fault.intent == "closing":
        yield from end_there(rule, context)
    elif rule is not None:
        yield from connect_to_likely(found, rule, context)


def _outcome(fault: TransitionFault, step: str, context: RuleContext) -> "Consequence | None":
    from stepflow_gui.lint.rules.document.transition_outcomes import is_reported_elsewhere, outcome_of

    return None if is_reported_elsewhere(fault, step, context) else outcome_of(fault, step, context)
