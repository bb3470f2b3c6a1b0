"""Sets up a flow with checks as a run case describes it, runs it with the case's answers, and returns what was seen."""

from itertools import pairwise
from pathlib import Path
from typing import Any

from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.effects import ResponderQuery
from stepflow_gui.run.host.host import Host, Ran
from stepflow_gui.run.host.simulated import Simulated
from stepflow_gui.run.machine.route import Routed
from stepflow_gui.run.machine.state import Answered, TraceEntry, VisitCounts
from tests.conformance.run_cases import AGENT, put

Json = dict[str, Any]
_SHOWN = 5  # entries at either end of a long history
_MOST = 40


class _Checks(Simulated):
    """Lets every step run, and answers the checks with the case's responses."""

    def __init__(self, responses: list[Json]) -> None:
        super().__init__()
        self._left = [each["response"] for each in responses for _time in range(each["times"])]
        self.used = 0

    def answer(self, asked: ResponderQuery) -> Answered:
        if not asked.query.check:
            return Answered(None, ("done",))
        self.used += 1
        response = self._left.pop(0) if self._left else None
        return Answered(None, () if response is None else (response,))


def observe_checks(case: Json, era: Era, folder: Path) -> Json:
    """What a run of the case shows, in the form of its expectation."""
    setup = case["setup"]
    registry = folder / AGENT / "steps_registry.json"
    put(registry, setup["registry"])
    for step in setup["registry"]["steps"].values():
        for holder in (step, step.get("check", {})):
            address = holder.get("prompt")
            named = "/".join(address[part] for part in ("c1", "c2", "c3")) if address else None
            if named is not None and named not in setup.get("missingPromptDirs", ()):
                put(folder / AGENT / "prompts" / named / "f_default.md", f"STEP {named}")
    found = open_agent(registry, format_id="checks")
    assert isinstance(found, AgentFolder)
    answers = _Checks(case["checkResponses"])
    return _seen(Host(lambda _iteration: found, answers, era=era).run(), setup["registry"], answers.used)


def _seen(ran: Ran, registry: Json, used: int) -> Json:
    history = [
        line
        for before, happened in pairwise(ran.history)
        if (line := _line(happened.entry, before.state.counts, registry)) is not None
    ]
    stopped, state = ran.stopped, ran.state
    final = stopped.step if stopped is not None else state.step
    left = stopped is not None and final != state.step  # on the move to a missing step
    seen: Json = {
        "success": ran.outcome is not None and ran.outcome.success,
        "finalStepId": final,
        "totalIterations": state.iteration,
        "stepIteration": 0 if left else state.counts.runs,
        "retryCount": 0 if left else state.counts.retries,
        "historyLength": len(history),
        "history": history
        if len(history) <= _MOST
        else [*history[:_SHOWN], {"elided": len(history) - 2 * _SHOWN}, *history[-_SHOWN:]],
        "checksUsed": used,
    }
    error = _error(ran)
    return seen | ({"error": error} if error else {})


def _error(ran: Ran) -> str | None:
    if ran.stopped is not None:
        kind = ran.stopped.error.kind
        return {"prompt": "prompt_missing", "no_entry": "step_not_found"}.get(kind, kind)
    assert ran.outcome is not None
    return {"unchecked": "no_check_and_max_iterations", "limit": "total_limit"}.get(ran.outcome.kind)


def _line(entry: TraceEntry, counts: VisitCounts, registry: Json) -> Json | None:
    """A line of upstream's history: a check, or a run of a step that has none. `counts`: those before it."""
    if entry.step is None or not isinstance(entry.event, Answered):
        return None
    if entry.judged is None and isinstance(entry.transition, Routed) and entry.transition.how == "check":
        return None
    seen: Json = {"stepId": registry["steps"][entry.step]["id"], "iteration": counts.runs}
    if entry.judged is None:
        return seen | {"transition": "next"}
    return seen | {
        "transition": entry.judged.transition,
        "result": "ok" if entry.judged.answer.passed else "ng",
    }
