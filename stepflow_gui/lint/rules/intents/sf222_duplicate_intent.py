"""SF222 duplicate-intent.

What it does: reports values that appear twice in `allowedIntents` or in the schema's enum.

Why is this bad: the second one says nothing, and some validators refuse a schema whose enum repeats itself.

Fix: remove the later one.
"""

from collections.abc import Iterator

from stepflow_gui.lint.contract import Word
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.prelude import GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF222", "duplicate-intent", WARNING, formats=GATE, looks_at=STEP)

BAD = changed({"/steps/initial.issue/structuredGate/allowedIntents": ["next", "repeat", "next"]})
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look at both lists."""
    if step.gate is None:
        return
    contract = context.contract(step)
    yield from _twice(contract.allowed or [], step, _("“{step}” allows “{intent}” twice"))
    yield from _twice(contract.enum or [], step, _("The output schema of “{step}” offers “{intent}” twice"))


def _twice(words: list[Word], step: Step, text: str) -> Iterator[Finding]:
    first: dict[str, Word] = {}
    for word in words:
        before = first.setdefault(word.value, word)
        if before is not word:
            yield Finding(
                text.format(step=step.id, intent=word.value),
                word.span,
                word.pointer,
                step=step.id,
                document=word.document,
                sides=[Side(before.document, before.span, before.pointer, _("the first one"))],
                proposals=_removed(word),
                cause=("twice", id(word.document), word.span),  # a schema that steps share is reported once
            )


def _removed(word: Word) -> Iterator[Proposal]:
    if word.document.tree.valid:
        from stepflow_gui.text.json.edit import remove

        edits = remove(word.document.tree, word.pointer)
        title = _("Remove the second “{word}”").format(word=word.value)
        yield Proposal(title, tuple((word.document, edit) for edit in edits), safe=True)
