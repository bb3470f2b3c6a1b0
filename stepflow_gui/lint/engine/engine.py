"""Runs the rules over an agent folder and turns what they find into diagnostics."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic, FileEdit, Fix, Range, Related, order, writable
from stepflow_gui.lint.engine.deduplication import RuleFinding, merge
from stepflow_gui.lint.engine.unreadable_files import unread_files
from stepflow_gui.lint.rule import DOCUMENT, STEP, SUPPRESSION, Finding, Later, LooksAt, Proposal
from stepflow_gui.lint.rule_context import SUGGESTIONS, RuleContext
from stepflow_gui.lint.rules.table import AFTERWARDS, OF_AGENTS, CheckedRule, checked_rule, rules_for
from stepflow_gui.lint.suppressions.suppressing import Excuse, Suppressed, Suppression, suppressions_in, today
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import AnyDocument
from stepflow_gui.text.source import Span

if TYPE_CHECKING:
    from stepflow_gui.lint.engine.memory import LintMemory
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import Node, SyntaxProblem


class RuleFailure(NamedTuple):
    """A rule that raised: a bug in it, never the file's fault. What it had found until then is kept."""

    code: str
    file: Path
    error: Exception


OnFailure = Callable[[RuleFailure], None]
Timings = dict[str, float]
"""Seconds by the code of a rule."""


def lint(
    folder: AgentFolder,
    settings: LintSettings | None = None,
    on_failure: OnFailure | None = None,
    timings: Timings | None = None,
    memory: "LintMemory | None" = None,
    suppressed: list[Suppressed] | None = None,
) -> list[Diagnostic]:
    """The findings of the rules about a registry and the files around it, in order of file and position.

    A rule that raises ends the run with that exception, or only itself where `on_failure` takes the failure. The time
    that each rule takes is added to `timings`. A `memory` of earlier runs over the same registry saves looking at what
    hasn't changed; the findings are the same without. Findings that a suppression keeps back are added to `suppressed`.
    """
    run = _Run(folder, settings or LintSettings(), on_failure, timings, memory)
    diagnostics = run.diagnostics()
    if suppressed is not None:
        suppressed += sorted(run.suppressed, key=lambda each: order(each.found))
    return diagnostics


