"""SF615 extract-params-missing.

What it does: reports validators that run a command and have no `extractParams`.

Why is this bad: climpt 2026-03-14 and later read it the moment the validator fails. The run then ends with an error:
nothing is retried, and the model never gets to know what failed.

Fix: add `extractParams`, empty where nothing is taken out of the output.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.runner_texts import NOT_AN_OBJECT
from stepflow_gui.formats.climpt.validation import lacks_extractors
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.fixes import put
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, KINDS, REMOVED, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.validators.example_checks import checked
from stepflow_gui.lint.rules.validators.running import read_validators, run_validators
from stepflow_gui.text.pointer import join

RULE = Rule("SF615", "extract-params-missing", ERROR, formats=KINDS, looks_at=FLOW)

BAD = checked({"/validators/git-clean/extractParams": REMOVED})
GOOD = checked({"/validators/git-clean/extractParams": {}, "/failurePatterns/git-dirty/params": []})


def check(context: RuleContext) -> Iterator[Finding]:
    """An error where a validation step that this agent comes to runs the validator."""
    if context.era.load_errors == "reported":
        return  # the guide's runner goes on
    used = {named.value for step in context.validation.steps for named in read_validators(step, context)}
    users = {named.value: (step, named) for step, named in run_validators(context)}
    for name, validator in context.validation.validators.items():
        if name not in used or not lacks_extractors(validator.at.node.value):
            continue  # SF605 and SF009: nothing runs it
        message = _("“{validator}” has no extractParams: when it fails, {era} ends the run with “{error}”")
        user = users.get(name)
        sides = []
        if user is not None:
            text = _("“{step}” runs it").format(step=user[0].at.name)
            sides = [Side(context.registry, user[1].span, user[1].pointer, text)]
        pattern = validator.failure_pattern
        yield Finding(
            message.format(validator=name, era=context.era.name, error=NOT_AN_OBJECT),
            validator.at.key_span,
            validator.at.pointer,
            severity=ERROR if user else WARNING,
            sides=sides,
            proposals=_empty(context, validator.at.pointer),
            cause=("params", pattern.value) if pattern else None,
        )


def _empty(context: RuleContext, pointer: str) -> Iterator[Proposal]:
    """Nothing where the key is there and null."""
    if context.registry.tree.key_span(join(pointer, "extractParams")) is None:
        title = _("Add “{field}”").format(field="extractParams")
        yield from put(context.registry, pointer, "extractParams", {}, title)
