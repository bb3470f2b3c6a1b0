"""Where the id of a step with a check stands: its key, its `id`, what leads to it."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.checks.vocabulary import INTENT_OF_OUTCOME, NAMING
from stepflow_gui.text.document import Place
from stepflow_gui.text.pointer import join

Role = Literal["key", "declared", "target", "entry"]


class Reference(NamedTuple):
    """A place where the id stands; `step` is the step it belongs to, None for the registry's own `entryStep`."""

    role: Role
    place: Place
    step: str | None


def references(flow: Flow, step_id: str) -> Iterator[Reference]:
    """Every place in the registry that means the step, its key first."""
    document = flow.document
    own = flow.steps.get(step_id)
    if own:
        yield Reference("key", Place(document, own.pointer, own.key_span), step_id)
    for step in flow.steps.values():
        if step.step_id and step.step_id.value == step_id:
            yield Reference("declared", Place(document, step.step_id.pointer, step.step_id.span), step.id)
        check = step.node.get("check")
        for outcome in INTENT_OF_OUTCOME:
            said = check.get(outcome) if check else None
            for key in NAMING:
                node = said.get(key) if said else None
                if node is not None and node.value == step_id:
                    where = join(step.pointer, "check", outcome, key)
                    yield Reference("target", Place(document, where, node.span), step.id)
    for entry in flow.entries:
        if entry.target and entry.target.value == step_id:
            yield Reference("entry", Place(document, entry.pointer, entry.span), None)
