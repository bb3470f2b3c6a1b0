"""SF901 hash-id-form.

What it does: reports steps whose id isn't `s_` with 4 to 8 hexadecimal digits.

Why is this bad: the design asks for such ids, so that a step keeps its id when it is given another name or place.
climpt reads any id, but tools that tell formats apart by that form take the file for another.

Fix: give the step an id of that form wherever its old one stands; what it is called belongs into its `name`.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.checks.ids import is_hash_id, new_id
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.diagnostic import ERROR
from stepflow_gui.lint.examples.example import Moved, changed
from stepflow_gui.lint.rule import FLOW, DocumentEdits, Finding, Later, Proposal, Rule
from stepflow_gui.lint.scope import RuleContext
from stepflow_gui.messages import _

RULE = Rule("SF901", "hash-id-form", ERROR, formats=("checks",), looks_at=FLOW)

BAD = changed(
    {
        "/steps/analyze": Moved("/steps/s_a8f3"),
        "/steps/analyze/id": "analyze",
        "/entryStep": "analyze",
        "/steps/analyze/check/onFail/next": "analyze",
        "/steps/s_b2c1/check/onFail/fallback": "analyze",
    },
    base="checks",
)
GOOD = changed(base="checks")


def check(scope: RuleContext) -> Iterator[Finding]:
    """At the step's key. What the step is called elsewhere is SF101's and SF301's."""
    taken = {*scope.flow.steps, *(odd.value for odd in scope.flow.odd_steps)}
    for step in scope.flow.steps.values():
        if is_hash_id(step.id) or has_placeholder(step.id):
            continue
        new = new_id(step.id, taken)
        taken.add(new)
        text = _(
            "“{step}” is no id of a step with a check: that is s_ with 4 to 8 hexadecimal digits; climpt reads any"
        )
        yield Finding(
            text.format(step=step.id), step.key_span, step.pointer, step.id, proposals=list(_renamed(step, new, scope))
        )


def _renamed(step: Step, new: str, scope: RuleContext) -> Iterator[Proposal]:
    def edits() -> DocumentEdits:
        from stepflow_gui.formats.climpt.changes.steps.references import references, rewrite

        found = rewrite(references(scope.folder, step.id), new)
        return [(document, edit) for document, edits in found.values() for edit in edits]

    if scope.registry.tree.valid:
        title = _("Rename “{step}” to “{new}” wherever it stands").format(step=step.id, new=new)
        yield Proposal(title, Later(edits, [new]))
