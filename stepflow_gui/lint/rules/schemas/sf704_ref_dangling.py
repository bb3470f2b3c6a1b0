"""SF704 ref-dangling.

What it does: reports `$ref`s in the steps' output schemas that point to a missing file or place. The path from the step
to it is shown.

Why is this bad: climpt resolves the schemas of steps with a gate when it loads the registry, and refuses it where one
can't be resolved. Elsewhere the run stops at the step.

Fix: write where the definition is, or add it. A pointer is taken as it is written, without `~` escapes.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.formats.climpt.schema_merge import SchemaProblem
from stepflow_gui.lint.closest_name import is_likely
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import ERROR, GATE, STEP, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.refusals import registry_refused
from stepflow_gui.lint.rules.schemas.schema_faults import faults, finding_of, is_loaded
from stepflow_gui.lint.rules.schemas.subschemas import MAPS
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.pointer import join, split

RULE = Rule("SF704", "ref-dangling", ERROR, formats=GATE, looks_at=STEP)

BAD = changed(
    {
        "issue.schema.json#/definitions": {"note": {"type": "string"}},
        "issue.schema.json#/initial.issue/properties/note": {"$ref": "#/definitions/notes"},
    }
)
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look at the whole schema."""
    for problem in faults(step, context, ("ref-dangling",)):
        if has_placeholder(problem.detail):
            continue
        document = problem.place.document
        where = problem.file or document.path
        file, _hash, path = problem.detail.partition("#")
        target = context.folder.document(where)
        if isinstance(target, ParsedFile):
            text = _("“{ref}” can't be resolved: {file} has no {path}")
            like = _like_pointer(path, target, context)
            meant = f"{file}#{like}" if like else None
            definition = _misspelt_definition(path, like, target, context) if like else None
        else:
            definition = None
            text = _("“{ref}” can't be resolved: there is no file {file}")
            like = context.nearest(RULE.code, file, _names_beside(document.path)) if file else None
            meant = like + problem.detail[len(file) :] if like else None
        message = text.format(ref=problem.detail, file=where.name, path=path)
        message += _tail(step, context)
        if definition:
            yield _at_definition(definition, message, problem, step, context)
            continue
        if meant:
            message += _(". Did you mean “{meant}”?").format(meant=meant)
        proposals = [write(document, problem.place.span, meant)] if meant and _is_text(problem) else ()
        yield finding_of(RULE.code, problem, step, context, message, ERROR, proposals)


def _tail(step: Step, context: RuleContext) -> str:
    text = (
        _(". The schema of “{step}” can't be resolved: {outcome}")
        if is_loaded(step, context)
        else _(". The schema of “{step}” can't be resolved, and the run stops there")
    )
    return text.format(step=step.id, outcome=registry_refused(context))


def _like_pointer(path: str, target: ParsedFile, context: RuleContext) -> str | None:
    """The pointer with the key put right at which it goes wrong."""
    keys = _keys(path)
    at = target.root.value if target.root else None
    for index, key in enumerate(keys):
        if not isinstance(at, dict):
            return None
        if key not in at:
            like = context.nearest(RULE.code, key, at)
            if like is None or not _resolves(at[like], keys[index + 1 :]):
                return None
            return "/" + "/".join([*keys[:index], like, *keys[index + 1 :]])
        at = at[key]
    return None


def _keys(path: str) -> list[str]:
    return path.removeprefix("/").split("/")


class _Definition(NamedTuple):
    """A misspelt key on the path to a schema, and what was meant."""

    document: ParsedFile
    pointer: str
    meant: str


def _misspelt_definition(path: str, like: str, target: ParsedFile, context: RuleContext) -> _Definition | None:
    """The key that references mean, where it is that one which is misspelt.

    So it is where a keyword is meant, and where no reference names the key as it is written and the evidence is for the
    other name.
    """
    keys, others = _keys(path), _keys(like)
    at = next((index for index, (key, other) in enumerate(zip(keys, others, strict=True)) if key != other), None)
    if at is None or not is_likely(others[at], keys[at]) or not target.tree.valid:
        return None
    definition = _Definition(target, join("", *others[: at + 1]), keys[at])
    if keys[at] in MAPS:
        return definition
    ways = [_keys(ref.partition("#")[2]) for ref in _references(context)]
    named = [way[at] for way in ways if len(way) > at and way[:at] == keys[:at]]
    if others[at] in named:
        return None
    right = context.evidence.is_right(keys[at], others[at], named=named.count(keys[at]), defined=1)
    return definition if right else None


def _references(context: RuleContext) -> Iterator[str]:
    """Every `$ref` of the agent's schema files."""
    files = [file for file in context.folder.schema_files() if isinstance(file, ParsedFile)]
    stack = [file.root.value for file in files if file.root]
    while stack:
        at = stack.pop()
        if isinstance(at, dict):
            if isinstance(at.get("$ref"), str):
                yield at["$ref"]
            stack += at.values()
        elif isinstance(at, list):
            stack += at


def _at_definition(
    definition: _Definition, message: str, problem: SchemaProblem, step: Step, context: RuleContext
) -> Finding:
    """One finding for all references to it, at the key that has to be renamed."""
    document = definition.document
    span = document.tree.key_span(definition.pointer)
    assert span is not None
    word = split(definition.pointer)[-1]
    message += _(". “{word}” is probably “{meant}”, misspelt").format(word=word, meant=definition.meant)
    found = finding_of(RULE.code, problem, step, context, message, ERROR, [write(document, span, definition.meant)])
    place = problem.place
    side = Side(place.document, place.span, place.pointer, _("it is named here"))
    cause = ("definition", id(document), definition.pointer)
    found = found._replace(span=span, pointer=definition.pointer, document=document, sides=[side, *found.sides])
    return found._replace(cause=cause, misspelt=True)


def _resolves(at: object, keys: list[str]) -> bool:
    for key in keys:
        if not isinstance(at, dict) or key not in at:
            return False
        at = at[key]
    return True


def _names_beside(path: Path) -> Iterator[str]:
    try:
        yield from sorted(entry.name for entry in path.parent.iterdir() if entry.suffix == ".json")
    except OSError:
        return


def _is_text(problem: SchemaProblem) -> bool:
    node = problem.place.document.tree.at(problem.place.pointer)
    return node is not None and node.value == problem.detail
