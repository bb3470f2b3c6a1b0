"""SF605 validation-unused.

What it does: points out validators that no condition names, and failure patterns that no validator in use names. A
pattern with `semanticMatch` is found by words of an error text and counts as used.

Why is this bad: they never run. Where one was meant to, the flow closes without its check.

Fix: name them in a condition, or remove them.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.validation import Named
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.fixes import take_away
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.once import merge_places
from stepflow_gui.lint.rules.prelude import FLOW, GATE, INFO, Finding, Rule, RuleContext, _, ngettext
from stepflow_gui.lint.rules.validators.example_checks import checked

RULE = Rule("SF605", "validation-unused", INFO, formats=GATE, looks_at=FLOW)

BAD = checked(
    {
        "/validators/tests": {
            "type": "command",
            "command": "make test",
            "successWhen": "exitCode:0",
            "failurePattern": "git-dirty",
        }
    }
)
GOOD = checked()


def check(context: RuleContext) -> Iterator[Finding]:
    """One note a file."""
    validators, patterns = _unused(context)
    if not validators and not patterns:
        return
    names = {"validators": listed([at.name for at in validators]), "patterns": listed([at.name for at in patterns])}
    if validators and patterns:
        text = _("Nothing uses the validators {validators} and the failure patterns {patterns}: they never run")
    elif validators:
        text = ngettext(
            "No check uses the validator {validators}: it never runs",
            "No check uses the validators {validators}: they never run",
            len(validators),
        )
    else:
        text = ngettext(
            "No validator in use names the failure pattern {patterns}",
            "No validator in use names the failure patterns {patterns}",
            len(patterns),
        )
    unused = [*validators, *patterns]
    places = [Side(context.registry, at.key_span, at.pointer, _("this one too")) for at in unused]
    title = _("Remove what nothing uses")
    proposals = take_away(context.registry, [at.pointer for at in unused], title)
    yield merge_places(text.format(**names), places, proposals=proposals)


def _unused(context: RuleContext) -> tuple[list[Named], list[Named]]:
    validation = context.validation
    named = {text.value for step in validation.steps for text in step.validators} | _named_before_closing(context)
    used = [validator for validator in validation.validators.values() if validator.at.name in named]
    failing = {validator.failure_pattern.value for validator in used if validator.failure_pattern}
    return (
        [validator.at for name, validator in validation.validators.items() if name not in named],
        [pattern.at for name, pattern in validation.patterns.items() if name not in failing and not pattern.by_words],
    )


def _named_before_closing(context: RuleContext) -> set[str]:
    """The validators that an agent.json of the older layout names itself."""
    agent = context.agent_file
    listed = agent.written("/behavior/preCloseValidation/validators") if agent and agent.layout == "flat" else None
    return {each for each in listed if isinstance(each, str)} if isinstance(listed, list) else set()
