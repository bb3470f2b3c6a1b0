"""The pairs of steps in entryStepMapping: where a run begins, and which step speaks later on (climpt-1.14, 2)."""

from stepflow_gui.flow.model import Flow

SIDES = ("initial", "continuation")


def continuation_of(first: str, flow: Flow) -> str:
    """The step that goes on after a first one: the continuation of the same topic, else the first itself."""
    topic = first.removeprefix("initial.")
    named = f"continuation.{topic}"
    return named if topic != first and named in flow.steps else first
