"""An agent on disk with what a test needs, and effects with the test's results."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stepflow_gui.formats.climpt.agent.resolving import resolve_agent
from stepflow_gui.formats.climpt.eras import GUIDE, Era
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.effects import ResponderQuery
from stepflow_gui.run.host.host import Host
from stepflow_gui.run.machine.run_config import settings_of
from stepflow_gui.run.machine.state import Answered, ProgramEnded, RunProgram
from stepflow_gui.run.machine.verdict import verdict_of
from stepflow_gui.run.validators.command_result import CommandResult

AGENT = Path(".agent", "demo")


class Told:
    """Effects that answer from lists, and remember what they were asked."""

    def __init__(
        self, answers: Sequence[Answered], commands: Sequence[CommandResult] = (), programs: Sequence[ProgramEnded] = ()
    ) -> None:
        self._answers, self._commands, self._programs = list(answers), list(commands), list(programs)
        self.asked: list[ResponderQuery] = []
        self.ran: list[str] = []
        self.started: list[RunProgram] = []

    def answer(self, asked: ResponderQuery) -> Answered:
        self.asked.append(asked)
        return self._answers.pop(0)

    def command(self, command: str) -> CommandResult:
        self.ran.append(command)
        return self._commands.pop(0)

    def exists(self, path: str) -> bool:
        self.ran.append(path)
        return False

    def program(self, request: RunProgram) -> ProgramEnded:
        self.started.append(request)
        return self._programs.pop(0)

    @property
    def prompts(self) -> list[str | None]:
        """The prompts that were shown, in order."""
        return [asked.prompt.text for asked in self.asked]


def says(word: str, **more: Any) -> Answered:
    """An answer whose intent is a word."""
    return Answered({"next_action": {"action": word}, **more}, ("text",))


def host(
    root: Path,
    registry: dict[str, Any],
    effects: Told,
    *,
    files: dict[str, Any] | None = None,
    agent: dict[str, Any] | None = None,
    era: Era = GUIDE,
    spare: dict[str, str] | None = None,
    needs_prompts: bool = True,
) -> Host:
    """A host of an agent made of these; `files` by their path below the agent's folder."""
    runner = {"verdict": {"type": "detect:graph"}, "flow": {"systemPromptPath": "prompts/system.md"}} | (agent or {})
    described = {"name": "demo", "displayName": "Demo", "runner": runner}
    written = {"agent.json": described, "steps_registry.json": registry} | (files or {})
    for path, content in written.items():
        file = root / AGENT / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")

    def agents(_iteration: int) -> AgentFolder:
        found = open_agent(root / AGENT / "steps_registry.json")
        assert isinstance(found, AgentFolder)
        return found

    opened = agents(0)
    assert opened.agent is not None
    assert opened.agent_document is not None
    settings = settings_of(resolve_agent(opened.agent_document, era))
    return Host(
        agents, effects, verdict_of(opened.agent), era, settings, spare_prompts=spare, needs_prompts=needs_prompts
    )
