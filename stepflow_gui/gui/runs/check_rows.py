"""The validation of a closure step as rows: its validators, their results, the target of a failure."""

from typing import NamedTuple

from stepflow_gui.formats.climpt.eras import Era, guide_for
from stepflow_gui.gui.canvas.items.closing_card import CheckSign, ClosingSign
from stepflow_gui.gui.widgets.table import Cell, TableRow
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.explanation import attempts_left
from stepflow_gui.run.machine.closure_checks import (
    ClosureValidation,
    MatchedFailure,
    command_of,
    failure_of,
    validation_for,
)
from stepflow_gui.run.machine.run_config import RunConfig
from stepflow_gui.run.machine.state import Retry, State, Validated
from stepflow_gui.run.machine.verdict import verdict_of
from stepflow_gui.run.prompts.prompt_files import PromptShelf
from stepflow_gui.run.prompts.retry_prompt import retry_prompt
from stepflow_gui.run.session import Run


class Check(NamedTuple):
    """A validator in its validation. `state`: waits, runs, passed, failed, or "" where no run is at it."""

    validator: str
    state: str
    command: str
    failure: MatchedFailure | None
    prompt: str  # the retry prompt's file, relative to the project; "" where no pattern or file is found


class Closing(NamedTuple):
    """What follows where a step returns closing. `failures`: of this validation, in the run."""

    step: str
    validation: ClosureValidation
    checks: tuple[Check, ...]
    failures: int
    retry: Retry | None


def closing_of(agent: AgentFolder, run: Run | None, selected: str | None) -> Closing | None:
    """The validation at the step where a run closes or retries, else at the one that is selected."""
    state = run.state if run is not None else None
    checking = state.checking if state is not None else None
    retry = state.retry if state is not None else None
    era = run.machine.era if run is not None else guide_for(agent.flow.format)
    step: str | None = selected
    validation: ClosureValidation | None = None
    if checking is not None and state is not None:
        step, validation = state.step, checking.validation
    elif retry is not None:
        step, validation = retry.closure, retry.validation
    elif selected is not None and _closes(agent, selected):
        verdict = run.machine.verdict if run is not None else verdict_of(agent.agent)
        validation = validation_for(agent.flow, selected, verdict.type, era)
    if step is None or validation is None:
        return None
    here = state if state is not None and (checking is not None or retry is not None) else None
    past = _results(run, step) if run is not None and here is None else {}
    checks = tuple(
        Check(
            name,
            past.get(name, "") or _state_of(here, position, name),
            command_of(agent.flow, name) or "",
            failure := _failure(agent, name, era, retry),
            _prompt_of(agent, era, step, validation, name, failure),
        )
        for position, name in enumerate(validation.validators)
    )
    failures = state.failures.get(validation.key, 0) if state is not None else 0
    return Closing(step, validation, checks, failures, retry)


def check_rows(agent: AgentFolder, run: Run | None, selected: str | None) -> tuple[str, list[TableRow]]:
    """A line that describes what is shown, and a row per validator."""
    closing = closing_of(agent, run, selected)
    if closing is None:
        return _("Select a closure step with validators, or let a run close, to see what is checked then."), []
    left = attempts_left(closing.validation.action, closing.validation.max_attempts, closing.failures)
    head = _("{step} closes by “{key}”: all validators must pass, in this order. {attempts}")
    head = head.format(step=closing.step, key=closing.validation.key, attempts=left)
    if closing.retry is not None and closing.retry.validator:
        text = _("“{validator}” failed, so the retry prompt of “{pattern}” is sent (attempt {attempt}).")
        pattern = closing.retry.failure.name if closing.retry.failure else _("no pattern")
        head += " " + text.format(validator=closing.retry.validator, pattern=pattern, attempt=closing.retry.attempt)
    return head, [_row(check) for check in closing.checks]


def closing_sign(agent: AgentFolder, run: Run | None, selected: str | None) -> ClosingSign | None:
    """The same for the canvas."""
    closing = closing_of(agent, run, selected)
    if closing is None:
        return None
    retry = closing.retry
    left = attempts_left(closing.validation.action, closing.validation.max_attempts, closing.failures)
    title = _("closing: {count} validators, then the end").format(count=len(closing.checks))
    goal = run.state.step if run is not None and retry is not None else None
    foot = left if goal is None else _("{left} Next: {step} with the retry prompt").format(left=left, step=goal)
    return ClosingSign(closing.step, title, tuple(map(_sign, closing.checks)), foot)


def _sign(check: Check) -> CheckSign:
    pattern = check.failure.name if check.failure is not None else _("no pattern")
    prompt = check.prompt.rpartition("/")[2] or _("a general text")
    return CheckSign(check.validator, check.state, f"✕ {pattern} → {prompt}")


def state_word(state: str) -> tuple[str, str]:
    """A check's state as a word and its colour."""
    words = {
        "runs": (_("runs"), "activetext"),
        "passed": (_("passed"), "closure"),
        "failed": (_("failed"), "error"),
        "waits": (_("waits"), "muted"),
    }
    return words.get(state, ("", "muted"))


def _row(check: Check) -> TableRow:
    word, token = state_word(check.state)
    pattern = Cell(check.failure.name, mono=True) if check.failure else Cell(_("none"), token="muted")
    if check.failure is not None and not check.failure.known:
        pattern = pattern._replace(token="error")
    file = check.prompt.rpartition("/")[2]
    prompt = Cell(file, mono=True) if file else Cell(_("a general text"), token="muted")
    return TableRow(
        (Cell(check.validator, mono=True), Cell(word, token=token), Cell(check.command, mono=True), pattern, prompt),
        tip="\n".join(filter(None, (check.command, check.prompt))),
        bold=check.state == "runs",
    )


def _closes(agent: AgentFolder, step_id: str) -> bool:
    step = agent.flow.steps.get(step_id)
    return step is not None and (step.kind == "closure" or (step.gate is not None and step.gate.allows("closing")))


def _results(run: Run, step: str) -> dict[str, str]:
    """What the validators of a step came to last, to be seen until another run begins."""
    found: dict[str, str] = {}
    for entry in reversed(run.trace):
        if not isinstance(entry.event, Validated):
            if found:
                break
        elif entry.step == step and entry.validator is not None:
            found.setdefault(entry.validator, "passed" if entry.event.passed else "failed")
    return found


def _state_of(state: State | None, position: int, name: str) -> str:
    if state is None:
        return ""
    if state.checking is not None:
        at = state.checking.position
        return "passed" if position < at else "runs" if position == at else "waits"
    if state.retry is not None and state.retry.validator:
        names = state.retry.validation.validators
        at = names.index(state.retry.validator) if state.retry.validator in names else -1
        return "failed" if name == state.retry.validator else "passed" if position < at else "waits"
    return ""


def _failure(agent: AgentFolder, name: str, era: Era, retry: Retry | None) -> MatchedFailure | None:
    if retry is not None and retry.validator == name:
        return retry.failure
    return failure_of(agent.flow, name, "", era)


def _prompt_of(
    agent: AgentFolder, era: Era, step: str, validation: ClosureValidation, name: str, failure: MatchedFailure | None
) -> str:
    retry = Retry(step, validation, name, failure, "", {}, 1)
    found = retry_prompt(RunConfig(agent.flow, era), retry, {}, PromptShelf(agent))
    if found.path is None:
        return ""
    return found.path.relative_to(agent.root).as_posix() if found.path.is_relative_to(agent.root) else str(found.path)
