"""Whether a file without steps is meant as a registry anyway."""

from stepflow_gui.text.json.tree import Node

_MARKS = ("steps", "entryStep", "entryStepMapping", "validationSteps", "failurePatterns", "userPromptsBase", "c1")


def has_marks(root: Node) -> bool:
    """Whether an object has a key that only registries have."""
    return any(root.member(key) for key in _MARKS)
