"""How runs end, in plain words."""

from stepflow_gui.formats.checks.runners import ENDLESS
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.messages import _, ngettext
from stepflow_gui.run.machine.state import EndKind, Memory, Outcome

_CODES = {"limit": "AGENT_MAX_ITERATIONS", "validation": "AGENT_VALIDATION_ABORT"}
_FINISHED = frozenset({"closing", "complete", "null", "verdict"})


def outcome(
    kind: EndKind,
    step: str,
    iterations: int,
    detail: str = "",
    *,
    era: Era,
    memory: Memory,
    verdict: str | None = None,
) -> Outcome:
    """The end of a run at a step. `detail`: the verdict type, the validator, or what the answer gave as its reason."""
    finished = kind in _FINISHED or (kind == "abort" and era.abort_succeeds)
    marred = finished and era.needs_clean_run and (memory.errors > 0 or not memory.spoke)
    success = (finished and not marred) or (kind == "limit" and era.limit_succeeds)
    rules = era.checks
    if kind == "check":
        success = rules is not None and rules.exhausted_succeeds
    of_checks = kind in {"check", "unchecked"}
    text = _of_checks(kind, detail, success=success) if of_checks else _message(kind, iterations, success=success)
    if kind == "null" and detail:
        text = _("The run is complete: no case of the transition from {step} fits the answer, and there is no default.")
    message = text.format(step=step, count=iterations, detail=detail)
    if marred:
        message = _marred(memory)
    if kind == "limit" and rules is not None and iterations >= ENDLESS:
        message = f"{message} {_('This runner itself would never stop.')}"
    code = _CODES.get(kind) if rules is None else None
    return Outcome(success, kind, message, step, iterations, code, verdict, marred)


def _marred(memory: Memory) -> str:
    if memory.errors:
        return ngettext(
            "The run reached its end, but {count} query or program went wrong on the way: "
            "this runner reports it as failed.",
            "The run reached its end, but {count} queries or programs went wrong on the way: "
            "this runner reports it as failed.",
            memory.errors,
        ).format(count=memory.errors)
    return _("The run reached its end without any text of the model: this runner reports it as failed.")


def _of_checks(kind: EndKind, detail: str, *, success: bool) -> str:
    """Ends that only flows with checks have; `detail` is the message of the check."""
    if kind == "unchecked":
        return _("The run failed: {step} has no check that would continue the flow, and has run as often as it may.")
    message = _("The run failed: the check of {step} did not pass, and no next step is defined.")
    if success:
        message = _(
            "The run is complete: the check of {step} did not pass and no next step is defined, "
            "which this runner treats as a normal end."
        )
    return f"{message} {_('It says: {detail}')}" if detail else message


def _message(kind: EndKind, iterations: int, *, success: bool) -> str:
    match kind:
        case "closing":
            return _("The run is complete: {step} closed it.")
        case "complete":
            return _("The run is complete: {step} was its last step.")
        case "null":
            return _("The run is complete: the transition from {step} goes to the end.")
        case "verdict":
            return _("The run is complete: the verdict {detail} holds after {step}.")
        case "abort" if success:
            return _("The run is complete: {step} aborted it, which this runner treats as a normal end.")
        case "abort":
            return _("The run failed: {step} aborted it.")
        case "validation":
            return _("The run failed: validator “{detail}” did not pass, and {step} may not try again.")
    if success:
        return ngettext(
            "The run ended after {count} iteration, its limit, which this runner treats as a normal end.",
            "The run ended after {count} iterations, its limit, which this runner treats as a normal end.",
            iterations,
        )
    return ngettext(
        "The run was stopped after {count} iteration, its limit.",
        "The run was stopped after {count} iterations, its limit.",
        iterations,
    )
