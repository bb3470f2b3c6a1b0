"""SF613 validator-phase.

What it does: reports validators that a list of the other phase names, or without a `phase`.

Why is this bad: `climpt --validate` of climpt 1.14 (a pre-release) refuses the registry. A run goes by the list that
names the validator, whatever its phase says.

Fix: write the phase of the list: preflight for preflightConditions, postllm for postLLMConditions.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.vocabulary import CONDITIONS_OF_PHASE, PHASES
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.fixes import put, write
from stepflow_gui.lint.rules.prelude import ADDRESSED, FLOW, REMOVED, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.validators.example_checks import addressed
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

RULE = Rule("SF613", "validator-phase", WARNING, formats=ADDRESSED, looks_at=FLOW)

BAD = addressed({"/validators/git-clean/phase": REMOVED})
GOOD = addressed()


def check(context: RuleContext) -> Iterator[Finding]:
    """A validator that lists of both phases name can't be right in both: then nothing is proposed."""
    root = context.registry.root
    value: dict[str, JsonValue] = root.value if root and isinstance(root.value, dict) else {}
    lists = _lists(value)
    for name, validator in context.validation.validators.items():
        wanted = [phase for phase in PHASES if name in lists[phase]]
        phase = validator.at.node.value.get("phase")
        if not wanted or phase in wanted[:1] or (phase is not None and phase not in PHASES):
            continue
        proposals = _proposals(validator.at.pointer, wanted[0], context) if len(wanted) == 1 else ()
        message = _(
            "The validator “{name}” has no phase, and {list} names it: “climpt --validate” ({era}) refuses the registry"
        )
        if phase is not None:
            message = _(
                "The validator “{name}” has the phase “{phase}”, and {list} names it: “climpt --validate” ({era})"
                " refuses the"
                " registry"
            )
        named = CONDITIONS_OF_PHASE[next((each for each in wanted if each != phase), wanted[0])]
        text = message.format(name=name, phase=phase, list=named, era=context.climpt.name)
        yield Finding(text, validator.at.key_span, validator.at.pointer, proposals=proposals)


def _lists(registry: dict[str, JsonValue]) -> dict[str, set[str]]:
    """The validators that the lists of each phase name."""
    found: dict[str, set[str]] = {phase: set() for phase in PHASES}
    steps = registry.get("validationSteps")
    for step in steps.values() if isinstance(steps, dict) else ():
        for phase, conditions in CONDITIONS_OF_PHASE.items():
            listed = step.get(conditions) if isinstance(step, dict) else None
            for condition in listed if isinstance(listed, list) else ():
                if isinstance(condition, dict) and isinstance(condition.get("validator"), str):
                    found[phase].add(condition["validator"])
    return found


def _proposals(pointer: str, phase: str, context: RuleContext) -> Iterator[Proposal]:
    node = context.registry.tree.at(join(pointer, "phase"))
    if node is not None:
        yield write(context.registry, node.span, phase, safe=True)
    else:
        title = _("Add the phase “{phase}”").format(phase=phase)
        yield from put(context.registry, pointer, "phase", phase, title, safe=True)
