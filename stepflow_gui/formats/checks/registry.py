"""Reads a registry with checks (seed 003) into a Flow: onPass and onFail become the transitions of a step."""

from collections.abc import Iterator

from stepflow_gui.flow.model import Flow, Step, Text, Transition
from stepflow_gui.formats.checks.vocabulary import INTENT_OF_OUTCOME
from stepflow_gui.formats.climpt.registry import read_address, read_steps, text_at
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import Member, Node
from stepflow_gui.text.pointer import join


def read_checks(document: ParsedFile) -> Flow:
    """The flow of a registry with checks. Each outcome that names a target is a transition, in file order.

    What has the wrong type (`retry: "yes"`, `complete: 1`) or is turned off (`retry: false`) is not a transition.
    """
    return read_steps(document, "checks", _step)


def _step(member: Member, pointer: str) -> Step:
    node = member.value
    step = Step(member.key, member.key_span, node, pointer)
    step.step_id = text_at(node, "id", pointer)
    step.name = text_at(node, "name", pointer)
    prompt = node.get("prompt")
    if prompt:
        where = join(pointer, "prompt")
        step.prompt_path = text_at(prompt, "path", where)
        read_address(step, prompt, where)
    check = node.get("check")
    for outcome in check.members() if check else []:
        intents = INTENT_OF_OUTCOME.get(outcome.key)
        if intents:
            step.transitions += _transitions(outcome.value, join(pointer, "check", outcome.key), intents)
    return step


def _transitions(outcome: Node, pointer: str, intents: dict[str, str]) -> Iterator[Transition]:
    for member in outcome.members():
        intent, value = intents.get(member.key), member.value.value
        if intent is None:
            continue
        transition = Transition(intent, member.key_span, member.value, join(pointer, member.key))
        if member.key == "retry":
            if value is True:
                yield transition._replace(stays=True, limit=_limit(outcome))
        elif member.key == "complete":
            if value is True:
                yield transition._replace(terminal=True)
        elif isinstance(value, str):
            yield transition._replace(target=Text(value, member.value.span, transition.pointer))


def _limit(outcome: Node) -> int | None:
    """How many retries; 0 means no limit, as no number does."""
    most = outcome.get("maxRetries")
    value = most.value if most else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
