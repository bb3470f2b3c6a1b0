"""Agents of the older formats on disk, and converted."""

import json
import shutil
from pathlib import Path
from typing import Any

from stepflow_gui.formats.edits import Refusal
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.converting.conversion import Conversion, convert

Json = dict[str, Any]


def on_disk(
    folder: Path, registry: Json, agent: Json | None = None, files: dict[str, str] | None = None
) -> AgentFolder:
    """An agent of these files in `.agent/demo`."""
    home = folder / ".agent" / "demo"
    texts = {"steps_registry.json": json.dumps(registry, indent=2), **(files or {})}
    if agent is not None:
        texts["agent.json"] = json.dumps(agent, indent=2)
    for name, text in texts.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, "utf-8")
    return opened(home)


def from_template(folder: Path, checkout: Path, template: str) -> AgentFolder:
    """An agent as `stepflow new` makes it."""
    source = checkout / "resources" / "templates" / template / "files"
    for file in sorted(source.rglob("*")):
        if file.is_file():
            target = folder / file.relative_to(source).as_posix().replace("@name@", "demo")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
            text = target.read_text("utf-8").replace("@name@", "demo").replace("@title@", "Demo")
            target.write_text(text, "utf-8")
    return opened(folder / ".agent" / "demo")


def opened(path: Path) -> AgentFolder:
    """The agent at a path."""
    agent = open_agent(path)
    assert isinstance(agent, AgentFolder)
    return agent


def converted(agent: AgentFolder, target: str = "closing", checks: Any = "verification") -> Conversion:
    """The agent in another format."""
    found = convert(agent, target, checks)
    assert not isinstance(found, Refusal), found.reason
    return found


def errors(agent: AgentFolder) -> set[str]:
    """The codes of what the linter calls an error."""
    return {each.code for each in lint(agent) if each.severity == "error"}


def value(agent: AgentFolder) -> Json:
    """The registry's content."""
    root = agent.registry.root
    assert root is not None
    assert isinstance(root.value, dict)
    return root.value
