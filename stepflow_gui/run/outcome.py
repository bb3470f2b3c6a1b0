"""How runs end, in plain words."""

from stepflow_gui.messages import _, ngettext
from stepflow_gui.run.state import EndKind, Outcome

_CODES = {"limit": "AGENT_MAX_ITERATIONS", "validation": "AGENT_VALIDATION_ABORT"}
_SUCCESSES = frozenset({"closing", "complete", "null", "verdict"})


def outcome(kind: EndKind, step: str, iterations: int, detail: str = "") -> Outcome:
    """The end of a run at a step. `detail`: the verdict type, the validator, or what the answer gave as its reason."""
    message = _message(kind, iterations).format(step=step, count=iterations, detail=detail)
    return Outcome(kind in _SUCCESSES, kind, message, step, iterations, _CODES.get(kind))


def _message(kind: EndKind, iterations: int) -> str:
    match kind:
        case "closing":
            return _("The run is complete: {step} closed it.")
        case "complete":
            return _("The run is complete: {step} was its last step.")
        case "null":
            return _("The run is complete: the transition from {step} leads to the end.")
        case "verdict":
            return _("The run is complete: the verdict {detail} holds after {step}.")
        case "abort":
            return _("The run failed: {step} aborted it.")
        case "validation":
            return _("The run failed: validator “{detail}” did not pass, and {step} may not try again.")
    return ngettext(
        "The run was stopped after {count} iteration, its limit.",
        "The run was stopped after {count} iterations, its limit.",
        iterations,
    )
