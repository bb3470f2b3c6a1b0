"""Holds what the linter says of an agent against what the runner does with it, and counts what was looked at."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from stepflow_gui.formats.climpt.eras import ERAS, era_for
from stepflow_gui.lint.config.settings import GUIDE, LintSettings
from stepflow_gui.lint.diagnostic import ERROR, INFO, Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder
from tests.fuzz.differential.claims import claims_of
from tests.fuzz.differential.observing import RunnerSide
from tests.fuzz.differential.variants import difference, runner_of, variants_of

NEVER_WORSE = frozenset({"SF101", "SF803", "SF804"})  # than a warning where the runtime starts the agent
WARNED = frozenset({"SF312", "SF314", "SF320", "SF510"})  # they speak of some runs only: of values
BY_HISTORY = frozenset({"chain_exhausted", "required_input_missing"})  # errors for what came before
NO_VALUE = frozenset({"PR-RESOLVE-003", "AC-LOAD-001"})  # why a step isn't asked: what isn't in the agent's own files
REFUSED = frozenset({"SF801", "SF802", "SF805", "SF806", "SF812"})  # errors where it refuses it, and only there


class Contradiction(NamedTuple):
    """Linter and runner disagree. `kind` names the claim, or what wasn't claimed."""

    kind: str
    runtime: str
    said: str
    did: str

    def __str__(self) -> str:
        return f"{self.kind} ({self.runtime})\n  linter: {self.said}\n  runner: {self.did}"


Counts = Counter[tuple[str, str]]
"""How often a claim was held against the runner, by its name and the runtime."""


def contradictions(
    agent: AgentFolder, runtime: str, counts: Counts, *, is_sound: bool = False
) -> Iterator[Contradiction]:
    """Every disagreement about an agent in the runtime that the linter is set to; of a sound one any objection."""
    found = lint(agent, LintSettings(runtime))
    runners = _Runners(agent)
    own = runners[runtime]
    refused = own.refusal
    counts["refused" if refused else "started", runtime] += 1
    errors = [each for each in found if each.severity == ERROR]
    # Whether the verdict's handler can be asked at each step, agents without a mistake don't look at.
    objected = [each for each in errors if "as its verdict handler does" not in each.message]
    if is_sound and (refused or objected):
        objections = "; ".join(map(_shown, objected)) or "nothing"
        yield Contradiction("sound agent refused", runtime, objections, refused.message if refused else "starts")
    if refused is not None and agent.agent_document is not None and not errors:
        shown = "; ".join(f"{each.code} {each.severity}: {each.message}" for each in found if each.severity != INFO)
        yield Contradiction(f"silent refusal: {refused.kind}", runtime, shown or "nothing", refused.message)
    if refused is None and agent.agent_document is not None and not errors and runtime != GUIDE:
        yield from _silent_stops(own, runtime, found)
    for each in found:
        yield from _of_severity(each, own, runtime, counts)
        yield from _of_variant(each, agent, runners, counts)
        for claim, said in claims_of(each):
            named = claim.eras or ((said.values["era"],) if "era" in said.values else (runtime,))
            for era in named:
                judged = claim.judge(runners[era], said)
                if judged is None:
                    continue
                counts[claim.name, era] += 1
                counts[f"{claim.name} ({each.code})", era] += 1
                if not judged:
                    yield Contradiction(claim.name, era, _shown(each), _did(runners[era], said.step))


def _silent_stops(runner: RunnerSide, runtime: str, found: list[Diagnostic]) -> Iterator[Contradiction]:
    """A sound answer, or the lack of a prompt, ends a run with an error, and no error of the linter says so."""
    said = "; ".join(f"{each.code} {each.severity}: {each.message}" for each in found if each.severity != INFO)
    warned = {each.step for each in found if each.code in WARNED}
    for probe in runner.probes:
        stops = probe.sound and probe.error is not None and probe.error.kind not in BY_HISTORY
        by_answer = probe.intent == "jump" or probe.case == "default"  # which a schema may leave no answer for
        if stops and probe.step not in warned and not by_answer:
            assert probe.error is not None
            did = f"{probe.step} says {probe.intent}: {probe.error.message}"
            yield Contradiction(f"silent stop: {probe.error.kind}", runtime, said or "nothing", did)
            return
    parameters = {each.name for each in runner.agent.agent.parameters} if runner.agent.agent else set()
    for (step, first), why in runner.unprompted.items() if "issue" in parameters else ():
        comes_there = not first or step == runner.entry
        if why is not None and comes_there and why not in NO_VALUE | BY_HISTORY and step not in warned:
            yield Contradiction("silent stop: prompt", runtime, said or "nothing", f"{step} isn't asked: {why}")
            return


def _of_variant(found: Diagnostic, agent: AgentFolder, runners: "_Runners", counts: Counts) -> Iterator[Contradiction]:
    for words, era, variant in variants_of(found, agent):
        counts[words, era] += 1
        parted = difference(runners[era], runner_of(variant, era))
        if parted is not None:
            yield Contradiction(words, era, _shown(found), parted)


def _of_severity(found: Diagnostic, runner: RunnerSide, runtime: str, counts: Counts) -> Iterator[Contradiction]:
    if found.code in NEVER_WORSE | REFUSED and found.severity == ERROR and not found.related:
        counts[f"{found.code} is an error", runtime] += 1
        if runner.refusal is None:
            yield Contradiction(f"{found.code} is an error", runtime, _shown(found), "the runner starts the agent")


def _shown(found: Diagnostic) -> str:
    return f"{found.code} {found.severity} at {found.pointer}: {found.message}"


def _did(runner: RunnerSide, step: str | None) -> str:
    if runner.refusal is not None:
        return f"refuses: {runner.refusal.message}"
    probes = [probe for probe in runner.probes if probe.step == step]
    answers = [
        f"{probe.intent or probe.flaw}{f'/{probe.case}' if probe.case else ''}{'' if probe.first else ' later'}: "
        + (probe.error.kind if probe.error else probe.outcome.kind if probe.outcome else f"to {probe.to}")
        for probe in probes
    ]
    prompts = [f"not asked: {why}" for (at, _first), why in runner.unprompted.items() if at == step and why]
    return f"starts at {runner.entry}; {step}: {', '.join([*prompts, *answers]) or 'nothing'}"


class _Runners(dict[str, RunnerSide]):
    """The runner of each runtime, made when it is asked for."""

    def __init__(self, agent: AgentFolder) -> None:
        super().__init__()
        self._agent = agent

    def __missing__(self, runtime: str) -> RunnerSide:
        self[runtime] = RunnerSide(self._agent, era_for(self._agent.flow.format, runtime))
        return self[runtime]


_WITH_KINDS = tuple(name for name, era in ERAS.items() if era.gates and era.kinds and not era.entry_pairs)
RUNTIMES: Mapping[str, tuple[str, ...]] = {
    "closing": _WITH_KINDS,
    "c3l": _WITH_KINDS,
    "complete": ("guide", "climpt-2026-01-18"),
    "checks": ("guide", "climpt-2026-01-09"),
    "adt-kind-address": ("guide", "climpt-1.14"),
}
