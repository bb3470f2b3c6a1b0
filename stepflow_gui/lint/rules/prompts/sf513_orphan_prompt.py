"""SF513 orphan-prompt.

What it does: reports which prompt files no step, closing action, failure pattern or section can use.

Why is this bad: it may be intended. But a file that isn't shown is often one that was meant for a step, under a name
that is slightly wrong.

Fix: remove the file, or correct its name or the step's c2, c3, edition or adaptation.
"""

from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.formats.climpt.adaptation_chain import chain_elements
from stepflow_gui.formats.climpt.lookup import is_closing, own_layout_path, path_of_fields
from stepflow_gui.formats.climpt.validation import PLAIN_FAILURE
from stepflow_gui.formats.climpt.vocabulary import CLOSURE_ACTIONS
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.once import SHOWN
from stepflow_gui.lint.rules.prelude import (
    ADDRESSED,
    FLOW,
    GATE,
    INFO,
    Finding,
    Rule,
    RuleContext,
    Step,
    _,
    changed,
    ngettext,
)
from stepflow_gui.text.document import TextFile
from stepflow_gui.text.source import Span

RULE = Rule("SF513", "orphan-prompt", INFO, formats=(*GATE, "checks"), looks_at=FLOW)

BAD = changed(texts={"prompts/steps/initial/isue/f_default.md": "Issue {uv-issue}\n"})
GOOD = changed()

_ENDING = ".md"


def check(context: RuleContext) -> Iterator[Finding]:
    """One finding for the agent, at its steps; only folders in which some step's prompt would lie are checked."""
    where = context.flow.steps_span
    if not context.prompts.known or where is None or context.flow.odd_steps:
        return  # of a step that can't be read nobody knows which prompt it has
    tails = set(_tails(context))
    parts = sorted({tail.partition("/")[0] for tail in tails if "/" in tail and ".." not in tail})
    known = {folder / tail for folder in context.prompts.folders for tail in tails}
    orphans = sorted(
        {path for part in parts for path in context.prompts.below(part) if path.name.endswith(_ENDING)} - known
    )
    if not orphans:
        return
    shown = [_shown(path, context) for path in orphans]
    text = ngettext("No step uses the prompt {first}", "No step uses {count} prompts, such as {first}", len(orphans))
    sides = [
        Side(file, Span(0, min(1, len(file.source.text))), None, _("no step goes here"))
        for path in orphans[:SHOWN]
        if isinstance(file := context.folder.text(path), TextFile)
    ]
    yield Finding(text.format(first=shown[0], count=len(orphans)), where, "/steps", sides=sides)


def _tails(context: RuleContext) -> Iterator[str]:
    for step in context.flow.steps.values():
        for fields in _fields(step, context):
            yield from _paths(fields, context)
    places = {(step.c2.value, step.c3.value) for step in context.validation.steps if step.c2 and step.c3}
    places |= set(_addressed(context))
    places |= {
        (step.c2.value, step.c3.value)
        for step in context.flow.steps.values()
        if is_closing(step) and step.c2 and step.c3
    }
    for pattern in context.validation.patterns.values():
        for c2, c3 in places:
            adaptation = pattern.adaptation.value if pattern.adaptation else None
            edition = (pattern.edition.value if pattern.edition else "") or PLAIN_FAILURE
            yield from _paths({"c2": c2, "c3": c3, "edition": edition, "adaptation": adaptation}, context)
    for c2, c3 in places if context.validation.validators else ():
        yield from _paths({"c2": c2, "c3": c3, "edition": PLAIN_FAILURE}, context)


def _addressed(context: RuleContext) -> Iterator[tuple[str, str]]:
    """What the addresses of validation steps mean, which SF614 wants beside them."""
    for step in context.validation.steps:
        address = step.at.node.value.get("address")
        c2, c3 = (address.get("c2"), address.get("c3")) if isinstance(address, dict) else (None, None)
        if isinstance(c2, str) and isinstance(c3, str):
            yield c2, c3


def _fields(step: Step, context: RuleContext) -> Iterator[dict[str, object]]:
    raw = step.raw
    if context.format in ADDRESSED:
        address = raw.get("address")
        raw = {key: value for key, value in address.items() if key != "c1"} if isinstance(address, dict) else {}
        chain = step.raw.get("adaptationChain")
        yield from (raw | {"adaptation": each} for each in chain_elements(chain))
    if context.era.plain_prompts:
        yield {key: value for key, value in raw.items() if key != "adaptation"}
    yield raw
    if is_closing(step):
        yield from (raw | {"adaptation": action} for action in CLOSURE_ACTIONS)
    inner = step.raw.get("check")
    if context.format == "checks" and isinstance(inner, dict):
        yield inner


def _paths(fields: dict[str, object], context: RuleContext) -> Iterator[str]:
    """By the registry's templates, and by climpt's own."""
    held = fields if context.format == "checks" else {**fields, "address": fields}
    for path in (path_of_fields, own_layout_path):
        tail = path(context.flow, held)
        if tail:
            yield tail


def _shown(path: Path, context: RuleContext) -> str:
    root = context.folder.root
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
