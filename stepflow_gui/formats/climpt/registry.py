"""Reads a climpt registry into a Flow, whatever its types: what has the wrong type is left out, never guessed."""

from collections.abc import Callable, Collection, Iterator
from itertools import pairwise

from stepflow_gui.cancelling import checkpoint
from stepflow_gui.flow.model import Case, Entry, Flow, Gate, SchemaRef, Step, Text, Transition
from stepflow_gui.formats.climpt.vocabulary import KIND_OF_C2
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import Member, Node
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

_PAIRED_ENTRIES = frozenset({"entry-pair", "adt-kind-address"})
_NOT_CARRIED = frozenset({"checks", "flow-array", "takt", ""})  # read otherwise, or more of a flow than its steps
_PAIR = ("initial", "continuation")  # the first is where a run begins, the second where it goes on without a route


def read_registry(document: ParsedFile, format_id: str) -> Flow:
    """The flow of a registry of any format but checks (seeds 000 and 002 and their relatives).

    The lists of `flow-array` define in which order steps follow each other, but no intents: each step goes to the
    next one of its list by a `next` that is marked as implied, the last one to the end, and a list's first step is an
    entry under the list's name.
    """
    flow = read_steps(document, format_id, lambda member, pointer: _step(member, pointer, format_id))
    root = document.root
    if format_id == "flow-array" and root is not None:
        _sequences(root, flow)
    return flow


def read_steps(document: ParsedFile, format_id: str, read_step: Callable[[Member, str], Step]) -> Flow:
    """A flow of the steps that `read_step` makes of members of `steps` and their pointers. Empty without an object."""
    flow = Flow(document, format_id)
    root = document.root
    if root is None or root.kind != "object":
        return flow
    flow.agent_id = text_at(root, "agentId", "")
    flow.version = text_at(root, "version", "")
    steps = root.member("steps")
    if steps:
        flow.steps_span = steps.key_span
        for member in steps.value.members():
            checkpoint()
            pointer = join("/steps", member.key)
            if member.value.kind == "object":
                flow.steps[member.key] = read_step(member, pointer)
            else:
                flow.odd_steps.append(Text(member.key, member.key_span, pointer))
    flow.entries = list(_entries(root, pairs=format_id in _PAIRED_ENTRIES))
    flow.has_mapping = root.member("entryStepMapping") is not None
    return flow


def carry_flow(flow: Flow, changed: Collection[str]) -> bool:
    """Update a flow with its document's tree: steps of `changed` have new nodes, the others' moved (`carry_members`).

    Afterwards the flow is what `read_registry` would give. False, with nothing done, where it can't be.
    """
    root = flow.document.root
    steps = root.member("steps") if root else None
    if root is None or steps is None or flow.odd_steps or flow.format in _NOT_CARRIED:
        return False
    flow.steps_span = steps.key_span
    for member in steps.value.members():
        if member.key in changed:
            flow.steps[member.key] = _step(member, join("/steps", member.key), flow.format)
        else:
            flow.steps[member.key].key_span = member.key_span
    flow.entries = list(_entries(root, pairs=flow.format in _PAIRED_ENTRIES))
    flow.forget_moves()
    return True


def text_at(node: Node, key: str, pointer: str) -> Text | None:
    """The string member of an object; None where it is absent or no string."""
    value = node.value.get(key) if isinstance(node.value, dict) else None
    return Text(value, node, pointer, key) if isinstance(value, str) else None


def texts_at(node: Node, key: str, pointer: str) -> list[Text]:
    """The strings of an array member; elements of other types are left out."""
    array = node.get(key)
    if array is None or not isinstance(array.value, list):
        return []
    where = f"{pointer}/{key}"
    return [Text(value, array, where, index) for index, value in enumerate(array.value) if isinstance(value, str)]


def _step(member: Member, pointer: str, format_id: str) -> Step:
    node = member.value
    step = Step(member.key, member.key_span, node, pointer)
    step.step_id = text_at(node, "stepId", pointer)
    step.name = text_at(node, "name", pointer)
    step.explicit_kind = text_at(node, "kind" if format_id == "adt-kind-address" else "stepKind", pointer)
    read_address(step, *_address(node, pointer, format_id))
    if format_id == "adt-kind-address":
        step.c1 = None  # that of an address is never read
    step.prompt_path = text_at(node, "promptPath", pointer)
    step.fallback_key = text_at(node, "fallbackKey", pointer)
    step.kind = _kind(step, format_id)
    gate = node.get("structuredGate")
    if gate is not None and gate.kind == "object":
        step.gate = _gate(gate, join(pointer, "structuredGate"))
    transitions = node.get("transitions")
    if transitions is not None:
        step.transitions_node = transitions
        where = join(pointer, "transitions")
        step.transitions = [
            _transition(intent, key, rule, join(where, intent)) for intent, key, rule in transitions.children()
        ]
    ref = node.get("outputSchemaRef")
    if ref is not None:
        where = join(pointer, "outputSchemaRef")
        step.schema_ref = SchemaRef(text_at(ref, "file", where), text_at(ref, "schema", where), ref, where)
    return step


