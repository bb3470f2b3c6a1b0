"""SF004 schema-violation.

What it does: reports values of a type that the field can't have, the fields that every registry needs, and transitions
that are neither a target nor a condition with its targets.

Why is this bad: the runner reads such a value as absent, or stops. It tolerates a wrong `name`, `edition`,
`uvVariables` and `usesStdin`, and does without.

Fix: give the field a value of its type.
"""

from collections.abc import Iterator

from stepflow_gui.lint.diagnostic import ERROR, WARNING, Severity
from stepflow_gui.lint.example import changed
from stepflow_gui.lint.rule import DOCUMENT, GATE, Finding, Rule
from stepflow_gui.lint.rules.document.json_types import Expected, a_kind, expectation, fits
from stepflow_gui.lint.rules.document.root_marks import has_marks
from stepflow_gui.lint.scope import Scope
from stepflow_gui.messages import _
from stepflow_gui.text.document import Document
from stepflow_gui.text.json_tree import Member, Node
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

RULE = Rule("SF004", "schema-violation", ERROR, looks_at=DOCUMENT)

BAD = changed({"/steps/initial.issue/transitions/next": "continuation.issue"})
GOOD = changed()

NEEDED = ("agentId", "version")
ROOT: dict[str, Expected] = {
    "agentId": "string",
    "version": "string",
    "c1": "string",
    "userPromptsBase": "string",
    "schemasBase": "string",
    "pathTemplate": "string",
    "pathTemplateNoAdaptation": "string",
    "entryStep": "string",
    "entryStepMapping": "object",
    "failurePatterns": "object",
    "validators": "object",
    "validationSteps": "object",
}
STEP: dict[str, Expected] = {
    "stepId": "string",
    "name": "string",
    "stepKind": "string",
    "c2": "string",
    "c3": "string",
    "edition": "string",
    "adaptation": "string",
    "fallbackKey": "string",
    "uvVariables": "strings",
    "usesStdin": "boolean",
    "outputSchemaRef": "object",
    "structuredGate": "object",
    "transitions": "object",
}
REF: dict[str, Expected] = {"file": "string", "schema": "string"}
GATE_FIELDS: dict[str, Expected] = {
    "allowedIntents": "strings",
    "intentSchemaRef": "string",
    "intentField": "string",
    "targetField": "string",
    "handoffFields": "strings",
    "failFast": "boolean",
    "fallbackIntent": "string",
}
TOLERATED = ("name", "edition", "uvVariables", "usesStdin", "failFast")
UNREAD = ("closing", "complete", "repeat", "abort")  # the runner needs no rule for these


def check(document: Document, scope: Scope) -> Iterator[Finding]:
    """The registry only: agent.json and schemas have rules of their own."""
    if document is not scope.registry or document.root is None or document.root.kind == "missing":
        return
    root = document.root
    if root.kind != "object":
        yield Finding(
            _("A registry is an object; this file holds {kind}").format(kind=a_kind(root)),
            Span(root.start, min(root.end, root.start + 1)),
            "",
        )
        return
    yield from _steps_member(root, document)
    if scope.flow.format in GATE:
        yield from _root_fields(root, document)
    for step in scope.flow.odd_steps:
        node = document.tree.at(step.pointer)
        if node and node.kind != "missing":
            yield Finding(
                _("The step “{step}” is {kind}, not an object").format(step=step.value, kind=a_kind(node)),
                node.span,
                step.pointer,
                step=step.value,
            )
    for read in scope.flow.steps.values():
        yield from _step_fields(read.id, read.node, read.pointer)


def _steps_member(root: Node, document: Document) -> Iterator[Finding]:
    steps = root.member("steps")
    if steps is None:
        if document.tree.valid and has_marks(root):
            yield Finding(_("The registry has no “steps”"), Span(root.start, root.start + 1), "")
    elif steps.value.kind not in {"object", "missing"}:
        yield Finding(
            _("“steps” is {kind}, not an object").format(kind=a_kind(steps.value)),
            steps.value.span,
            pointer="/steps",
        )


def _root_fields(root: Node, document: Document) -> Iterator[Finding]:
    for key in NEEDED:
        member = root.member(key)
        if member is None and document.tree.valid:
            yield Finding(
                _("The registry has no “{field}”: climpt refuses to load it").format(field=key),
                Span(root.start, root.start + 1),
                "",
            )
        elif member and member.value.kind in {"null", "string"} and not member.value.value:
            yield Finding(
                _("“{field}” is empty: climpt refuses to load the registry").format(field=key),
                member.value.span,
                f"/{key}",
            )
    for member in root.members():
        expected = ROOT.get(member.key)
        if expected:
            yield from _typed(member, expected, "", None)


