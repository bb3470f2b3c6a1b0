"""Step ids in transitions and entries."""

from stepflow_gui.flow.model import Flow


def is_step(name: str, flow: Flow) -> bool:
    """Whether a step of that id is there, readable or not."""
    return name in flow.steps or any(odd.value == name for odd in flow.odd_steps)
