"""What a mistake brings: how many findings, whether the fixes take it back, and whether they change the flow."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.flow.model import Flow, Step, Transition
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.fixing import any_fixes, fix_all
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.edit import apply

from .kinds import KINDS
from .mistakes import Kind, Mistake, mistakes
from .originals import Original


class Outcome(NamedTuple):
    """What became of one mistake.

    `found` is whether it has a finding, `further` the number of findings beyond one for each place. `harmed`: the fixes
    leave no finding, and a flow that isn't the original's.
    """

    mistake: Mistake
    registry: Path
    found: bool
    further: int
    restored: bool
    harmed: bool
    flow_differs: bool  # by the mistake alone
    new: list[Diagnostic]
    left: list[Diagnostic]  # after the fixes

    def __str__(self) -> str:
        edits = [(each.start, each.text) for each in self.mistake.edits]
        said = [f"{each.code} {each.message}" for each in self.new[:4]]
        return f"{self.mistake.kind.name}: {self.registry} {self.mistake.pointer} {edits} {said}"


def outcomes(originals: Iterable[Original], most: int, kinds: Iterable[Kind] = KINDS) -> Iterator[Outcome]:
    """Make at most so many mistakes of each kind in each original, one at a time."""
    kinds = list(kinds)
    for original in originals:
        before = lint(original.agent)
        for kind in kinds:
            for mistake in mistakes(kind, original.agent, most):
                yield outcome(original, before, mistake)


def outcome(original: Original, before: list[Diagnostic], mistake: Mistake) -> Outcome:
    """Make one mistake, lint, and apply every fix."""
    agent = original.agent
    source = mistake.document.source
    texts = {**original.texts, mistake.document.path: source.with_text(apply(source.text, mistake.edits))}
    wrong = agent.with_buffers(texts)
    after = lint(wrong)
    new = new_findings(after, before)
    fixed = fix_all([wrong], lint, any_fixes, texts)
    restored = [(change.path, change.after.text) for change in fixed.changes] == [(mistake.document.path, source.text)]
    left = new_findings(lint(fixed.agents[0]), before)
    known = flow_of(agent)
    return Outcome(
        mistake,
        agent.registry.path,
        bool(new),
        max(0, len(new) - len(mistake.edits)),
        restored,
        harmed=bool(new) and not left and flow_of(fixed.agents[0]) != known,
        flow_differs=flow_of(wrong) != known,
        new=new,
        left=left,
    )


def new_findings(after: list[Diagnostic], before: list[Diagnostic]) -> list[Diagnostic]:
    """The findings that weren't there. One whose words alone have changed was there, unless it is the only news."""
    said: Counter[Hashable] = Counter((each.file, each.code, each.message) for each in before)
    unsaid = [each for each in after if not _took(said, (each.file, each.code, each.message))]
    codes: Counter[Hashable] = Counter((each.file, each.code) for each in before)
    codes.subtract((each.file, each.code) for each in after if each not in unsaid)
    new = [each for each in unsaid if not _took(codes, (each.file, each.code))]
    return new or unsaid[:1]


def _took(counted: Counter[Hashable], key: Hashable) -> bool:
    if counted[key] <= 0:
        return False
    counted[key] -= 1
    return True


def flow_of(agent: AgentFolder) -> object:
    """All of an agent that decides where a run goes and what it shows, to be compared."""
    flow: Flow = agent.flow
    entries = [(entry.key, entry.target.value if entry.target else None) for entry in flow.entries]
    monitors = [(tuple(text.value for text in each.cycle), each.threshold) for each in flow.monitors]
    verdict = agent.agent.verdict_type.value if agent.agent and agent.agent.verdict_type else None
    return agent.format, entries, monitors, verdict, [_step(each) for each in flow.steps.values()]


def _step(step: Step) -> object:
    texts = (step.c1, step.c2, step.c3, step.edition, step.adaptation, step.prompt_path, step.fallback_key)
    gate = step.gate and (
        {text.value for text in step.gate.intents},
        step.gate.intent_field and step.gate.intent_field.value,
        step.gate.target_field and step.gate.target_field.value,
        step.gate.fail_fast,
        step.gate.fallback_intent and step.gate.fallback_intent.value,
    )
    return (
        step.id,
        step.kind,
        [text and text.value for text in texts],
        gate,
        sorted(repr(_rule(rule)) for rule in step.transitions),
        [_step(sub) for sub in step.subs],
    )


def _rule(rule: Transition) -> object:
    cases = [(case.value, case.target and case.target.value) for case in rule.cases]
    return rule.intent, rule.condition and rule.condition.value, cases, rule.target and rule.target.value, rule.end


class Figures(NamedTuple):
    """The outcomes of one kind, counted."""

    kind: Kind
    tried: int
    found: int
    restored: int
    harmed: int
    mean: float
    most: int


def figures(found: Iterable[Outcome]) -> list[Figures]:
    """The figures of each kind that was tried."""
    of: dict[str, list[Outcome]] = {}
    for each in found:
        of.setdefault(each.mistake.kind.name, []).append(each)
    return [
        Figures(
            group[0].mistake.kind,
            len(group),
            sum(each.found for each in group),
            sum(each.restored for each in group),
            sum(each.harmed for each in group),
            sum(each.further for each in group) / len(group),
            max(each.further for each in group),
        )
        for group in of.values()
    ]


def table(rows: Iterable[Figures]) -> str:
    """The figures as a table, spelling mistakes first."""
    head = f"{'kind':34}{'tried':>6}{'found':>6}{'undone':>7}{'harmed':>7}{'mean':>6}{'max':>5}"
    lines = [head]
    for row in sorted(rows, key=lambda each: (not each.kind.spelling, each.kind.formats, each.kind.file)):
        mark = "" if row.kind.spelling else " *"
        name = f"{row.kind.name} ({row.kind.file}){mark}"
        lines.append(f"{name:34}{row.tried:6}{row.found:6}{row.restored:7}{row.harmed:7}{row.mean:6.2f}{row.most:5}")
    return "\n".join(lines)
