"""SF901 hash-id-form.

What it does: reports steps whose id isn't `s_` with 4 to 8 hexadecimal digits.

Why is this bad: the design asks for such ids, so a step keeps its id when it is given another name or place.
climpt reads any id, but tools that detect formats by that form read the file as another.

Fix: give the step an id of that form wherever its old one is used; what it is called belongs into its `name`.
"""

from collections.abc import Iterator

from stepflow_gui.formats.checks.ids import is_hash_id, new_id
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.examples.example import Moved
from stepflow_gui.lint.rule import DocumentEdits, Later, Proposal
from stepflow_gui.lint.rules.checks.outcomes import reader
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, Finding, Rule, RuleContext, Step, _, changed

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


def check(context: RuleContext) -> Iterator[Finding]:
    """At the step's key. What the step is called elsewhere is SF101's and SF301's."""
    taken = {*context.flow.steps, *(odd.value for odd in context.flow.odd_steps)}
    for step in context.flow.steps.values():
        if is_hash_id(step.id) or has_placeholder(step.id):
            continue
        new = new_id(step.id, taken)
        taken.add(new)
        text = _(
            "“{step}” is not the id of a step with a check, which is s_ and 4 to 8 hexadecimal digits; {era} reads any"
        )
        yield Finding(
            text.format(step=step.id, era=reader(context)),
            step.key_span,
            step.pointer,
            step.id,
            proposals=list(_renamed(step, new, context)),
        )


def _renamed(step: Step, new: str, context: RuleContext) -> Iterator[Proposal]:
    def edits() -> DocumentEdits:
        from stepflow_gui.formats.climpt.changes.steps.references import references, rewrite

        found = rewrite(references(context.folder, step.id), new)
        return [(document, edit) for document, edits in found.values() for edit in edits]

    if context.registry.tree.valid:
        title = _("Rename “{step}” to “{new}” everywhere").format(step=step.id, new=new)
        yield Proposal(title, Later(edits, [new]))
