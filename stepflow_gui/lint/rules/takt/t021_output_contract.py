"""T021 output-contract.

What it does: reports entries of `output_contracts.report` of a form that the file's releases don't know (a name with
its format, up to 0.16 labels with file names), names that are outside the folder of reports, are TAKT 0.60's own or
differ in letter case only, and two reports of one name.

Why is this bad: TAKT 0.53 to 0.60 refuse to load the file, older releases where they don't know the form. In these a
report outside the folder ends the run, and the second report of a name is put behind the first, in one file.

Fix: write `name` and `format`, or `Label: file.md`, with a name of its own below the folder of the reports.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.takt.releases.sets import since
from stepflow_gui.formats.takt.report_paths import portable, report_path_fault, same_file
from stepflow_gui.formats.takt.sections import report_names
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, Finding, Rule, RuleContext, Step, _
from stepflow_gui.lint.rules.takt.field_faults import faults_for, finding_of, refused_by
from stepflow_gui.lint.rules.takt.reading import TAKT, is_here, span_of, step_at
from stepflow_gui.lint.rules.takt.release_words import runner, severity, wanted_releases

RULE = Rule("T021", "output-contract", ERROR, formats=TAKT, looks_at=FLOW)

BAD = piece(("          format: plan\n", "          format: plan\n        - summary.md\n"))
GOOD = piece()

_REPORTING = since("0.8.0-alpha.1")
_UNIQUE = since("0.53.0")  # a report once, and below the folder of the reports
_RESERVING = since("0.60.0")  # some names are their own, and the parts of a path are looked at


def check(context: RuleContext) -> Iterator[Finding]:
    """The faults that the loader finds there, then names that appear twice."""
    for fault in faults_for(RULE.code, context):
        if fault.kind in {"one_of", "form"}:
            text = (
                _("A report is a name with its format, or labels with file names: {runner} refuses to load the file")
                if fault.kind == "one_of"
                else _("A report is a name with its format: {runner} refuses to load the file")
            )
            refused = refused_by(fault, context)
            text = text.format(runner=runner(context, refused))
            yield Finding(
                text,
                span_of(context, fault),
                fault.pointer,
                step_at(context, fault.path),
                severity=severity(context, refused),
            )
        else:
            yield finding_of(fault, context)
    if not wanted_releases(context) & _REPORTING:
        return
    spellings: dict[str, Text] = {}
    for step in (*context.flow.steps.values(), *context.flow.repeated_steps):
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
    wanted = wanted_releases(context)
    fault = report_path_fault(name.value, strict=bool(wanted & _RESERVING))
    refusing = wanted & (_UNIQUE if fault in {None, "outside"} else _RESERVING)
    first = spellings.setdefault(same_file(name.value), name)
    values = {"step": step.id, "file": name.value, "other": first.value, "runner": runner(context, refusing)}
    if fault is not None:
        texts = {
            "outside": _("The report “{file}” of “{step}” is outside the folder of the reports"),
            "form": _(
                "“{file}” of “{step}” is not a path of a report: parts between single “/”, no “.”, no blanks around"
            ),
            "reserved": _("“{file}” of “{step}” is a name that {runner} keeps for itself"),
        }
        ending = _(": {runner} refuses to load the file") if refusing else _(": the run ends there")
        yield Finding((texts[fault] + ending).format(**values), name.span, name.pointer, step.id)
    elif refusing and first.value != name.value:
        text = (
            _("“{file}” and “{other}” differ in the case of letters only: {runner} refuses to load the file")
            if portable(first.value) == portable(name.value)
            else _("“{file}” and “{other}” are one file: {runner} refuses to load the file")
        )
        yield Finding(
            text.format(**values),
            name.span,
            name.pointer,
            step.id,
            severity=severity(context, refusing),
            sides=[Side(context.registry, first.span, first.pointer, _("the first is here"))],
        )


def _doubles(step: Step, context: RuleContext) -> Iterator[Finding]:
    seen: dict[str, Text] = {}
    for name in _names(step):
        first = seen.setdefault(name.value, name)
        if first is name:
            continue
        refused = wanted_releases(context) & _UNIQUE
        text = (
            _("“{step}” writes two reports of the name “{file}”: {runner} refuses to load the file")
            if refused
            else _("“{step}” writes two reports of the name “{file}”: both go into one file")
        )
        yield Finding(
            text.format(step=step.id, file=name.value, runner=runner(context, refused)),
            name.span,
            name.pointer,
            step.id,
            severity=severity(context, refused),
            sides=[Side(context.registry, first.span, first.pointer, _("the first is here"))],
        )