class _Run:
    def __init__(
        self,
        folder: AgentFolder,
        settings: LintSettings,
        on_failure: OnFailure | None,
        timings: Timings | None,
        memory: "LintMemory | None",
    ) -> None:
        self.folder = folder
        self.settings = settings
        self.on_failure = on_failure
        self.timings = timings
        self.broken = _BrokenRegion(folder.registry)
        self.memory = memory if folder.registry.tree.valid else None
        self.context = RuleContext(folder, settings, self.memory)
        if self.memory is not None:
            self.memory.begin(folder, self.context.basis)
            self.context.know_contracts(self.memory.contracts)
        # In the order of the file; the content of others is in doubt.
        self.sound_steps = [step for step in folder.flow.steps.values() if not self.broken.touches(step.node)]
        self.own_suppressions = list(suppressions_in(folder.registry))
        self.fixed: dict[str, int] = {}
        self.suppressed: list[Suppressed] = []
        day = settings.today or (today() if self.own_suppressions or settings.suppressions else "")
        for suppression in (*self.own_suppressions, *settings.suppressions):
            suppression.expire(day)

    def diagnostics(self) -> list[Diagnostic]:
        found = self.found(self.settings.choice.may_be_on)
        if self.memory is not None:
            self.memory.end(self.folder)
        if self.folder.registry.tree.valid and any(each.finding.misspelt for each in found):
            from stepflow_gui.lint.engine.misspellings import join_consequences  # most files have none

            found = join_consequences(found, self.folder, self._speaks, self._found_in)
        speaking = merge(found, self.folder.registry)
        if len(speaking) > 1 and self.folder.registry.tree.valid and self.folder.format != "takt":
            from stepflow_gui.lint.engine.consequences import wait  # most files have hardly a finding

            speaking = wait(speaking, self.folder, self._speaks)
        diagnostics = list(self._reported(speaking))
        diagnostics += [each for each in map(self._judged, _undecodable(self.folder)) if each]
        if self.own_suppressions:
            diagnostics += self._about_suppressions()
        return sorted(diagnostics, key=order)

    def found(self, wanted: Callable[[str], bool]) -> list[RuleFinding]:
        """What the rules of these codes find, before any of it is merged."""
        found: list[RuleFinding] = []
        if self.folder.format == "takt" and self.folder.agent_document is None and self.folder.agent_problem is None:
            asked, wanted = wanted, lambda code: asked(code) and not code.startswith(OF_AGENTS)  # pieces need none
        for checked in rules_for(self.folder.format, wanted):
            with self._guard(checked.rule.code):
                found.extend(RuleFinding(checked.rule, self._said(finding)) for finding in self._findings(checked))
        return found

    @property
    def _has_steps(self) -> bool:
        """Whether it is a workflow of TAKT, whose steps rules speak of as movements."""
        return self.folder.format == "takt" and self.context.takt.steps == "steps"

    def _said(self, finding: Finding) -> Finding:
        """A finding in the words of the file: "movement" becomes "step" in a workflow."""
        if not self._has_steps:
            return finding
        from stepflow_gui.formats.takt.renames import as_workflow  # only where a workflow has findings

        sides = [side._replace(message=as_workflow(side.message)) for side in finding.sides]
        return finding._replace(message=as_workflow(finding.message), sides=sides)

    def _found_in(self, folder: AgentFolder, codes: set[str]) -> list[RuleFinding]:
        """The same of another state of the agent."""
        return _Run(folder, self.settings, self.on_failure, self.timings, None).found(codes.__contains__)

    def _speaks(self, found: RuleFinding) -> bool:
        """Whether a finding is going to be reported."""
        diagnostic = self._judged(self._placed(found))
        return diagnostic is not None and not any(self._meeting(diagnostic))

    def _findings(self, checked: CheckedRule) -> Iterator[Finding]:
        if checked.rule.looks_at == DOCUMENT:
            for document in self.context.documents():
                yield from checked.check(document, self.context)
        elif checked.rule.looks_at == STEP and self.memory is not None:
            yield from self._about_changed_steps(checked, self.memory.silent(checked.rule.code))
        elif checked.rule.looks_at == STEP:
            for step in self.sound_steps:
                yield from checked.check(step, self.context)
        elif not self.broken.anywhere:
            yield from checked.check(self.context)

    def _about_changed_steps(self, checked: CheckedRule, silent: set[str]) -> Iterator[Finding]:
        """The findings of a rule about steps not known to be free of them; others are added to `silent`."""
        context = self.context
        for step in [step for key, step in self.folder.flow.steps.items() if key not in silent]:
            context.wide = False
            found_any = False
            for finding in checked.check(step, context):
                found_any = True
                yield finding
            if not found_any and not context.wide:
                silent.add(step.id)

    def _reported(self, found: Iterable[RuleFinding]) -> Iterator[Diagnostic]:
        """The diagnostics that somebody wants; fixes are worked out for the first of a rule, as suggestions are."""
        for each in found:
            diagnostic = self._judged(self._placed(each))
            if diagnostic is None or self._is_suppressed(diagnostic):
                continue
            code = diagnostic.code
            self.fixed[code] = self.fixed.get(code, 0) + 1
            if self.fixed[code] <= SUGGESTIONS:
                with self._guard(code):
                    diagnostic = diagnostic._replace(fixes=self._fixes(each))
            yield diagnostic

    def _placed(self, found: RuleFinding, fixes: tuple[Fix, ...] = ()) -> Diagnostic:
        return diagnostic_of(found, self.folder.registry, self.folder.format, fixes)

    def _fixes(self, found: RuleFinding) -> tuple[Fix, ...]:
        """What would settle a finding, as far as it can be written; the edits for those who ask for them."""
        reworded: Callable[[str], str] = str
        if self._has_steps:
            from stepflow_gui.formats.takt.renames import as_workflow as reworded
        return tuple(
            Fix(
                reworded(proposal.title),
                proposal.safe,
                partial(self._edits, found, proposal),
                tuple(document.path for document in proposal.unmarked),
                proposal.guess,
            )
            for proposal in found.finding.proposals
            if _is_writable(proposal)
        )

    def _edits(self, found: RuleFinding, proposal: Proposal) -> tuple[FileEdit, ...]:
        with self._guard(found.rule.code):
            return tuple(
                FileEdit(document.path, range_of(document, Span(edit.start, edit.end)), edit.text)
                for document, edit in proposal.made
            )
        return ()

    def _judged(self, diagnostic: Diagnostic) -> Diagnostic | None:
        """The diagnostic with the severity that is wished for; None where it isn't wanted."""
        return judged(diagnostic, self.settings, self.folder.registry.path)

    def _is_suppressed(self, diagnostic: Diagnostic) -> bool:
        meeting = list(self._meeting(diagnostic))
        for suppression in meeting:
            suppression.used = True
        if meeting:
            self.suppressed.append(Suppressed(diagnostic, tuple(map(_excuse, meeting))))
        return bool(meeting)

    def _meeting(self, diagnostic: Diagnostic) -> Iterator[Suppression]:
        """The suppressions that keep it back."""
        for suppression in (*self.own_suppressions, *self.settings.suppressions):
            if suppression.meets(diagnostic, self.folder.registry.path):
                yield suppression

    def _about_suppressions(self) -> list[Diagnostic]:
        """The findings about the registry's own suppressions."""
        path = self.folder.registry.path
        for suppression in self.own_suppressions:
            if self.broken.anywhere or not self.settings.choice.verdict(suppression.code, [path]).on:
                suppression.used = True  # it isn't known whether it is used
        return [
            diagnostic
            for each in findings_afterwards(SUPPRESSION, self.own_suppressions)
            if (diagnostic := self._judged(self._placed(each, self._fixes(each))))
        ]

    def _guard(self, code: str) -> "_Guard":
        return _Guard(code, self.folder.registry.path, self.on_failure, self.timings)


