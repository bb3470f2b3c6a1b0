"""T021 output-contract.

What it does: reports entries of `output_contracts.report` that are neither a name with its format nor labels with file
names, and two reports of one file name in one movement.

Why is this bad: TAKT refuses to load the file. In pieces the second report of a name is put behind the first, in one
file.

Fix: write `name` and `format`, or `Label: file.md`.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Step, Text
from stepflow_gui.formats.takt.sections import report_names
from stepflow_gui.lint.diagnostic import ERROR, WARNING
from stepflow_gui.lint.example_piece import piece
from stepflow_gui.lint.rule import FLOW, Finding, Rule, Side
from stepflow_gui.lint.rules.takt.field_faults import faults_for, finding_of
from stepflow_gui.lint.rules.takt.reading import TAKT, is_here, span_of, step_at
from stepflow_gui.lint.scope import Scope
from stepflow_gui.messages import _

RULE = Rule("T021", "output-contract", ERROR, formats=TAKT, looks_at=FLOW)

BAD = piece(("          format: plan\n", "          format: plan\n        - summary.md\n"))
GOOD = piece()


def check(scope: Scope) -> Iterator[Finding]:
    """The faults that the loader finds there, then names that stand twice."""
    for fault in faults_for(RULE.code, scope):
        if fault.kind == "one_of":
            text = _("A report is a name with its format, or labels with file names: TAKT refuses to load the file")
            yield Finding(text, span_of(scope, fault), fault.pointer, step_at(scope, fault.path))
        else:
            yield finding_of(fault, scope)
    for step in scope.flow.steps.values():
        yield from _doubles(step, scope)


def _doubles(step: Step, scope: Scope) -> Iterator[Finding]:
    seen: dict[str, Text] = {}
    own = [] if step.subs else [step]
    for each in [*own, *(sub for sub in step.subs if is_here(sub, step))]:
        for name in report_names(each):
            first = seen.setdefault(name.value, name)
            if first is name:
                continue
            refused = scope.takt.refuses_doubles
            text = (
                _("“{step}” writes two reports of the name “{file}”: TAKT refuses to load the file")
                if refused
                else _("“{step}” writes two reports of the name “{file}”: both go into one file")
            )
            yield Finding(
                text.format(step=step.id, file=name.value),
                name.span,
                name.pointer,
                step.id,
                severity=ERROR if refused else WARNING,
                sides=[Side(scope.registry, first.span, first.pointer, _("the first is here"))],
            )