def _step_fields(step: str, node: Node, pointer: str) -> Iterator[Finding]:
    for member in node.members():
        expected = STEP.get(member.key)
        if expected:
            yield from _typed(member, expected, pointer, step)
        if member.value.kind == "object":
            where = join(pointer, member.key)
            if member.key == "structuredGate":
                yield from _fields(member.value, GATE_FIELDS, where, step)
                yield from _gate_needs(member, where, step)
            elif member.key == "outputSchemaRef":
                yield from _fields(member.value, REF, where, step)
            elif member.key == "transitions":
                for rule in member.value.members():
                    yield from _transition(rule, join(where, rule.key), step)


def _fields(node: Node, table: dict[str, Expected], pointer: str, step: str) -> Iterator[Finding]:
    for member in node.members():
        expected = table.get(member.key)
        if expected:
            yield from _typed(member, expected, pointer, step)


def _typed(member: Member, expected: Expected, pointer: str, step: str | None) -> Iterator[Finding]:
    node = member.value
    if node.kind in {"null", "missing"} and expected != "object":
        return  # the runner takes null for absent
    wrong = [node] if not fits(node, expected) else []
    where = join(pointer, member.key)
    if not wrong and expected == "strings":
        for index, item in enumerate(node.items()):
            if not isinstance(item.value, str) and item.kind != "missing":
                yield _wrong_type(member.key, item, "string", join(where, index), step)
    for each in wrong:
        yield _wrong_type(member.key, each, expected, where, step)


def _wrong_type(field: str, node: Node, expected: Expected, pointer: str, step: str | None) -> Finding:
    message = (
        _("“{field}” must be {expected}, and is {kind}")
        if step is None
        else _("“{field}” of “{step}” must be {expected}, and is {kind}")
    )
    return Finding(
        message.format(field=field, step=step, expected=expectation(expected), kind=a_kind(node)),
        node.span,
        pointer,
        step=step,
        severity=WARNING if field in TOLERATED else ERROR,
    )


def _gate_needs(gate: Member, pointer: str, step: str) -> Iterator[Finding]:
    if gate.value.value and gate.value.get("allowedIntents") is None:
        yield Finding(
            _("The gate of “{step}” has no “allowedIntents”: no answer can be read").format(step=step),
            gate.key_span,
            pointer,
            step=step,
        )


def _transition(rule: Member, pointer: str, step: str) -> Iterator[Finding]:
    node = rule.value
    if node.kind == "missing":
        return
    problem = _rule_problem(node)
    if problem is None:
        return
    wrong, where, text = problem
    severity: Severity = WARNING if rule.key in UNREAD and node.kind == "object" else ERROR
    yield Finding(
        text.format(intent=rule.key, step=step, kind=a_kind(wrong)),
        wrong.span,
        join(pointer, *where),
        step=step,
        severity=severity,
    )


def _rule_problem(node: Node) -> tuple[Node, tuple[str, ...], str] | None:
    """The first thing that keeps a transition from being one: the value, where it stands, and what to say."""
    if node.kind != "object":
        return node, (), _("The transition “{intent}” of “{step}” is {kind}: it must be an object with a “target”")
    target, targets = node.get("target"), node.get("targets")
    if target is not None:
        if target.kind in {"string", "null", "missing"}:
            return None
        return (
            target,
            ("target",),
            _("The target of “{intent}” of “{step}” must be a step's id or null, and is {kind}"),
        )
    condition = node.get("condition")
    if condition is None or targets is None:
        return (
            node,
            (),
            _("The transition “{intent}” of “{step}” has neither a “target” nor a “condition” with its “targets”"),
        )
    return _condition_problem(condition, targets)


def _condition_problem(condition: Node, targets: Node) -> tuple[Node, tuple[str, ...], str] | None:
    if condition.kind not in {"string", "missing"}:
        return condition, ("condition",), _("The condition of “{intent}” of “{step}” must be a text, and is {kind}")
    if targets.kind not in {"object", "missing"}:
        return targets, ("targets",), _("The targets of “{intent}” of “{step}” must be an object, and are {kind}")
    for case in targets.members():
        if case.value.kind not in {"string", "null", "missing"}:
            return (
                case.value,
                ("targets", case.key),
                _("A target of “{intent}” of “{step}” must be a step's id or null, and is {kind}"),
            )
    return None
