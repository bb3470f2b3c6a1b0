"""SF702 schema-name-missing.

What it does: reports `outputSchemaRef`s whose `schema` isn't in the file: a name under `definitions`, `$defs` or at the
top, or a pointer.

Why is this bad: climpt reads the schemas of steps with a gate when it loads the registry, and refuses it where one is
missing. Elsewhere the run stops at the step's second turn.

Fix: write the name that the file has. Where the schema's own name has the slip, rename that.
"""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.flow.model import SchemaRef
from stepflow_gui.formats.climpt.schema_merge import SchemaProblem
from stepflow_gui.formats.climpt.schemas import find_schema
from stepflow_gui.lint.closest_name import is_likely, plain
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import ERROR, GATE, STEP, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.refusals import registry_refused, with_outcome, without_schema
from stepflow_gui.lint.rules.schemas.schema_faults import is_loaded
from stepflow_gui.lint.step_identity import prompt_names
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.pointer import join, split

RULE = Rule("SF702", "schema-name-missing", ERROR, formats=GATE, looks_at=STEP)

_HOLDERS = ("definitions", "$defs")

BAD = changed({"/steps/initial.issue/outputSchemaRef/schema": "initial.isue"})
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look at what kept the schema from being found."""
    ref = step.schema_ref
    problem = context.schema(step).problem if ref else None
    if ref is None or problem is None:
        return
    if problem.kind in {"name-missing", "name-malformed"} and not has_placeholder(problem.detail):
        yield _not_there(step, problem, context)
    elif problem.kind == "file-invalid" and _is_no_object(problem, context):
        message = _("The schema file of “{step}” holds no object, so no schema either").format(step=step.id)
        yield Finding(message, problem.place.span, problem.place.pointer, step=step.id)
    elif problem.kind == "ref-incomplete" and _names_only_a_file(ref):
        message = _("The outputSchemaRef of “{step}” names no schema").format(step=step.id)
        message = with_outcome(message, without_schema(step, context))
        yield Finding(message, problem.place.span, problem.place.pointer, step=step.id)


def _not_there(step: Step, problem: SchemaProblem, context: RuleContext) -> Finding:
    name = problem.detail
    file = problem.file.name if problem.file else ""
    if problem.kind == "name-malformed":
        text = _("“{step}” names its schema “{name}”, which can't be looked up: no “##” or “//”")
        meant = _tidied(problem, context)
    else:
        text = _("The schema of “{step}”, “{name}”, isn't in {file}")
        meant = _named_like(name, problem, context)
    text += _(": {outcome}") if is_loaded(step, context) else _(": the run stops there")
    message = text.format(step=step.id, name=name, file=file, outcome=registry_refused(context))
    key = _misspelt_key(step, meant, problem, context)
    if key is not None:
        return _at_key(key, message, problem, step, context)
    if meant:
        message += _(". Did you mean “{meant}”?").format(meant=meant)
    return Finding(
        message,
        problem.place.span,
        problem.place.pointer,
        step=step.id,
        proposals=[write(context.registry, problem.place.span, meant)] if meant else (),
        misspelt=bool(meant),
    )


class _MisspeltKey(NamedTuple):
    """A key of the schema file that is misspelt, and how it is meant."""

    document: ParsedFile
    pointer: str
    meant: str


def _misspelt_key(step: Step, like: str | None, problem: SchemaProblem, context: RuleContext) -> _MisspeltKey | None:
    """The key that hides the schema: the one that holds the definitions, or its own.

    Its own is misspelt where no step names it as it is written, and the evidence is for the name that this step has.
    """
    found = context.folder.document(problem.file) if problem.file else None
    if not isinstance(found, ParsedFile) or found.root is None or not found.tree.valid:
        return None
    holder, _slash, name = problem.detail.removeprefix("#").removeprefix("/").rpartition("/")
    for member in found.root.members():
        words = [each for each in _HOLDERS if holder in {"", each} and is_likely(member.key, each)]
        if words and member.key not in _HOLDERS and member.value.get(name) is not None:
            return _MisspeltKey(found, join("", member.key), words[0])
    fragment = find_schema(found, like) if like else None
    own = split(fragment.pointer)[-1] if fragment and fragment.pointer else ""
    schemas = (each.schema_ref.schema for each in context.flow.steps.values() if each.schema_ref)
    named = {schema.value.rpartition("/")[2] for schema in schemas if schema}
    if fragment is None or own in named or not is_likely(own, name) or own != (like or "").rpartition("/")[2]:
        return None
    fits = prompt_names(step) | {plain(step.id)}
    right = context.evidence.is_right(name, own, fits, defined=1)
    return _MisspeltKey(found, fragment.pointer, name) if right else None


def _at_key(key: _MisspeltKey, message: str, problem: SchemaProblem, step: Step, context: RuleContext) -> Finding:
    """One finding for all steps of which it hides the schema, at the key that has to be renamed."""
    span = key.document.tree.key_span(key.pointer)
    assert span is not None
    message += _(". “{word}” is probably “{meant}”, misspelt").format(word=split(key.pointer)[-1], meant=key.meant)
    return Finding(
        message,
        span,
        key.pointer,
        step=step.id,
        document=key.document,
        sides=[Side(context.registry, problem.place.span, problem.place.pointer, _("it is named here"))],
        proposals=[write(key.document, span, key.meant)],
        cause=("definition", id(key.document), key.pointer),
        misspelt=True,
    )


def _tidied(problem: SchemaProblem, context: RuleContext) -> str | None:
    name = problem.detail
    while "##" in name or "//" in name:
        name = name.replace("##", "#").replace("//", "/")
    document = context.folder.document(problem.file) if problem.file else None
    return name if isinstance(document, ParsedFile) and find_schema(document, name) else None


def _named_like(name: str, problem: SchemaProblem, context: RuleContext) -> str | None:
    holder, _slash, last = name.rpartition("/")
    if last in problem.names:
        return last  # it is there, but not where the pointer says
    like = context.nearest(RULE.code, last, problem.names)
    if like is None or not holder:
        return like
    document = context.folder.document(problem.file) if problem.file else None
    there = isinstance(document, ParsedFile) and find_schema(document, f"{holder}/{like}") is not None
    return f"{holder}/{like}" if there else like


def _names_only_a_file(ref: SchemaRef) -> bool:
    return ref.file is not None and bool(ref.file.value) and ref.node.value.get("schema") in (None, "")


def _is_no_object(problem: SchemaProblem, context: RuleContext) -> bool:
    document = context.folder.document(problem.file) if problem.file else None
    return isinstance(document, ParsedFile) and document.tree.valid
