"""SF608 failure-prompt-missing.

What it does: looks for the retry prompts of failure patterns. climpt builds the path from `c2` and `c3` of the
validation step and from the pattern's edition and adaptation; the guide tries those of the closure step first. It
reports nothing if there is no prompt folder.

Why is this bad: without the file climpt takes `f_failed.md` of the same folder, or says in general terms that something
failed. The model doesn't learn what to fix.

Fix: write the prompt, or put it where climpt looks.
"""

from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.formats.climpt.c3_form import has_form
from stepflow_gui.formats.climpt.new_texts import failure_prompt_text
from stepflow_gui.formats.climpt.validation import FailurePattern, ValidationStep
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.prelude import FLOW, GATE, REMOVED, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.validators.example_checks import RETRY_PROMPT, checked
from stepflow_gui.text.document import TextFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source

RULE = Rule("SF608", "failure-prompt-missing", WARNING, formats=GATE, looks_at=FLOW)

BAD = checked(texts={RETRY_PROMPT: REMOVED})
GOOD = checked()


def check(context: RuleContext) -> Iterator[Finding]:
    """A finding a pattern, which names the validation steps that it can hit."""
    if not context.prompts.known:
        return
    hit: dict[str, list[ValidationStep]] = {}
    for step in context.validation.steps:
        for name in dict.fromkeys(_patterns_of(step, context)):
            hit.setdefault(name, []).append(step)
    for name, pattern in context.validation.patterns.items():
        lacking = [(step, path) for step in hit.get(name, []) if (path := _missing(pattern, step, context))]
        if lacking:
            yield _finding(pattern, lacking, context)


def _patterns_of(step: ValidationStep, context: RuleContext) -> Iterator[str]:
    for named in step.validators:
        validator = context.validation.validators.get(named.value)
        if validator and validator.failure_pattern:
            yield validator.failure_pattern.value


def _missing(pattern: FailurePattern, step: ValidationStep, context: RuleContext) -> Path | None:
    """Where the prompt should be; None where it is there, or where the path is unknown."""
    if step.c2 is None or step.c3 is None or not has_form(step.c3.value):
        return None
    path = _path(pattern, step.c2.value, step.c3.value, context)
    if path is None or has_placeholder(path):
        return None
    others = _closures(step, context) if context.era.validates_by_step else []
    paths = [path, *(_path(pattern, c2, c3, context) for c2, c3 in others)]
    return None if any(context.prompts.found(each) for each in paths) else context.prompts.folders[0] / path


def _path(pattern: FailurePattern, c2: str, c3: str, context: RuleContext) -> str | None:
    """The path below a prompts folder."""
    if pattern.edition is None or not pattern.edition.value:
        return None  # SF004's
    adaptation = pattern.adaptation.value if pattern.adaptation else ""
    return context.prompts.path({"c2": c2, "c3": c3, "edition": pattern.edition.value, "adaptation": adaptation})


def _closures(step: ValidationStep, context: RuleContext) -> list[tuple[str, str]]:
    """c2 and c3 of the closure steps that the checks are for."""
    named = context.flow.steps.get(step.at.name)
    closures = [named] if named else [each for each in context.flow.steps.values() if each.kind == "closure"]
    return [(each.c2.value, each.c3.value) for each in closures if each.c2 and each.c3]


def _finding(pattern: FailurePattern, lacking: list[tuple[ValidationStep, Path]], context: RuleContext) -> Finding:
    paths = list(dict.fromkeys(_shown(path, context) for _step, path in lacking))
    message = _(
        "The failure pattern “{pattern}” has no retry prompt {path}: where it hits {steps}, the model gets a more"
        " general one"
    ).format(pattern=pattern.at.name, path=listed(paths), steps=listed([step.at.name for step, _path in lacking]))
    sides = [
        Side(context.registry, step.at.key_span, step.at.pointer, _("it can hit this validation step"))
        for step, _path in lacking
    ]
    proposals = [_begun(path, pattern) for path in dict.fromkeys(path for _step, path in lacking)]
    return Finding(message, pattern.at.key_span, pattern.at.pointer, sides=sides, proposals=[_together(proposals)])


def _begun(path: Path, pattern: FailurePattern) -> Proposal:
    """The file with what failed and the values that it may show."""
    edit = TextEdit(0, 0, failure_prompt_text(pattern))
    return Proposal(_("Begin the file {path}").format(path=path.name), [(TextFile(path, Source("")), edit)])


def _together(proposals: list[Proposal]) -> Proposal:
    return proposals[0]._replace(edits=tuple(edit for proposal in proposals for edit in proposal.made))


def _shown(path: Path, context: RuleContext) -> str:
    folder = context.folder.root
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.as_posix()
