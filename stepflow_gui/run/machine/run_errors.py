"""What stops a run, with messages that explain what to do about it."""

from collections.abc import Sequence

from stepflow_gui.flow.model import Entry, Step
from stepflow_gui.formats.climpt import runner_texts
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.formats.climpt.validation import lacks_extractors
from stepflow_gui.messages import _
from stepflow_gui.run.machine.closure_checks import ClosureValidation, validators_of
from stepflow_gui.run.machine.gate import Interpretation
from stepflow_gui.run.machine.run_config import RunConfig
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.state import Answered, NotAsked, Start, State
from stepflow_gui.run.machine.verdict import DEFAULT_TYPE

_UNSAID = frozenset({"no_value", "unknown_value", "no_intent_field"})


def waiting_for(state: State) -> str:
    """What a state waits for, as a message where something else came."""
    match state.waits:
        case "start":
            return _("The run hasn't begun.")
        case "answer":
            return _("The run waits for the answer of {step}.").format(step=state.step)
        case "validator":
            return _("The run waits for a validator to pass or fail.")
        case "program":
            return _("The run waits for the program of {step} to end.").format(step=state.step)
    return _("The run is over. Step back, or start again.")


def no_issue(config: RunConfig, start: Start) -> RunError | None:
    """Upstream refuses poll:state without an issue before anything else."""
    if (
        config.verdict.type != "poll:state"
        or config.era.load_errors == "reported"
        or start.args.get("issue") is not None
    ):
        return None
    message = _("The verdict poll:state needs the parameter “issue”. Give it, and start again.")
    code = "AC-VERDICT-001" if config.era.load_errors == "stop" else "Error"
    return RunError(kind="no_issue", message=message, code=code)


def no_entry(config: RunConfig, named: str | None) -> RunError:
    """There is no step to start at, or none of that name."""
    flow, verdict = config.flow, config.verdict
    entry = next((entry for entry in flow.entries if entry.target and entry.target.value == named), None)
    if named is not None:
        message = _("The run can't start at “{step}”, which is not a step.").format(step=named)
        code = "SR-ENTRY-002" if entry is None or entry.key is None else "SR-ENTRY-003"
    elif not flow.entries:
        message = _("The registry names no step to start at. Add “entryStep”.")
        code = "SR-ENTRY-001"
    else:
        message = _("entryStepMapping has no entry for the verdict type {verdict}. Pick a step to start at.")
        message = message.format(verdict=verdict.named or verdict.type or "–")
        code = "SR-ENTRY-004"
    if config.era.load_errors == "dropped":
        code = "NO_ENTRY_STEP"
    error = RunError(kind="no_entry", message=message, code=code, pointer=entry.pointer if entry else None)
    if config.era.has_complete and named is None:
        return _quoting(error, runner_texts.no_entry(verdict.named or verdict.type or ""))
    return error


def no_pair(config: RunConfig) -> RunError | None:
    """The verdict has no pair of entry steps, or half of one, where nothing else defines the entry."""
    flow, verdict = config.flow, config.verdict.type or DEFAULT_TYPE
    sides = {entry.continuation: entry for entry in flow.entries if entry.key == verdict}
    if not sides:
        message = _("entryStepMapping has no pair of steps for the verdict type {verdict}, and nothing else is read.")
        return RunError(kind="no_entry", message=message.format(verdict=verdict), code="AC-VERDICT-012")
    missing = [name for name, later in (("initial", False), ("continuation", True)) if not _named(sides.get(later))]
    if not missing:
        return None
    message = _("The entry for {verdict} has no “{side}” step.").format(verdict=verdict, side=missing[0])
    pointer = next(iter(sides.values())).pointer
    return RunError(kind="no_entry", message=message, code="AC-VERDICT-013", pointer=pointer)


def _named(entry: Entry | None) -> bool:
    return entry is not None and entry.target is not None and bool(entry.target.value)


def no_retry_path(at: str, validation: ClosureValidation) -> RunError:
    """The path of a retry prompt is made of c2 and c3 beside the address, and they don't exist."""
    message = _(
        "{validation} has no c2 and c3 beside its address, of which the retry prompt’s path is made. Add them, or "
        "step back."
    ).format(validation=validation.key)
    return RunError(
        kind="no_retry_path", message=message, code="AGENT_QUERY_ERROR", step=at, pointer=validation.pointer
    )


