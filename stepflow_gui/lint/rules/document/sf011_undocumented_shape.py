"""SF011 undocumented-shape.

What it does: says that a registry is in a shape that climpt once wrote, or writes on a branch, and that none of the
guides describes: older ones with promptPath, flow lists, completionSteps or nothing but prompts, those without gates,
and later ones with entry pairs or with kind and address.

Why is this bad: it needn't be. Such a file is read, drawn and checked for what all shapes have in common; the rules
about gates, intents and prompts stay silent, so that their silence proves nothing.

Fix: none is needed. Where a newer climpt is to run the file, give its steps gates and transitions.
"""

from collections.abc import Callable, Iterator

from stepflow_gui.formats.names import format_name
from stepflow_gui.lint.examples.example import whole
from stepflow_gui.lint.rules.prelude import DOCUMENT, INFO, Finding, Rule, RuleContext, _, changed
from stepflow_gui.text.document import ParsedFile


def _older() -> str:
    return _("This file is in an older shape, “{shape}”: only what all shapes have in common is checked")


def _plain() -> str:
    return _("This file is in the shape “{shape}”: without gates, only what all shapes have in common is checked")


def _later() -> str:
    return _("This file is in the shape of a later climpt, “{shape}”: only what all shapes have in common is checked")


_SHAPES: dict[str, tuple[Callable[[], str], tuple[str, ...]]] = {
    "prompt-path": (_older, ()),
    "flow-array": (_older, ("flow",)),
    "c3l-completion": (_older, ("completionSteps", "completionPatterns")),
    "c3l-flat": (_older, ()),
    "gateless": (_plain, ()),
    "transitions-only": (_plain, ()),
    "entry-pair": (_later, ("entryStepMapping",)),
    "adt-kind-address": (_later, ()),
}
"""Each shape, what is said of it, and the keys by which a reader knows it."""

RULE = Rule("SF011", "undocumented-shape", INFO, formats=tuple(_SHAPES), looks_at=DOCUMENT)

BAD = whole(
    """{
  "agentId": "issue-flow",
  "version": "2.0.0",
  "c1": "steps",
  "flow": { "issue": ["work", "validate"] },
  "steps": {
    "work": { "stepId": "work", "name": "Work", "c2": "initial", "c3": "issue", "edition": "default" },
    "validate": { "stepId": "validate", "name": "Validate", "c2": "continuation", "c3": "issue", "edition": "default" }
  }
}
"""
)
GOOD = changed()


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """One finding for the registry, at the key by which the shape is known; none while mistakes may hide gates."""
    root, tree = document.root, document.tree
    if document is not context.registry or root is None or not tree.valid or tree.duplicates():
        return
    said, keys = _SHAPES[context.format]
    mark = next((member for key in (*keys, "steps") if (member := root.member(key))), None)
    if mark is not None:
        message = said().format(shape=format_name(context.format))
        yield Finding(message, mark.key_span, f"/{mark.key}")
