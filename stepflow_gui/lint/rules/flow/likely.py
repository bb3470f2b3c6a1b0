"""Where an intent of a step most likely goes, and the fixes that write it."""

from collections.abc import Iterator

from stepflow_gui.flow.model import Flow, Transition
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.prelude import RuleContext, Step, _
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit


def topic_of(step: Step) -> str:
    """What comes after the phase in a step's id: `issue` of `initial.issue`."""
    return step.id.partition(".")[2]


def likely_targets(step: Step, intent: str, flow: Flow) -> list[str]:
    """The steps, the likeliest first; [] where nothing speaks for one."""
    topic = topic_of(step)
    closures = [each.id for each in flow.steps.values() if each.kind == "closure"]
    wanted = {
        "next": [f"continuation.{topic}"],
        "repeat": [step.id],
        "handoff": [f"closure.{topic}", *(closures if len(closures) == 1 else [])],
        "escalate": [f"continuation.{topic}", f"initial.{topic}"],
        "complete": [f"complete.{topic}"],
    }.get(intent, [])
    return [target for target in dict.fromkeys(wanted) if target in flow.steps]


def connect_to_likely(step: Step, rule: Transition, context: RuleContext) -> Iterator[Proposal]:
    """Rewrite a rule so that its target is the likeliest step."""
    from stepflow_gui.text.json.edit import set_value

    registry = context.registry
    if not registry.tree.valid:
        return
    for target in likely_targets(step, rule.intent, context.flow)[:1]:
        edits = set_value(registry.tree, rule.pointer, {"target": target})
        title = _("Connect “{intent}” to “{target}”").format(intent=rule.intent, target=target)
        yield Proposal(title, _placed(context, edits), guess=True)


def end_there(rule: Transition, context: RuleContext) -> Iterator[Proposal]:
    """Write `target: null` in place of whatever the rule says."""
    from stepflow_gui.text.json.edit import set_value

    registry = context.registry
    if registry.tree.valid:
        pointer, value = (f"{rule.pointer}/target", None) if rule.target else (rule.pointer, {"target": None})
        edits = set_value(registry.tree, pointer, value)
        yield Proposal(_("Write null"), _placed(context, edits), safe=True)


def _placed(context: RuleContext, edits: list[TextEdit]) -> tuple[tuple[ParsedFile, TextEdit], ...]:
    return tuple((context.registry, edit) for edit in edits)
