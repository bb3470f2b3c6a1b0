"""Step ids in transitions and entries."""

from collections.abc import Iterable

from stepflow_gui.flow.model import Flow, Text
from stepflow_gui.lint.closest_name import is_slip
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rule_context import RuleContext
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.messages import _
from stepflow_gui.text.document import ParsedFile

_STAGES = {"initial", "continuation", "verification", "closure", "complete", "section"}


def is_step(name: str, flow: Flow) -> bool:
    """Whether a step of that id is there, readable or not."""
    return name in flow.steps or any(odd.value == name for odd in flow.odd_steps)


def names_like(name: str, flow: Flow) -> Iterable[str]:
    """The steps that a misspelt name may mean: one of another stage, a continuation for a closure, isn't a slip."""
    stage, dot, _topic = name.partition(".")
    if not dot or (stage not in _STAGES and not any(step.startswith(f"{stage}.") for step in flow.steps)):
        return flow.steps
    return [step for step in flow.steps if step.startswith(f"{stage}.")]


def respelt(
    named: Text,
    meant: str | None,
    context: RuleContext,
    document: ParsedFile | None = None,
    also: Iterable[Text] = (),
) -> list[Proposal]:
    """What puts a name right that is not a step's: the step's own name where that one is misspelt, else the name.

    `document` is where the name stands, None for the registry; `also` are further places of it there. A name that is
    merely like another one may well be that of a step that is gone: then nothing is offered.
    """
    step = context.misnamed_steps.get(named.value)
    if step is None:
        is_likely = meant is not None and (is_slip(named.value, meant) or _plain(named.value) == _plain(meant))
        if not meant or not is_likely:
            return []
        written = [write(document or context.registry, each.span, meant) for each in (named, *also)]
        return [written[0]._replace(edits=[edit for each in written for edit in each.made])]
    places = [step.key_span]
    if step.step_id and step.step_id.value not in {"", named.value}:
        places.append(step.step_id.span)
    edits = [edit for span in places for edit in write(context.registry, span, named.value).made]
    title = _("Rename the step “{step}” to “{name}”").format(step=step.id, name=named.value)
    return [Proposal(title, edits)]


def _plain(name: str) -> str:
    """The letters and digits of a name: how its words are joined, and their case, may differ."""
    return "".join(filter(str.isalnum, name)).lower()
