"""Step ids in transitions and entries."""

from collections.abc import Iterable

from stepflow_gui.flow.model import Flow, Text
from stepflow_gui.lint.closest_name import is_likely, nearest
from stepflow_gui.lint.rule import Finding, Proposal, Side
from stepflow_gui.lint.rule_context import RuleContext
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.messages import _
from stepflow_gui.text.document import ParsedFile

_STAGES = {"initial", "continuation", "verification", "closure", "complete", "section"}


def is_step(name: str, flow: Flow) -> bool:
    """Whether a step of that id is there, readable or not."""
    return name in flow.steps or any(odd.value == name for odd in flow.odd_steps)


def meant_step(code: str, name: str, context: RuleContext) -> str | None:
    """The step that a name most likely means, for a rule's finding; None where none is alike.

    Nor where the name is right and the step's own is misspelt.
    """
    if name in context.misnamed.steps:
        return None
    meant = context.nearest(code, name, _of_stage(name, context.flow))
    if meant is None or is_likely(name, meant):
        return meant
    parts, others = name.split("."), meant.split(".")
    while len(parts) > 1 and len(others) > 1 and parts[0] == others[0]:  # what they share doesn't make them alike
        parts, others = parts[1:], others[1:]
    return meant if nearest(".".join(parts), [".".join(others)]) else None


def _of_stage(name: str, flow: Flow) -> Iterable[str]:
    """The steps of the stage that a name begins with: a continuation for a closure isn't a slip."""
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
    step = context.misnamed.steps.get(named.value)
    if step is None:
        if not meant or not is_likely(named.value, meant):
            return []
        written = [write(document or context.registry, each.span, meant) for each in (named, *also)]
        guess = named.value in context.misnamed.unsure
        return [written[0]._replace(edits=[edit for each in written for edit in each.made], guess=guess)]
    places = [step.key_span]
    if step.step_id and step.step_id.value not in {"", named.value}:
        places.append(step.step_id.span)
    edits = [edit for span in places for edit in write(context.registry, span, named.value).made]
    title = _("Rename the step “{step}” to “{name}”").format(step=step.id, name=named.value)
    return [Proposal(title, edits)]


def at_misnamed(finding: Finding, named: Text, context: RuleContext) -> Finding:
    """A finding about a name that is not a step's, at the step that has to be renamed where its own is misspelt."""
    step = context.misnamed.steps.get(named.value)
    if step is None or finding.document is not None:
        return finding
    message = finding.message + _(". “{step}” is probably that step, misspelt").format(step=step.id)
    here = Side(context.registry, finding.span, finding.pointer, _("it is named here"))
    place = finding._replace(message=message, span=step.key_span, pointer=step.pointer, step=step.id)
    return place._replace(sides=[here, *finding.sides])