def read_address(step: Step, node: Node, pointer: str) -> None:
    """Take the parts of a prompt's path from the object that has them."""
    step.c1 = text_at(node, "c1", pointer)
    step.c2 = text_at(node, "c2", pointer)
    step.c3 = text_at(node, "c3", pointer)
    step.edition = text_at(node, "edition", pointer)
    step.adaptation = text_at(node, "adaptation", pointer)


def _address(node: Node, pointer: str, format_id: str) -> tuple[Node, str]:
    nested = node.get("address") if format_id == "adt-kind-address" else None
    return (nested, join(pointer, "address")) if nested and nested.kind == "object" else (node, pointer)


def _kind(step: Step, format_id: str) -> str | None:
    # An explicit stepKind outside the three counts as if it weren't there (runtime-semantics 15).
    if format_id == "complete":
        return None
    if step.explicit_kind and step.explicit_kind.value in KIND_OF_C2.values():
        return step.explicit_kind.value
    if format_id == "adt-kind-address":  # nothing else defines it there
        return None
    return KIND_OF_C2.get(step.c2.value) if step.c2 else None


def _gate(node: Node, pointer: str) -> Gate:
    gate = Gate(node, pointer)
    gate.intents = texts_at(node, "allowedIntents", pointer)
    gate.intents_node = node.get("allowedIntents")
    gate.intent_schema_ref = text_at(node, "intentSchemaRef", pointer)
    gate.intent_field = text_at(node, "intentField", pointer)
    gate.target_field = text_at(node, "targetField", pointer)
    gate.handoff_fields = texts_at(node, "handoffFields", pointer)
    fail_fast = node.get("failFast")
    gate.fail_fast = not (fail_fast is not None and fail_fast.value is False)
    fallback = text_at(node, "fallbackIntent", pointer)
    gate.fallback_intent = fallback if fallback and fallback.value else None  # climpt takes "" for absent
    return gate


def _transition(intent: str, key: Span | Node, node: Node, pointer: str) -> Transition:
    target = node.get("target")
    named = text_at(node, "target", pointer)
    if named is not None or (target is not None and target.kind == "null"):
        return Transition(intent, key, node, pointer, named, named is None, fallback=text_at(node, "fallback", pointer))
    condition = node.get("condition")
    return Transition(
        intent,
        key,
        node,
        pointer,
        condition=text_at(node, "condition", pointer),
        cases=tuple(_cases(node, pointer)) if condition is not None and condition.kind != "null" else (),
        fallback=text_at(node, "fallback", pointer),
    )


def _cases(node: Node, pointer: str) -> Iterator[Case]:
    targets = node.member("targets")
    if targets is None:
        return
    where = join(pointer, "targets")
    for case in targets.value.members():
        if case.value.kind in {"string", "null"}:
            target = text_at(targets.value, case.key, where) if case.value.kind == "string" else None
            yield Case(case.key, case.key_span, target, case.value.span, join(where, case.key))


def _entries(root: Node, *, pairs: bool) -> Iterator[Entry]:
    single = root.member("entryStep")
    if single:
        yield _entry(None, single, "/entryStep")
    mapping = root.member("entryStepMapping")
    for member in mapping.value.members() if mapping else []:
        pointer = join("/entryStepMapping", member.key)
        if not pairs or member.value.kind != "object":
            yield _entry(member.key, member, pointer)
            continue
        sides = [(part, inner) for part in _PAIR if (inner := member.value.member(part))]
        if not sides:  # an entry anyway, which has no target
            yield _entry(member.key, member, pointer)
        for part, inner in sides:
            yield _entry(member.key, inner, join(pointer, part), continuation=part == "continuation")


def _entry(key: str | None, member: Member, pointer: str, *, continuation: bool = False) -> Entry:
    value = member.value.value
    target = Text(value, member.value.span, pointer) if isinstance(value, str) else None
    return Entry(key, target, member.key_span, member.value.span, pointer, continuation)


def _sequences(root: Node, flow: Flow) -> None:
    """`flow` of the flow-array files: a list of step ids a verdict; each is followed by the next."""
    holder = root.get("flow")
    for member in holder.members() if holder else []:
        where = join("/flow", member.key)
        items = [
            (item, Text(item.value, item.span, join(where, index)))
            for index, item in enumerate(member.value.items())
            if isinstance(item.value, str)
        ]
        if items:
            flow.entries.append(Entry(member.key, items[0][1], member.key_span, items[0][0].span, items[0][1].pointer))
        for (node, text), (follower, target) in pairwise(items):
            step = flow.steps.get(text.value)
            if step:
                step.transitions.append(Transition("next", node.span, follower, target.pointer, target, implied=True))
        last = flow.steps.get(items[-1][1].value) if items else None
        if last:
            node, text = items[-1]
            last.transitions.append(Transition("next", node.span, node, text.pointer, terminal=True, implied=True))
