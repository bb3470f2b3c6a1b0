"""SF707 path-escape.

What it does: reports paths that, their links followed, lie outside the project: schemas and references in them, folders
of schemas and prompts, prompts of steps, and the files that agent.json names. A path may hold `..` as long as it stays;
climpt 1.14 (a pre-release) refuses one in an outputSchemaRef anyway, and an absolute path.

Why is this bad: what is outside is missing for those who check the project out, and isn't read here: no file outside
the project is opened on the word of one inside.

Fix: put the file into the project.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.lookup import is_odd_path, path_of_fields
from stepflow_gui.formats.climpt.registry import text_at
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.once import SHOWN
from stepflow_gui.lint.rules.prelude import (
    ALL,
    ERROR,
    FLOW,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    Step,
    _,
    changed,
    ngettext,
)
from stepflow_gui.lint.rules.schemas.schema_faults import faults, finding_of
from stepflow_gui.text.document import ParsedFile, Place
from stepflow_gui.text.source import Span

RULE = Rule("SF707", "path-escape", ERROR, formats=ALL, looks_at=FLOW)

BAD = changed({"/steps/initial.issue/outputSchemaRef/file": "../../../../shared/issue.schema.json"})
GOOD = changed()

BASES = ("schemasBase", "userPromptsBase")
BASE_OF_CHECKS = "basePath"
HANDLER = "/runner/verdict/config"


def check(context: RuleContext) -> Iterator[Finding]:
    """The registry's folders first: where one of them lies outside, its files aren't reported."""
    if context.format == "takt":
        yield from _piece(context)
        return
    inside = _Inside(context.folder.root)
    bases = {text.pointer.removeprefix("/"): text for text in _bases(context)}
    outside = [key for key, base in bases.items() if not inside.any([_holder(key, context) / base.value])]
    for key in outside:
        message = _("“{path}”, the {field} of the registry, lies outside the project")
        yield _finding(bases[key], context.registry, message, key)
    if "schemasBase" not in outside and not _is_base_outside(context, inside):
        yield from context.each(RULE.code, lambda step: _schema(step, context))
    reported: set[Span] = set()  # c1 is that of all steps
    for step in context.flow.steps.values() if not {"userPromptsBase", BASE_OF_CHECKS} & set(outside) else ():
        for finding in _prompt(step, context, inside):
            if finding.span not in reported:
                yield finding
            reported.add(finding.span)
        if context.format == "checks":
            yield from _check_prompt(step, context, inside)
    yield from _agent(context, inside)


def _is_base_outside(context: RuleContext, inside: "_Inside") -> bool:
    """Whether the folder of schemas that agent.json names lies outside, which is reported there."""
    base = context.folder.agent.schemas_base if context.folder.agent else None
    folders = (context.folder.root, context.folder.folder)
    return base is not None and bool(base.value) and not inside.any(holder / base.value for holder in folders)


class _Inside:
    """Reports which paths lie in a folder, links followed."""

    def __init__(self, root: Path) -> None:
        self.root = os.path.realpath(root)

    def any(self, paths: Iterable[Path]) -> bool:
        """Whether one of the paths does."""
        return any(self._holds(path) for path in paths)

    def _holds(self, path: Path) -> bool:
        try:
            real = os.path.realpath(path)
        except (OSError, ValueError):
            return True  # no file can have such a name
        return real == self.root or real.startswith(self.root.rstrip(os.sep) + os.sep)


def _bases(context: RuleContext) -> Iterator[Text]:
    root = context.registry.root
    for key in (BASE_OF_CHECKS,) if context.format == "checks" else BASES:
        text = text_at(root, key, "") if root else None
        if text and text.value and not has_placeholder(text.value):
            yield text


def _holder(base: str, context: RuleContext) -> Path:
    """The folder from which a base counts."""
    return context.folder.folder if base == BASE_OF_CHECKS else context.folder.root


def _schema(step: Step, context: RuleContext) -> Iterator[Finding]:
    file = step.schema_ref.file if step.schema_ref else None
    if context.era.whole_check and file is not None and is_odd_path(file.value):
        message = _(
            "“{path}”, the schema file of “{step}”, is absolute or holds “..”: climpt-1.14 refuses to start the agent"
        )
        plain = _plain(file.value, context)
        yield Finding(
            message.format(path=file.value, step=step.id),
            file.span,
            file.pointer,
            step=step.id,
            proposals=[write(context.registry, file.span, plain)] if plain else (),
        )
        return
    for problem in faults(step, context, ("file-outside",)):
        if not has_placeholder(problem.detail):
            message = _("“{path}”, in the output schema of “{step}”, lies outside the project: it isn't read")
            text = message.format(path=problem.detail, step=step.id)
            yield finding_of(RULE.code, problem, step, context, text, ERROR)


def _plain(file: str, context: RuleContext) -> str | None:
    """How the same file is named without “..” from a folder of schemas; None where it lies in none."""
    folder = context.folder
    folders = dict.fromkeys(path.parent for path in folder.schema_candidates("any.json"))
    for path in folder.schema_candidates(file):
        real = Path(os.path.normpath(path))
        if folder.exists(real):
            inside = (real.relative_to(each).as_posix() for each in folders if real.is_relative_to(each))
            return next(inside, None)
    return None


def _prompt(step: Step, context: RuleContext, inside: _Inside) -> Iterator[Finding]:
    named = [step.prompt_path, step.c1, step.c2, step.c3, step.edition, step.adaptation]
    upward = next((text for text in named if text and (".." in text.value or text.value.startswith("/"))), None)
    if upward is None or has_placeholder(upward.value):
        return
    candidates = context.folder.prompt_candidates(step)
    if candidates and not inside.any(candidates):
        text = _("“{path}” puts the prompt of “{step}” outside the project: it isn't read")
        message = text.format(path=upward.value, step=step.id)
        yield Finding(message, upward.span, upward.pointer, step=step.id)


def _check_prompt(step: Step, context: RuleContext, inside: _Inside) -> Iterator[Finding]:
    check = step.raw.get("check")
    tail = path_of_fields(context.flow, check) if isinstance(check, dict) else None
    if not tail or has_placeholder(tail) or inside.any(folder / tail for folder in context.folder.prompt_folders()):
        return
    pointer = f"{step.pointer}/check/prompt"
    span = context.registry.tree.key_span(pointer)
    if span is not None:
        text = _("“{path}” puts the prompt of the check of “{step}” outside the project: it isn't read")
        yield Finding(text.format(path=tail, step=step.id), span, pointer, step=step.id)


def _agent(context: RuleContext, inside: _Inside) -> Iterator[Finding]:
    agent = context.folder.agent
    if agent is None:
        return
    root, folder = context.folder.root, context.folder.folder
    at = agent.document.tree.at(HANDLER)
    handler = text_at(at, "handlerPath", HANDLER) if at else None
    named: list[tuple[Text | None, tuple[Path, ...]]] = [
        (agent.system_prompt_path, (folder,)),
        (agent.registry_path, (folder,)),
        (agent.fallback_dir, (folder,)),
        (agent.schemas_base, (root, folder)),
        (handler, (root, folder)),
    ]
    for text, holders in named:
        if text is None or not text.value or has_placeholder(text.value):
            continue
        if not inside.any(holder / text.value for holder in holders):
            field = text.pointer.rpartition("/")[2]
            yield _finding(
                text, agent.document, _("“{path}”, the {field} of the agent, lies outside the project"), field
            )


def _piece(context: RuleContext) -> Iterator[Finding]:
    """The files of a piece, which TAKT itself reads wherever they lie; those in the home folder are meant to.

    One finding for all: what is to be changed is where the piece lies, or what the project is.
    """
    from stepflow_gui.formats.takt.files import named_files, path_of  # registries are of other formats

    outside = [
        named
        for named in named_files(context.flow)
        if not named.text.value.startswith("~") and not context.folder.inside(path_of(named.text.value, context.flow))
    ]
    if outside:
        first, *others = outside
        message = _("“{path}” lies outside the project: it isn't read here")
        if others:
            count = len(others)
            message += ngettext(". So does {count} other file", ". So do {count} other files", count).format(
                path="{path}", field="", count=count
            )
        also = [
            Side(context.registry, each.text.span, each.text.pointer, _("this one as well")) for each in others[:SHOWN]
        ]
        found = _finding(first.text, context.registry, message, "")
        yield found._replace(step=first.step, severity=WARNING, sides=also)


def _finding(text: Text, document: ParsedFile, message: str, field: str) -> Finding:
    place = Place(document, text.pointer, text.span)
    return Finding(message.format(path=text.value, field=field), place.span, place.pointer, document=document)
