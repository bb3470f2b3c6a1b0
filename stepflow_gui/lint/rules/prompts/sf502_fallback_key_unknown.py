"""SF502 fallback-key-unknown.

What it does: reports a fallbackKey that is spelled nearly as a built-in one. Other keys that the guide's table doesn't
have are left alone: climpt has had many more, and your project may have its own (`fallback-keys` in the settings).

Why is this bad: no built-in prompt is found under a misspelled key, so that the run stops as soon as the step's prompt
file is missing or can't be filled in.

Fix: write the key as the table has it.
"""

import re
from collections.abc import Collection, Iterator

from stepflow_gui.lint.closest_name import slips
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.prompts.key_form import is_well_formed

RULE = Rule("SF502", "fallback-key-unknown", WARNING, formats=("closing", "complete"), looks_at=STEP)

BAD = changed({"/steps/initial.issue/fallbackKey": "initial_isue"})
GOOD = changed({"/steps/initial.issue/fallbackKey": "initial_issue"})

_SLIPS = 2  # three letters lie between words that are both right, as iterate and iteration
_LONG = 12  # letters of a key in which two slips are likelier than another word


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Only what can hardly be meant otherwise."""
    key = step.fallback_key
    if key is None or not is_well_formed(key.value) or has_placeholder(key.value) or key.value in context.fallback_keys:
        return
    meant = _meant(key.value, context.fallback_keys) or _of_own_id(key.value, step)
    if meant is None or _words_of_id(step, key.value) - _words_of_id(step, meant):
        return  # it names its own step as the other wouldn't
    is_offered = context.distinct.may_have_key(meant)
    text = _("No built-in prompt has the key “{key}” of “{step}”. Did you mean “{meant}”?")
    yield Finding(
        text.format(key=key.value, step=step.id, meant=meant),
        key.span,
        key.pointer,
        step.id,
        proposals=[write(context.registry, key.span, meant)] if is_offered else (),
        misspelt=is_offered,
    )


def _words_of_id(step: Step, key: str) -> set[str]:
    """The words of the step's id that a key has as well."""
    return set(re.findall("[a-z0-9]+", step.id.lower())) & set(key.split("_"))


def _of_own_id(key: str, step: Step) -> str | None:
    """The words of the step's own id, or of its prompt's address, which keys are made of."""
    parts = [step.id, ".".join(text.value for text in (step.c2, step.c3) if text)]
    if step.prompt_path:
        parts.append(step.prompt_path.value.removesuffix(".md").replace("/", "_"))
    made = [each.replace(".", "_").replace("-", "_") for each in parts]
    return _meant(key, made) if key not in made else None


def _meant(key: str, known: Collection[str]) -> str | None:
    most = _SLIPS if len(key) >= _LONG else 1
    near = [each for each in known if abs(len(each) - len(key)) <= most]
    found = [(count, each) for each in near if (count := slips(key, each, most)) is not None]
    return min(found)[1] if found else None
