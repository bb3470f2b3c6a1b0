"""SF502 fallback-key-unknown.

What it does: reports a fallbackKey that is spelled nearly as a built-in one. Other keys that the guide's table doesn't
have are left alone: climpt has had many more, and your project may have its own (`fallback-keys` in the settings).

Why is this bad: no built-in prompt is found under a misspelled key, so that the run stops as soon as the step's prompt
file is missing or can't be filled in.

Fix: write the key as the table has it.
"""

from collections.abc import Collection, Iterator

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
    meant = _meant(key.value, context.fallback_keys)
    if meant is None:
        return
    text = _("No built-in prompt has the key “{key}” of “{step}”. Did you mean “{meant}”?")
    yield Finding(
        text.format(key=key.value, step=step.id, meant=meant),
        key.span,
        key.pointer,
        step.id,
        proposals=[write(context.registry, key.span, meant)],
        misspelt=True,
    )


def _meant(key: str, known: Collection[str]) -> str | None:
    most = _SLIPS if len(key) >= _LONG else 1
    near = [each for each in known if abs(len(each) - len(key)) <= most]
    found = [(count, each) for each in near if (count := slips(key, each, most)) is not None]
    return min(found)[1] if found else None


def slips(word: str, other: str, most: int) -> int | None:
    """How many letters have to be put in, left out, changed or swapped with the next; None for more than `most`."""
    if abs(len(word) - len(other)) > most:
        return None
    word, other = _parting(word, other)
    # A slip changes the counts of at most two letters by one each; most words are told apart by that.
    if len(set(word) ^ set(other)) > 2 * most:
        return None
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(word, 1):
        above, before, row = before, row, [at]
        for to, wanted in enumerate(other, 1):
            best = min(row[to - 1] + 1, before[to] + 1, before[to - 1] + (letter != wanted))
            if at > 1 and to > 1 and letter == other[to - 2] and word[at - 2] == wanted:
                best = min(best, above[to - 2] + 1)
            row.append(best)
        if min(row) > most:
            return None
    return row[-1] if row[-1] <= most else None


def _parting(word: str, other: str) -> tuple[str, str]:
    """Two words without what both begin with, and what both end with: no slip is there."""
    head = _alike(word, other)
    word, other = word[head:], other[head:]
    tail = _alike(word[::-1], other[::-1])
    return (word[:-tail], other[:-tail]) if tail else (word, other)


def _alike(word: str, other: str) -> int:
    """How many letters both begin with."""
    for at, (one, two) in enumerate(zip(word, other, strict=False)):
        if one != two:
            return at
    return min(len(word), len(other))
