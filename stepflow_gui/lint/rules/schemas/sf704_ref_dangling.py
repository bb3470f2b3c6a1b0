"""SF704 ref-dangling.

What it does: reports `$ref`s in the steps' output schemas that lead to no file or to nothing in it. The way from the
step to it is shown.

Why is this bad: climpt resolves the schemas of steps with a gate when it loads the registry, and refuses it where one
can't be resolved. Elsewhere the run stops at the step.

Fix: write where the definition is, or add it. A pointer is taken as it is written, without `~` escapes.
"""

from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.formats.climpt.schema_merge import SchemaProblem
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import ERROR, GATE, STEP, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.refusals import registry_refused
from stepflow_gui.lint.rules.schemas.schema_faults import faults, finding_of, is_loaded
from stepflow_gui.text.document import ParsedFile

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
            text = _("“{ref}” leads nowhere: {file} has no {path}")
            meant = _like_pointer(path, target, context)
            meant = f"{file}#{meant}" if meant else None
        else:
            text = _("“{ref}” leads nowhere: there is no file {file}")
            like = context.nearest(RULE.code, file, _names_beside(document.path)) if file else None
            meant = like + problem.detail[len(file) :] if like else None
        message = text.format(ref=problem.detail, file=where.name, path=path)
        message += _tail(step, context)
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
    keys = path.removeprefix("/").split("/")
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
