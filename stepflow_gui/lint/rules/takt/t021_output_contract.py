"""T021 output-contract.

What it does: reports entries of `output_contracts.report` that are neither a name with its format nor labels with file
names; names that lead out of the folder of reports; two reports of one name in one movement; and in workflows names
that TAKT 0.60 keeps for itself, or that differ in letter case only.

Why is this bad: TAKT 0.60 refuses to load the file, TAKT 0.8 where an entry has neither form. There a report outside
the folder ends the run, and the second report of a name is put behind the first, in one file.

Fix: write `name` and `format`, or `Label: file.md`, with a name of its own below the folder of the reports.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.takt.report_paths import portable, report_path_fault
from stepflow_gui.formats.takt.sections import report_names
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, WARNING, Finding, Rule, RuleContext, Step, _
from stepflow_gui.lint.rules.takt.field_faults import faults_for, finding_of
from stepflow_gui.lint.rules.takt.reading import TAKT, is_here, span_of, step_at

RULE = Rule("T021", "output-contract", ERROR, formats=TAKT, looks_at=FLOW)

BAD = piece(("          format: plan\n", "          format: plan\n        - summary.md\n"))
GOOD = piece()


def check(context: RuleContext) -> Iterator[Finding]:
    """The faults that the loader finds there, then names that stand twice."""
    for fault in faults_for(RULE.code, context):
        if fault.kind == "one_of":
            text = _("A report is a name with its format, or labels with file names: {runner} refuses to load the file")
            text = text.format(runner=context.takt.release)
            yield Finding(text, span_of(context, fault), fault.pointer, step_at(context, fault.path))
        else:
            yield finding_of(fault, context)
    spellings: dict[str, Text] = {}
    for step in context.flow.steps.values():
        yield from _doubles(step, context)
        for name in _names(step):
            yield from _path(name, step, spellings, context)


def _names(step: Step) -> Iterator[Text]:
    """The reports of a movement and its sub-steps; what a parallel movement has itself is never read in pieces."""
    own = [] if step.subs else [step]
    for each in [*own, *(sub for sub in step.subs if is_here(sub, step))]:
        yield from report_names(each)


def _path(name: Text, step: Step, spellings: dict[str, Text], context: RuleContext) -> Iterator[Finding]:
    """What is wrong with one name by itself, or beside one that is like it."""
    era = context.takt
    refused = report_path_fault(name.value, era)
    first = spellings.setdefault(portable(name.value), name)
    values = {"step": step.id, "file": name.value, "other": first.value, "runner": era.release}
    if refused is not None:
        texts = {
            "outside": _("The report “{file}” of “{step}” leads out of the folder of the reports"),
            "form": _(
                "“{file}” of “{step}” is no path of a report: parts between single “/”, no “.”, no blanks around"
            ),
            "reserved": _("“{file}” of “{step}” is a name that {runner} keeps for itself"),
        }
        ending = _(": {runner} refuses to load the file") if era.refuses_unknown else _(": the run ends there")
        yield Finding((texts[refused] + ending).format(**values), name.span, name.pointer, step.id)
    elif era.refuses_doubles and first.value != name.value:
        text = _("“{file}” and “{other}” differ in the case of letters only: {runner} refuses to load the file")
        yield Finding(
            text.format(**values),
            name.span,
            name.pointer,
            step.id,
            sides=[Side(context.registry, first.span, first.pointer, _("the first is here"))],
        )


def _doubles(step: Step, context: RuleContext) -> Iterator[Finding]:
    seen: dict[str, Text] = {}
    for name in _names(step):
        first = seen.setdefault(name.value, name)
        if first is name:
            continue
        refused = context.takt.refuses_doubles
        text = (
            _("“{step}” writes two reports of the name “{file}”: {runner} refuses to load the file")
            if refused
            else _("“{step}” writes two reports of the name “{file}”: both go into one file")
        )
        yield Finding(
            text.format(step=step.id, file=name.value, runner=context.takt.release),
            name.span,
            name.pointer,
            step.id,
            severity=ERROR if refused else WARNING,
            sides=[Side(context.registry, first.span, first.pointer, _("the first is here"))],
        )