def no_step(at: str) -> RunError:
    """The running step is gone."""
    message = _("{step} is not a step of the registry any more. Step back, or start again.").format(step=at)
    return RunError(kind="no_step", message=message, code="PR-RESOLVE-001", step=at)


def other_step(step: Step, given: str) -> RunError:
    """An answer that calls itself another step's, where that ends the run."""
    message = _("The answer names “{given}” as its step, but {step} was asked. Correct its stepId.")
    message = message.format(given=given, step=step.id)
    code = "AGENT_STEP_ID_MISMATCH"
    return RunError(kind="step_id_mismatch", message=message, code=code, step=step.id, pointer=step.pointer)


def no_output(step: Step, event: Answered, iteration: int, era: Era) -> RunError:
    """An answer from which nothing can be read."""
    if event.failed:
        message = _("The query of {step} failed ({reason}), so the next step is unknown. Ask again, or step back.")
        message = message.format(step=step.id, reason=event.failed)
    else:
        message = _("{step} gave no structured answer, so the next step is unknown. Answer again, or step back.")
        message = message.format(step=step.id)
    error = RunError(kind="no_intent", message=message, code=era.no_intent_code, step=step.id, pointer=step.pointer)
    return _quoting(error, runner_texts.no_intent(step.id, iteration)) if era.has_complete else error


def intent_not_answered(step: Step, read: Interpretation, iteration: int, era: Era) -> RunError | None:
    """An answer without an intent, where none is made up: neither from its words nor the gate's `fallbackIntent`."""
    if not era.strict_flow:
        return None
    gate = step.raw.get("structuredGate")
    if not isinstance(gate, dict):
        message = _("{step} has no gate, so its answer has no effect. Give it one, or step back.").format(step=step.id)
        text = runner_texts.no_routed_step(iteration + 1)
        error = RunError(kind="no_routed_step", message=message, step=step.id, pointer=step.pointer)
        return _quoting(error, text)
    if iteration == 1 or read.cause not in _UNSAID or read.intent == gate.get("fallbackIntent"):
        return None
    message = _("The answer of {step} says no intent, and its gate has none to fall back to. Answer otherwise.")
    message = message.format(step=step.id)
    error = RunError(kind="no_intent", message=message, code=era.no_intent_code, step=step.id, pointer=step.pointer)
    return _quoting(error, runner_texts.no_intent(step.id, iteration))


def incomplete(without_gate: Sequence[str], without_transitions: Sequence[str], pointer: str) -> RunError:
    """Flow steps that lack what each must have, found when the registry is loaded."""
    step = [*without_gate, *without_transitions][0]
    message = _("Each step needs a gate and transitions, and {step} lacks them. Complete it, then start again.")
    error = RunError(kind="incomplete", message=message.format(step=step), step=step, pointer=pointer)
    return _quoting(error, runner_texts.incomplete_steps(without_gate, without_transitions))


def no_schema(at: str, event: NotAsked, era: Era) -> RunError:
    """The second time in a row that a step's output schema can't be resolved."""
    message = _("The output schema of {step} can't be resolved, twice in a row: {reason} Correct it, or step back.")
    code = "FAILED_SCHEMA_RESOLUTION" if era.closing == "trigger" else era.no_intent_code
    message = message.format(step=at, reason=event.message)
    kind = "no_schema" if era.closing == "trigger" else "no_intent"
    return RunError(kind=kind, message=message, code=code, step=at)


def validator_fault(at: str, validation: ClosureValidation, message: str) -> RunError:
    """A validator that can't be judged."""
    code, pointer = "AGENT_QUERY_ERROR", validation.pointer
    return RunError(kind="validator_fault", message=message, code=code, step=at, pointer=pointer)


def no_extractors(config: RunConfig, name: str) -> str | None:
    """The message for a failed validator whose failure makes climpt itself fail; None where it goes on."""
    if config.era.load_errors == "reported" or not lacks_extractors(validators_of(config.flow).get(name)):
        return None
    message = _("The validator “{name}” has failed and has no extractParams, on which this runner stops.")
    return _("{message} climpt reports: {error}").format(
        message=message.format(name=name), error=runner_texts.NOT_AN_OBJECT
    )


def _quoting(error: RunError, text: str) -> RunError:
    """The error with climpt's own words."""
    return error._replace(message=_("{message} climpt reports: {error}").format(message=error.message, error=text))
