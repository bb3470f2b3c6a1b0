"""Find the step at an offset of the registry's text."""

from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.pointer import join, split


class StepFinder:
    """Looks in one agent after the other, and keeps the steps of the last by their pointers."""

    def __init__(self) -> None:
        self._of: tuple[AgentFolder, dict[str, str]] | None = None

    def step_at(self, folder: AgentFolder, offset: int) -> str | None:
        """The step in which an offset of the registry's text lies."""
        if self._of is None or self._of[0] is not folder:
            self._of = folder, {step.pointer: step.id for step in folder.flow.steps.values()}
        known = self._of[1]
        pointer = ""
        for token in split(folder.registry.tree.pointer_at(offset)):
            pointer = join(pointer, token)
            if pointer in known:
                return known[pointer]
        return None
