"""Real agents as they were read and linted once a process: nothing of them changes while tests look at them."""

from functools import cache
from pathlib import Path

from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent


@cache
def opened(registry: Path) -> AgentFolder:
    """The agent of a registry, or a piece. Tests that time the reading or lay texts over it open their own."""
    agent = open_agent(registry)
    assert isinstance(agent, AgentFolder)
    return agent


@cache
def linted(registry: Path) -> list[Diagnostic]:
    """What a lint without settings finds there."""
    return lint(opened(registry))
