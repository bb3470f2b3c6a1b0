"""SF501 fallback-key-form.

What it does: reports a `fallbackKey` that isn't made of words in lower case joined by underscores (`initial_issue`):
one with dots, dashes, blanks or capitals, an empty one, and underscores at its ends or in a row.

Why is this bad: the built-in prompts are looked up under keys of that form. Any other finds none, so the run stops
with “No fallback prompt found for key …” as soon as the step's prompt file is missing or can't be filled in.

Fix: write the key that was meant. The step's id has dots, its key has underscores.
"""

import re
from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.lint.closest_name import is_likely
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.once import merge_infos
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, INFO, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.prompts.key_form import is_well_formed
from stepflow_gui.lint.rules.prompts.key_meant import key_meant

RULE = Rule("SF501", "fallback-key-form", ERROR, formats=("closing", "complete"), looks_at=FLOW)

BAD = changed({"/steps/initial.issue/fallbackKey": "initial.issue"})
GOOD = changed({"/steps/initial.issue/fallbackKey": "initial_issue"})

_CAPITAL_INSIDE = re.compile(r"[a-z][a-zA-Z0-9]*(?:_[a-z0-9][a-zA-Z0-9]*)*")


def check(context: RuleContext) -> Iterator[Finding]:
    """Look at the form; whether the key exists is SF502's matter."""
    found = (finding for step in context.flow.steps.values() for finding in _of_step(step, context))
    yield from merge_infos(found, RULE, context)


def _of_step(step: Step, context: RuleContext) -> Iterator[Finding]:
    key = step.fallback_key
    if key is None or is_well_formed(key.value) or has_placeholder(key.value):
        return
    meant = _meant(key.value, step, context)
    yield Finding(
        _message(key, step, meant),
        key.span,
        key.pointer,
        step.id,
        severity=_severity(key, step, context),
        proposals=[write(context.registry, key.span, meant)._replace(guess=not _is_the_same(key.value, meant))]
        if meant
        else [],
    )


def _meant(key: str, step: Step, context: RuleContext) -> str | None:
    """The key in its right form, or one of the table that is like it; none that another step has."""
    is_free = context.distinct.key_is_free
    written = key_meant(key, step, context.fallback_keys, lambda *_names: None)
    if written in context.fallback_keys and not is_free(written):
        return None
    found = key_meant(key, step, {each for each in context.fallback_keys if is_free(each)}, context.nearest)
    return found if found and is_free(found) else None


def _is_the_same(key: str, meant: str) -> bool:
    """Whether a key is meant by another one's words: one of other words shows another prompt."""
    from stepflow_gui.lint.name_evidence import words_of  # only a malformed key needs it

    return is_likely(key, meant) or words_of(key).keys() <= words_of(meant).keys()


def _severity(key: Text, step: Step, context: RuleContext) -> Severity:
    if _CAPITAL_INSIDE.fullmatch(key.value):
        return INFO
    has_prompt = context.prompts.of(step) is not None
    return WARNING if has_prompt and not _may_be_empty(context) else ERROR


def _may_be_empty(context: RuleContext) -> bool:
    """Whether a variable can be empty, which makes the prompt engine refuse the file (seed 000, fallbackKey)."""
    agent = context.folder.agent
    if agent is None or agent.verdict_type is None:
        return True  # nothing says that it can't
    if agent.verdict_type.value == "poll:state":
        return True  # it sets an empty `repository`
    defaults = [parameter.node.get("default") for parameter in agent.parameters]
    return any(default is not None and default.value == "" for default in defaults)


def _message(key: Text, step: Step, meant: str | None) -> str:
    if _CAPITAL_INSIDE.fullmatch(key.value):
        text = _("The fallbackKey “{key}” of “{step}” has capitals; the built-in keys have none").format(
            key=key.value, step=step.id
        )
    else:
        text = _(
            "The fallbackKey “{key}” of “{step}” isn't lower-case words joined by underscores, so no built-in prompt "
            "is found. climpt reports: {error}"
        ).format(
            key=key.value, step=step.id, error=f'No fallback prompt found for key: "{key.value}" (step: {step.id})'
        )
    return text + _(". Did you mean “{meant}”?").format(meant=meant) if meant else text
