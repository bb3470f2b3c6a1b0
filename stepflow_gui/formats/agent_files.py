"""What a change may know of the agent around a registry. `project.AgentFolder` is one."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.climpt.agent.agent_file import AgentDefinition
from stepflow_gui.formats.climpt.schemas import StepSchema
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.files.store import ReadProblem


class AgentFiles(Protocol):
    """An agent's files as they are at one moment, unsaved texts included. Nothing outside the project is given out."""

    @property
    def flow(self) -> Flow:
        """The registry's flow."""

    @property
    def agent(self) -> AgentDefinition | None:
        """The content of agent.json; None where there is none."""

    @property
    def layout_file(self) -> Path:
        """Where the positions of the steps are kept, whether there is such a file or not."""

    def document(self, path: Path) -> ParsedFile | ReadProblem:
        """A file of the project."""

    def exists(self, path: Path) -> bool:
        """Whether there is such a file in the project."""

    def schema(self, step: Step) -> StepSchema:
        """The output schema of a step."""

    def schema_candidates(self, file: str) -> Sequence[Path]:
        """Where a schema file may lie, the best first."""

    def schema_files(self) -> Sequence[ParsedFile | ReadProblem]:
        """The schema files that the steps use."""

    def schema_neighbours(self) -> Sequence[ParsedFile]:
        """The other JSON files in the folders of those."""

    def prompt_candidates(self, step: Step) -> Sequence[Path]:
        """Where the prompt of a step may lie, the best first."""
