"""Agents of a project that weren't examined: their statuses are made up."""

from collections.abc import Sequence
from pathlib import Path

from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.engine.project_status import CheckedAgent, Health
from stepflow_gui.project.agent_listing import AgentListing, ListedFile

ROOT = Path("/repository")


def key_of(folder: str) -> Path:
    """The registry of the agent in a folder."""
    return ROOT / folder / "steps_registry.json"


def told(
    folder: str,
    name: str,
    health: Health | None = None,
    prompts: Sequence[str] = (),
    missing: Sequence[str] = (),
    how_bad: Severity = "warning",
) -> CheckedAgent:
    """An agent with prompts below its folder, some of them missing; its findings are those of its registry."""
    key, home = key_of(folder), ROOT / folder
    health = health or Health()
    files = [ListedFile(key, "registry"), ListedFile(home / "agent.json", "agent")]
    files += [ListedFile(home / path, "prompt") for path in prompts]
    files += [ListedFile(home / path, "prompt", there=False, asked_by=("step",)) for path in missing]
    listing = AgentListing(key, name, home, ROOT, "closing", tuple(files))
    return CheckedAgent(key, listing, health, {key: health}, {home / path: how_bad for path in missing})
