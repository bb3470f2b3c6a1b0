"""SF002 duplicate-key.

What it does: reports a key that appears twice in one object, with both places.

Why is this bad: JSON readers take the last one and drop the others silently: a step, a transition or a setting is
lost.

Fix: remove one of the two, or rename it.
"""

from collections.abc import Iterator

from stepflow_gui.lint.examples.example import REMOVED
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.prelude import DOCUMENT, ERROR, Finding, Rule, RuleContext, _, changed
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.pointer import parent, split

RULE = Rule("SF002", "duplicate-key", ERROR, looks_at=DOCUMENT)

_STEP = (
    '{"stepId": "initial.issue", "name": "Issue", "c2": "initial", "c3": "issue", "edition": "default",'
    ' "uvVariables": ["issue"], "usesStdin": false}'
)
BAD = changed(
    texts={
        "steps_registry.json": '{"agentId": "issue-flow", "version": "1.0.0", "c1": "steps",\n'
        '"entryStepMapping": {"poll:state": "initial.issue"}, "steps": {\n'
        f'  "initial.issue": {_STEP},\n'
        f'  "initial.issue": {_STEP}\n'
        "}}\n",
        "prompts/steps/continuation/issue/f_default.md": REMOVED,
        "prompts/steps/closure/issue/f_default.md": REMOVED,
    }
)
GOOD = changed()


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """Say it at the later one, which wins."""
    for duplicate in document.tree.duplicates():
        keys = split(duplicate.pointer)
        is_step = parent(duplicate.pointer) == "/steps"
        message = (
            _("“{key}” is defined twice: {runner} refuses to load the file")
            if document.is_yaml
            else _("The step “{key}” appears twice: the runner uses this one and ignores the earlier one")
            if is_step
            else _("“{key}” appears twice: the runner uses this one and ignores the earlier one")
        )
        yield Finding(
            message.format(key=keys[-1], runner=_runner(context) if document.is_yaml else ""),
            duplicate.again,
            duplicate.pointer,
            document=document,
            step=keys[1] if len(keys) > 1 and keys[0] == "steps" else None,
            sides=[Side(document, duplicate.first, duplicate.pointer, _("the earlier one is here"))],
        )


def _runner(context: RuleContext) -> str:
    from stepflow_gui.lint.rules.takt.release_words import runner  # registries are of other formats

    return runner(context)
