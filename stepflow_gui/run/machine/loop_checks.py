"""The loop of flows with checks: a step runs, its check is asked, the result is followed (runtime-semantics 14).

An iteration is one run of a step with the check that belongs to it.
"""

from collections.abc import Iterator
from math import ceil
from typing import Any, NamedTuple

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.checks.runners import CheckRules
from stepflow_gui.formats.checks.vocabulary import INTENT_OF_OUTCOME, NAMING
from stepflow_gui.messages import _
from stepflow_gui.run.javascript.values import text_of
from stepflow_gui.run.machine.check_answer import CheckAnswer, read_check
from stepflow_gui.run.machine.gate import Interpretation
from stepflow_gui.run.machine.handlers import has_text
from stepflow_gui.run.machine.route import EndRun, Routed
from stepflow_gui.run.machine.run_config import RunConfig
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.state import Answered, CheckJudged, Query, State, TraceEntry, VisitCounts
from stepflow_gui.run.machine.transitions import Stepped, ask, end, stop
from stepflow_gui.text.json.values import is_true
from stepflow_gui.text.pointer import join

FIELD = "result"


class CheckOutcome(NamedTuple):
    """What follows a check: the word of the outcome that is followed, its step or the end, or why there is none."""

    transition: str
    intent: str
    result: Routed | EndRun | RunError


class StepLimits(NamedTuple):
    """How often a step may run and be retried in all; None: no limit is given, 0: not at all."""

    runs: int | None
    retries: int | None


def begin(config: RunConfig, state: State, entry: TraceEntry, to: str) -> Stepped:
    """The first run of a step that the run has come to."""
    return ask(config, state._replace(counts=VisitCounts(runs=1)), entry, to)


def answered(config: RunConfig, state: State, event: Answered, step: Step, rules: CheckRules) -> Stepped:
    """After the answer of a step or of its check."""
    if event.failed is not None:
        stopped, effects = stop(state, event, _query_failed(step, event.failed))
        if state.waits == "check":
            stopped = _judged(stopped, CheckJudged(CheckAnswer(passed=False, where="nowhere"), ""))
        return stopped, effects
    if state.waits == "check":
        return _judge(config, state, event, step, rules)
    return _ran(config, _with_answer(state, event), TraceEntry(event, step.id, state.iteration), step, rules)


def runs_that_count(step: Step, rules: CheckRules) -> int:
    """How many runs of a step make a difference: more of them change nothing of what follows."""
    retries = max(_number(_outcome(step, name), "maxRetries") for name in INTENT_OF_OUTCOME)
    return max(least_runs(step, rules), _number(step.raw.get("iterations"), "max"), 1 + retries)


def limits_of(step: Step, rules: CheckRules) -> StepLimits:
    """What bounds the runs of a step; in the guide they bound its retries too, which then have no number of theirs."""
    most = max(1, _number(step.raw.get("iterations"), "max"))
    if not has_check(step):
        return StepLimits(most, 0)
    outcomes = [_outcome(step, name) for name in INTENT_OF_OUTCOME]
    retrying = [outcome for outcome in outcomes if _word(outcome, rules, may_retry=True) == "retry"]
    if not retrying:
        least = least_runs(step, rules)
        return StepLimits(least if least > 1 else None, 0)
    retries = [_number(outcome, "maxRetries") for outcome in retrying]
    if min(retries) < 1:
        return StepLimits(None, None)
    if rules.reads_iterations:
        return StepLimits(max(least_runs(step, rules), most, 1 + max(retries)), None)
    return StepLimits(None, max(retries))


def least_runs(step: Step, rules: CheckRules) -> int:
    """How often a step runs before its check is asked."""
    return max(1, _number(step.raw.get("iterations"), "min")) if rules.reads_iterations else 1


def has_check(step: Step) -> bool:
    """Whether a step is judged."""
    return isinstance(step.raw.get("check"), dict)


def transition_after(
    flow: Flow, step: Step, answer: CheckAnswer, counts: VisitCounts, rules: CheckRules
) -> CheckOutcome:
    """What follows a check that gave this answer."""
    name = "onPass" if answer.passed else "onFail"
    outcome = _outcome(step, name)
    may_retry = _may_retry(step, outcome, counts, rules)
    return _checked(flow, step, name, _word(outcome, rules, may_retry=may_retry), rules)


def transitions_after(flow: Flow, step: Step, rules: CheckRules) -> Iterator[CheckOutcome]:
    """All that can follow a check of a step: while it may be tried again, and when it may not any more."""
    if not has_check(step):
        return
    seen = set()
    for name in INTENT_OF_OUTCOME:
        outcome = _outcome(step, name)
        for may_retry in (True, False):
            word = _word(outcome, rules, may_retry=may_retry)
            if (name, word) not in seen:
                seen.add((name, word))
                yield _checked(flow, step, name, word, rules)
            if word != "retry" or _number(outcome, "maxRetries") < 1:  # tried again for ever, or not at all
                break


def after_run(step: Step, counts: VisitCounts, rules: CheckRules) -> Routed | EndRun:
    """What follows a run of a step: its check, another run, or the end of one that has no check."""
    if has_check(step):
        return Routed(step.id, "again" if counts.runs < least_runs(step, rules) else "check")
    if counts.runs >= max(1, _number(step.raw.get("iterations"), "max")):
        return EndRun("unchecked", "no_rule")
    return Routed(step.id, "again")


