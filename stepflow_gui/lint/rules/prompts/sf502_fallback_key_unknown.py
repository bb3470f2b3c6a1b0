"""SF502 fallback-key-unknown.

What it does: reports a fallbackKey that is spelled nearly as a built-in one, or of which one word is nearly a word of
the step's id or of other keys and occurs nowhere else. Other keys that the guide's table doesn't have are left alone:
climpt has had many more, and your project may have its own (`fallback-keys` in the settings).

Why is this bad: no built-in prompt is found under a misspelled key, so the run stops as soon as the step's prompt
file is missing or can't be filled in.

Fix: write the key that was meant.
"""

import re
from collections.abc import Collection, Iterator

from stepflow_gui.lint.closest_name import SHORT, slip_of, slips
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.prompts.key_form import is_well_formed
from stepflow_gui.lint.rules.prompts.sf501_fallback_key_form import RULE as FORM
from stepflow_gui.lint.step_identity import WORD_OF_NAME, name_words

RULE = Rule("SF502", "fallback-key-unknown", WARNING, formats=("closing", "complete"), looks_at=STEP)

BAD = changed({"/steps/initial.issue/fallbackKey": "initial_isue"})
GOOD = changed({"/steps/initial.issue/fallbackKey": "initial_issue"})

_SLIPS = 2  # three letters lie between words that are both right, as iterate and iteration
_LONG = 12  # letters of a key in which two slips are likelier than another word


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Only what can hardly be meant otherwise."""
    key = step.fallback_key
    if key is None or has_placeholder(key.value) or key.value in context.fallback_keys:
        return
    if is_well_formed(key.value):
        meant = _meant(key.value, context.fallback_keys) or _of_own_id(key.value, step)
    elif FORM.applies_to(context.format):
        return
    else:
        meant = None  # in climpt of then keys had dots and capitals, and the table is of later ones
    meant = meant or _by_word(key.value, step, context)
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


def _by_word(key: str, step: Step, context: RuleContext) -> str | None:
    """The key with the one word of its own as the step's id, or more than one other key, has it.

    A word that goes on where the other ends is another form of it.
    """
    words = context.distinct.words
    known = name_words(step) | context.distinct.common_words
    slips_in = []
    for place in WORD_OF_NAME.finditer(key):
        word = place[0].lower()
        if words[word] == 1 and len(word) > SHORT:
            near = slip_of(word, known)
            if near and not word.startswith(near):
                slips_in.append((place, near))
    if len(slips_in) != 1:
        return None
    ((place, near),) = slips_in
    return key[: place.start()] + (near.title() if place[0][0].isupper() else near) + key[place.end() :]


def _meant(key: str, known: Collection[str]) -> str | None:
    most = _SLIPS if len(key) >= _LONG else 1
    near = [each for each in known if abs(len(each) - len(key)) <= most]
    found = [(count, each) for each in near if (count := slips(key, each, most)) is not None]
    return min(found)[1] if found else None
