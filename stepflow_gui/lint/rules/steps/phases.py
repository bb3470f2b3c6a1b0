"""The phases that the ids of steps begin with (seed 000, stepId; seed 002)."""

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.lint.contract import has_placeholder

PHASES = ("initial", "continuation", "verification", "closure", "section")
PHASES_COMPLETE = ("initial", "continuation", "complete", "section")
STAGES = ("initial", "continuation", "complete")


def phases_of(flow: Flow) -> tuple[str, ...]:
    """The phases that a step's id may begin with."""
    return PHASES_COMPLETE if flow.format == "complete" else PHASES


def has_form(step: str, flow: Flow) -> bool:
    """Whether an id is made of a phase and a topic, or a template leaves it open."""
    phase, *topic = step.split(".")
    has_topic = bool(topic) and all(part.split() == [part] for part in topic)
    return has_placeholder(step) or (phase in phases_of(flow) and has_topic)


def phase_of(step: Step, flow: Flow) -> str | None:
    """The phase that a step's id begins with; None where it has none, or where a template leaves it open."""
    phase = step.id.partition(".")[0]
    return phase if phase in phases_of(flow) and not has_placeholder(step.id) else None
