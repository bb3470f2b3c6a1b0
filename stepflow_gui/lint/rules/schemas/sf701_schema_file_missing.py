"""SF701 schema-file-missing.

What it does: reports `outputSchemaRef`s whose `file` isn't where the runner looks for it, or isn't named.

Why is this bad: climpt reads the schemas of steps with a gate when it loads the registry, and refuses it where a file
is missing. Without a gate the model is asked without a schema, and its answer may hold anything.

Fix: name the file that is meant, or write it.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.formats.climpt.new_texts import schema_text
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import DocumentEdits, Later, Proposal, Side
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.once import SHOWN
from stepflow_gui.lint.rules.prelude import (
    ERROR,
    FLOW,
    GATE,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    Step,
    _,
    changed,
    ngettext,
)
from stepflow_gui.lint.rules.refusals import registry_refused, with_outcome, without_schema
from stepflow_gui.text.document import ParsedFile, Place
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.source import Source

RULE = Rule("SF701", "schema-file-missing", ERROR, formats=GATE, looks_at=FLOW)

BAD = changed({"/steps/initial.issue/outputSchemaRef/file": "isue.schema.json"})
GOOD = changed()


class _Missing(NamedTuple):
    step: Step
    place: Place  # of the name


def check(context: RuleContext) -> Iterator[Finding]:
    """A missing file is reported once, whatever the number of steps that name it."""
    missing: dict[str, list[_Missing]] = {}
    for step in context.flow.steps.values():
        problem = context.schema(step).problem if step.schema_ref else None
        if problem is None or step.schema_ref is None:
            continue
        if problem.kind == "file-missing" and not has_placeholder(problem.detail):
            missing.setdefault(problem.detail, []).append(_Missing(step, problem.place))
        elif problem.kind == "ref-incomplete" and _names_nothing(step.schema_ref.node):
            yield _unnamed(step, problem.place, context)
    for file, places in missing.items():
        yield _finding(file, places, context)


def _names_nothing(ref: Node) -> bool:
    return ref.kind == "object" and ref.value.get("file") in (None, "")


def _unnamed(step: Step, place: Place, context: RuleContext) -> Finding:
    message = _("The outputSchemaRef of “{step}” names no file").format(step=step.id)
    message = with_outcome(message, without_schema(step, context))
    severity = ERROR if step.gate else WARNING
    return Finding(message, place.span, place.pointer, step=step.id, severity=severity)


def _finding(file: str, places: list[_Missing], context: RuleContext) -> Finding:
    first, *others = places
    gated = any(each.step.gate for each in places)
    paths = [_shown(path, context) for path in context.folder.schema_candidates(file)]
    message = (
        _("The schema file of “{step}”, “{path}”, doesn't exist: {outcome}")
        if gated and context.format != "complete"
        else _("The schema file of “{step}”, “{path}”, doesn't exist: the model is asked without a schema")
    ).format(step=first.step.id, path=paths[0], outcome=registry_refused(context))
    meant = context.nearest(RULE.code, file, _names_there(file, context))
    if meant:
        message += _(". Did you mean “{meant}”?").format(meant=meant)
    return Finding(
        message,
        first.place.span,
        first.place.pointer,
        step=first.step.id,
        severity=ERROR if gated else WARNING,
        sides=_sides(first, others, paths[1:], context),
        proposals=_proposals(file, meant, places, context),
        misspelt=bool(meant),
    )


def _sides(first: _Missing, others: list[_Missing], paths: list[str], context: RuleContext) -> list[Side]:
    sides = []
    if paths:
        text = ngettext("{paths} was read as well", "{paths} were read as well", len(paths))
        named = _(", ").join(_("“{word}”").format(word=path) for path in paths)
        sides.append(Side(context.registry, first.place.span, first.place.pointer, text.format(paths=named)))
    for other in others[:SHOWN]:
        text = _("“{step}” names it as well").format(step=other.step.id)
        sides.append(Side(context.registry, other.place.span, other.place.pointer, text))
    return sides


def _names_there(file: str, context: RuleContext) -> Iterator[str]:
    """The schema files where this one was looked for."""
    above = Path(file).parent
    for path in context.folder.schema_candidates(file):
        try:
            names = sorted(entry.name for entry in path.parent.iterdir() if entry.suffix == ".json")
        except (OSError, ValueError):
            continue
        yield from (name if str(above) == "." else (above / name).as_posix() for name in names)


def _proposals(file: str, meant: str | None, places: list[_Missing], context: RuleContext) -> Iterator[Proposal]:
    if meant:
        written = [write(context.registry, each.place.span, meant) for each in places]
        yield Proposal(written[0].title, [edit for proposal in written for edit in proposal.made])
    yield _new_schema_file(context.folder.schema_candidates(file)[0], (each.step for each in places))


def _shown(path: Path, context: RuleContext) -> str:
    return (
        path.relative_to(context.folder.root).as_posix()
        if path.is_relative_to(context.folder.root)
        else path.as_posix()
    )


def _new_schema_file(path: Path, steps: Iterable[Step]) -> Proposal:
    """Write the file at a path; it is an edit of an empty text."""
    named = [(step.schema_ref.schema.value, step) for step in steps if step.schema_ref and step.schema_ref.schema]
    title = _("Write “{file}” with what the gates say").format(file=path.name)
    words = [word for name, step in named for word in (name, *_words(step))]

    def edits() -> DocumentEdits:
        return ((ParsedFile.read(path, Source("")), TextEdit(0, 0, schema_text([step for _name, step in named]))),)

    return Proposal(title, Later(edits, words, [path]))


def _words(step: Step) -> Iterator[str]:
    """What the step's schema will have of the gate."""
    if step.gate and step.gate.intent_field and step.gate.intent_field.value:
        yield step.gate.intent_field.value
        yield from (intent.value for intent in step.gate.intents)