def _ran(config: RunConfig, state: State, entry: TraceEntry, step: Step, rules: CheckRules) -> Stepped:
    at, counts = step.id, state.counts
    result = after_run(step, counts, rules)
    entry = entry._replace(transition=result)
    if isinstance(result, EndRun):
        return end(config, state, entry, "unchecked")
    entry = entry._replace(to=at)
    if result.how == "check":
        return state._replace(waits="check", last=entry), (Query(at, state.iteration, None, check=True),)
    total = config.limit
    if rules.total_unchecked is not None and not has_check(step):
        total = min(total, rules.total_unchecked)
    return _go(config, state, entry, at, VisitCounts(counts.runs + 1, counts.retries), total)


def _judge(config: RunConfig, state: State, event: Answered, step: Step, rules: CheckRules) -> Stepped:
    answer = read_check(event.answer, event.texts)
    found = transition_after(config.flow, step, answer, state.counts, rules)
    read = Interpretation(found.intent, reason=answer.message or None, field=FIELD, raw=answer.raw)
    judged = CheckJudged(answer, found.transition)
    if isinstance(found.result, RunError):  # the state stays as it was
        reached = state._replace(step=_named(step, answer, found.transition), counts=VisitCounts())
        stopped, effects = stop(state, event, found.result, read, reached=reached)
        return _judged(stopped, judged), effects
    state = _with_answer(state, event)
    entry = TraceEntry(event, step.id, state.iteration, read, found.result, judged=judged)
    if isinstance(found.result, EndRun):
        used_up = found.result.how == "no_rule" and not answer.passed
        return end(config, state, entry, "check" if used_up else "complete", answer.message)
    runs, retries = state.counts
    counts = VisitCounts(runs + 1, retries + 1) if found.transition == "retry" else VisitCounts(runs=1)
    return _go(config, state, entry._replace(to=found.result.step), found.result.step, counts, config.limit)


def _judged(state: State, judged: CheckJudged) -> State:
    assert state.last is not None
    return state._replace(last=state.last._replace(judged=judged))


def _with_answer(state: State, event: Answered) -> State:
    """The state with what the answer leaves behind."""
    memory = state.memory
    reported = memory.reported.summary(event.answer, event.texts)
    spoke, session = memory.spoke or has_text(event.texts, event.failed), event.session or memory.session
    return state._replace(memory=memory._replace(reported=reported, spoke=spoke, session=session), error=None)


def _go(config: RunConfig, state: State, entry: TraceEntry, to: str, counts: VisitCounts, total: int) -> Stepped:
    if state.iteration >= total:
        return end(config, state._replace(step=to), entry, "limit", at=state.step)
    return ask(config, state._replace(counts=counts), entry, to)


def _checked(flow: Flow, step: Step, name: str, word: str, rules: CheckRules) -> CheckOutcome:
    intent = INTENT_OF_OUTCOME[name].get(word, "pass" if name == "onPass" else "fail")
    if not word:
        ends_well = name == "onPass" or rules.exhausted_succeeds
        return CheckOutcome("complete" if ends_well else "", intent, EndRun("complete", "no_rule"))
    if word == "complete":
        return CheckOutcome(word, intent, EndRun("complete", "rule"))
    if word == "retry":
        return CheckOutcome(word, intent, Routed(step.id, "rule"))
    target = text_of(_outcome(step, name)[word])
    if target in flow.steps:
        return CheckOutcome(word, intent, Routed(target, "rule"))
    return CheckOutcome(word, intent, _no_target(step, name, word, target))


def _may_retry(step: Step, outcome: dict[str, Any], counts: VisitCounts, rules: CheckRules) -> bool:
    most = _number(outcome, "maxRetries")
    if most < 1:
        return True
    if rules.reads_iterations:
        return counts.runs < max(_number(step.raw.get("iterations"), "max"), 1 + most)
    return counts.retries < most


def _word(outcome: dict[str, Any], rules: CheckRules, *, may_retry: bool) -> str:
    """The key of an outcome that is followed; "" where none of them holds."""
    return next((word for word in rules.order if _holds(outcome, word, may_retry=may_retry)), "")


def _holds(outcome: dict[str, Any], word: str, *, may_retry: bool) -> bool:
    value = outcome.get(word)
    if word in NAMING:
        return is_true(value)  # of another type than text it is followed as well, to no step
    return value is True and (word != "retry" or may_retry)


def _outcome(step: Step, name: str) -> dict[str, Any]:
    check = step.raw.get("check")
    outcome = check.get(name) if isinstance(check, dict) else None
    return outcome if isinstance(outcome, dict) else {}


def _named(step: Step, answer: CheckAnswer, word: str) -> str:
    return text_of(_outcome(step, "onPass" if answer.passed else "onFail")[word]) if word in NAMING else step.id


def _number(holder: Any, key: str) -> int:
    """A count of the file; 0 where there is none. Counted up to half a one, there is a whole one more."""
    value = holder.get(key) if isinstance(holder, dict) else None
    return ceil(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0


def _no_target(step: Step, outcome: str, word: str, target: str) -> RunError:
    message = _("“{outcome}” of {step} goes to “{target}”, which is not a step. Correct it, or answer otherwise.")
    message = message.format(outcome=outcome, step=step.id, target=target)
    pointer = join(step.pointer, "check", outcome, word)
    return RunError(kind="step_not_found", message=message, step=step.id, pointer=pointer)


def _query_failed(step: Step, reason: str) -> RunError:
    message = _("The query of {step} failed ({reason}). Ask again, or step back.")
    message = message.format(step=step.id, reason=reason)
    return RunError(kind="query_failed", message=message, step=step.id, pointer=step.pointer)
