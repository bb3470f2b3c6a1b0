"""What an agent may run on this machine: the commands of its validators, the programs of its closure steps."""

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.finding.find import find_registries
from stepflow_gui.text.json.tree import JsonValue

_PIECES = "takt"  # of which no command is run
_KEYS = ('"command"', "\\u")  # without either no key of a file is “command”


def commands_digest(agent: AgentFolder) -> str | None:
    """A digest of the commands as the registry has them, with their arguments and place; None where there are none.

    Commands of the same text under another name, or with other `params` of a condition, are others. So are those of a
    copy: what they start lies beside them.
    """
    text = agent.registry.source.text
    if agent.flow.format == _PIECES or agent.registry.root is None or not any(key in text for key in _KEYS):
        return None
    found = list(_commands(agent.registry.root.value))
    if not any("command" in each for each in found):
        return None
    try:
        digested = json.dumps(found, sort_keys=True)
    except RecursionError:  # arguments of a thousand levels: then no letter may change
        digested = json.dumps(text)
    place = os.fsencode(os.path.realpath(agent.registry.path))
    return hashlib.sha256(place + b"\0" + digested.encode("ascii")).hexdigest()


def digests_below(folder: Path) -> frozenset[str]:
    """Those of all agents in and below a folder."""
    agents = (open_agent(registry) for registry in find_registries(folder) if registry.suffix == ".json")
    digests = (commands_digest(agent) for agent in agents if isinstance(agent, AgentFolder))
    return frozenset(digest for digest in digests if digest)


def _commands(value: JsonValue) -> Iterator[dict[str, JsonValue]]:
    """Every object that may name a command or what is filled into one, in the order of the file."""
    stack: list[tuple[str, JsonValue]] = [("", value)]
    while stack:
        name, each = stack.pop()
        if isinstance(each, list):
            stack += [(name, item) for item in reversed(each)]
        elif isinstance(each, dict):
            if isinstance(each.get("command"), str):
                yield {"name": name, "command": each["command"], "args": each.get("args")}
            elif "validator" in each and each.get("params"):
                yield {"validator": each["validator"], "params": each["params"]}
            stack += reversed(each.items())