class _Guard(AbstractContextManager[None]):
    """Hands an exception to `on_failure` and goes on; lets it through where there is none. Takes the time."""

    def __init__(self, code: str, file: Path, on_failure: OnFailure | None, timings: Timings | None) -> None:
        self.code = code
        self.file = file
        self.on_failure = on_failure
        self.timings = timings
        self.began = perf_counter() if timings is not None else 0.0

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if self.timings is not None:
            self.timings[self.code] = self.timings.get(self.code, 0.0) + perf_counter() - self.began
        if self.on_failure is None or not isinstance(error, Exception):
            return False
        self.on_failure(RuleFailure(self.code, self.file, error))
        return True


def judged(diagnostic: Diagnostic, settings: LintSettings, registry: Path | None = None) -> Diagnostic | None:
    """A diagnostic with the severity that is wished for; None where its rule is off for its file."""
    files = [diagnostic.file] if registry is None or registry == diagnostic.file else [diagnostic.file, registry]
    verdict = settings.choice.verdict(diagnostic.code, files)
    if not verdict.on:
        return None
    return diagnostic._replace(severity=verdict.severity) if verdict.severity else diagnostic


def findings_afterwards(looks_at: LooksAt, subjects: Iterable[Suppression | object]) -> Iterator[RuleFinding]:
    """The findings of the rules that run after all others about such subjects."""
    asked = list(subjects)
    for code in sorted(AFTERWARDS):
        checked = checked_rule(code)
        if checked.rule.looks_at == looks_at:
            for thing in asked:
                for finding in checked.check(thing):
                    yield RuleFinding(checked.rule, finding)


def diagnostic_of(
    found: RuleFinding, registry: AnyDocument, format_id: str | None, fixes: tuple[Fix, ...] = ()
) -> Diagnostic:
    """A finding, placed. `registry` is the document of findings that name none."""
    rule, finding = found
    document = finding.document or registry
    return Diagnostic(
        code=rule.code,
        name=rule.name,
        severity=found.severity,
        message=finding.message,
        file=document.path,
        format=format_id,
        pointer=finding.pointer,
        step=finding.step,
        range=range_of(document, finding.span),
        related=tuple(
            Related(side.document.path, side.pointer, range_of(side.document, side.span), side.message)
            for side in finding.sides
        ),
        fixes=fixes,
    )


def range_of(document: AnyDocument, span: Span) -> Range:
    """A span as lines and columns."""
    return Range(document.source.position(span.start), document.source.position(span.end))


def _undecodable(folder: AgentFolder) -> list[Diagnostic]:
    """The findings about the agent's files whose bytes aren't text: no rule can look into them."""
    problems = [problem for problem in unread_files(folder) if problem.kind == "not-utf8"]
    if not problems:
        return []
    from stepflow_gui.lint.rules.document.sf003_encoding import not_utf8

    return [not_utf8(problem, folder.format) for problem in problems]


def _excuse(suppression: Suppression) -> Excuse:
    document = suppression.document
    place = range_of(document, suppression.span)
    return Excuse(suppression.code, suppression.reason, suppression.until, document.path, place, suppression.pointer_in)


def _is_writable(proposal: Proposal) -> bool:
    later = proposal.edits
    if isinstance(later, Later) and writable(later.words, later.files):
        return True
    edits = proposal.made
    return writable((edit.text for _, edit in edits), (document.path for document, _ in edits))


# Mistakes that leave no doubt about what is meant: the tree holds everything.
_HARMLESS = frozenset({
    "bad-escape", "bad-number", "bare-key", "bare-value", "comment", "control-character", "curly-quotes", "full-width",
    "missing-colon", "missing-comma", "odd-blank", "single-quotes", "trailing-comma", "unescaped-quote", "yaml-colon",
})  # fmt: skip
# Those that leave one value in doubt, and the names around it in their place.
_LOCAL = frozenset({"missing-value", "unclosed-string"})


class _BrokenRegion:
    """What the syntax errors of a registry put in doubt."""

    __slots__ = ("_harmful", "anywhere")

    def __init__(self, registry: ParsedFile) -> None:
        self._harmful: list[SyntaxProblem] = [
            problem for problem in registry.tree.problems if problem.kind not in _HARMLESS
        ]
        # Whether steps or entries may be missing, so the flow as a whole can't be judged.
        self.anywhere = any(problem.kind not in _LOCAL for problem in self._harmful)

    def touches(self, node: Node) -> bool:
        """Whether a value, or its end, is in doubt."""
        return bool(self._harmful) and any(node.start <= problem.start <= node.end for problem in self._harmful)
