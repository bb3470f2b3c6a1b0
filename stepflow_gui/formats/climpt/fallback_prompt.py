"""The step whose prompt is used where a closure step's own can't be read (runtime-semantics 9)."""

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.climpt.vocabulary import VALIDATION_STEP_OF_VERDICT


def standby_step(flow: Flow, verdict: str | None) -> Step | None:
    """The step whose prompt the verdict's handler shows; None where there is none, or where that isn't known.

    detect:graph shows the entry step's, the others that of `continuation.<topic>`, or of an entry pair's continuation.
    """
    if verdict == "detect:graph":
        entry = flow.entry_target(verdict)
        return flow.steps.get(entry) if entry else None
    if flow.format == "adt-kind-address":
        later = (entry.target for entry in flow.entries if entry.continuation and entry.key == verdict)
        named = next((target.value for target in later if target), None)
        return flow.steps.get(named) if named else None
    topic = VALIDATION_STEP_OF_VERDICT.get(verdict or "", "").partition(".")[2]
    return flow.steps.get(f"continuation.{topic}") if topic else None
