"""Runs the rules over an agent folder and turns what they find into diagnostics."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from stepflow_gui.lint.causes import Found, merge
from stepflow_gui.lint.damage import Damage
from stepflow_gui.lint.diagnostic import Diagnostic, FileEdit, Fix, Range, Related, order
from stepflow_gui.lint.rule import DOCUMENT, STEP, Finding, Proposal
from stepflow_gui.lint.rules.table import CheckedRule, rules_for
from stepflow_gui.lint.scope import SUGGESTIONS, Scope
from stepflow_gui.lint.settings import Settings
from stepflow_gui.lint.unread import unread_files
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import Document
from stepflow_gui.text.source import Span


class RuleFailure(NamedTuple):
    """A rule that raised: a bug in it, never the file's fault. What it had found until then is kept."""

    code: str
    file: Path
    error: Exception


OnFailure = Callable[[RuleFailure], None]


def lint(
    folder: AgentFolder,
    settings: Settings | None = None,
    on_failure: OnFailure | None = None,
) -> list[Diagnostic]:
    """What the rules say about a registry and the files around it, in order of file and position.

    A rule that raises ends the run with that exception, or only itself where `on_failure` takes the failure.
    """
    scope = Scope(folder, settings or Settings())
    damage = Damage(folder.registry)
    found: list[Found] = []
    for checked in rules_for(folder.format):
        with _Guard(checked.rule.code, folder.registry.path, on_failure):
            found.extend(Found(checked.rule, finding) for finding in _findings(checked, scope, damage))
    placed = list(_placed(merge(found, folder.registry), scope, on_failure))
    placed += _undecodable(folder)
    return sorted(placed, key=order)


def _placed(found: Iterable[Found], scope: Scope, on_failure: OnFailure | None) -> Iterator[Diagnostic]:
    """The diagnostics; fixes are worked out for the first findings of a rule, as suggestions are."""
    seen: dict[str, int] = {}
    for each in found:
        code = each.rule.code
        seen[code] = seen.get(code, 0) + 1
        fixes: tuple[Fix, ...] = ()
        if seen[code] <= SUGGESTIONS:
            with _Guard(code, scope.registry.path, on_failure):
                fixes = tuple(_fix(proposal) for proposal in each.finding.proposals)
        yield _diagnostic(each, scope, fixes)


def _undecodable(folder: AgentFolder) -> list[Diagnostic]:
    """What is said of the agent's files whose bytes are no text: no rule can look into them."""
    problems = [problem for problem in unread_files(folder) if problem.kind == "not-utf8"]
    if not problems:
        return []
    from stepflow_gui.lint.rules.document.sf003_encoding import not_utf8

    return [not_utf8(problem, folder.format) for problem in problems]


def _findings(checked: CheckedRule, scope: Scope, damage: Damage) -> Iterator[Finding]:
    if checked.rule.looks_at == DOCUMENT:
        for document in scope.documents():
            yield from checked.check(document, scope)
    elif checked.rule.looks_at == STEP:
        for step in scope.flow.steps.values():
            if not damage.touches(step.node):
                yield from checked.check(step, scope)
    elif not damage.anywhere:
        yield from checked.check(scope)


class _Guard(AbstractContextManager[None]):
    """Hands an exception to `on_failure` and goes on; lets it through where there is none."""

    def __init__(self, code: str, file: Path, on_failure: OnFailure | None) -> None:
        self.code = code
        self.file = file
        self.on_failure = on_failure

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if self.on_failure is None or not isinstance(error, Exception):
            return False
        self.on_failure(RuleFailure(self.code, self.file, error))
        return True


def _diagnostic(found: Found, scope: Scope, fixes: tuple[Fix, ...]) -> Diagnostic:
    rule, finding = found
    document = finding.document or scope.registry
    return Diagnostic(
        code=rule.code,
        name=rule.name,
        severity=found.severity,
        message=finding.message,
        file=document.path,
        format=scope.folder.format,
        pointer=finding.pointer,
        step=finding.step,
        range=range_of(document, finding.span),
        related=tuple(
            Related(side.document.path, side.pointer, range_of(side.document, side.span), side.message)
            for side in finding.sides
        ),
        fixes=fixes,
    )


def _fix(proposal: Proposal) -> Fix:
    edits = (
        FileEdit(document.path, range_of(document, Span(edit.start, edit.end)), edit.text)
        for document, edit in proposal.edits
    )
    return Fix(proposal.title, proposal.safe, tuple(edits))


def range_of(document: Document, span: Span) -> Range:
    """A span as lines and columns."""
    return Range(document.source.position(span.start), document.source.position(span.end))
