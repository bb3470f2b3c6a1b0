"""What a finding says that a value counts for: the runner has to do the same with that in its place."""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from stepflow_gui.formats.climpt.eras import ERAS, era_for
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.pointer import split
from stepflow_gui.text.source import Source
from tests.fuzz.differential.observing import RunnerSide

_GONE = object()
_COUNTS_FOR: dict[str, Any] = {
    "treats it as missing": _GONE,
    "doesn't read it": _GONE,
    "skips it": _GONE,
    "treats it as empty": {},
    "treats it as an empty list": [],
    "treats it as true": True,
    "treats it as false": False,
}
_NEEDED = frozenset({"intentField"})  # loaders ask for some value, and take any
_SAID = re.compile(rf"(?:the )?(climpt-[-.\d]*\d) ({'|'.join(map(re.escape, _COUNTS_FOR))})")


class Variant(NamedTuple):
    """The same agent with what a value counts for, and the words that say so of a version."""

    words: str
    era: str
    agent: AgentFolder


def variants_of(found: Diagnostic, agent: AgentFolder) -> Iterator[Variant]:
    """The variant that a finding of the registry names; nothing where it is about a key."""
    said = _SAID.search(found.message)
    if said is None or found.pointer is None or found.file != agent.registry.path:
        return
    keys, root = split(found.pointer), agent.registry.root
    node = agent.registry.tree.at(found.pointer)
    if not keys or keys[-1] in _NEEDED or root is None or node is None or not agent.registry.tree.valid:
        return
    value = json.loads(agent.registry.source.text)
    holder = value
    for key in keys[:-1]:
        holder = holder[int(key)] if isinstance(holder, list) else holder[key]
    last = int(keys[-1]) if isinstance(holder, list) else keys[-1]
    counts_for = _COUNTS_FOR[said[2]]
    if counts_for is _GONE:
        del holder[last]
    else:
        holder[last] = counts_for
    buffers = {agent.registry.path: Source(json.dumps(value))}
    other = open_agent(agent.registry.path, buffers, agent.format)
    if isinstance(other, AgentFolder):
        yield Variant(said[2], said[1], other)


def difference(first: RunnerSide, other: RunnerSide) -> str | None:
    """How two agents part in the hands of a runner; None where they don't."""
    if (first.refusal is None) is not (other.refusal is None):
        refused = [each.refusal.message if each.refusal else "starts" for each in (first, other)]
        return f"{refused[0]}; with that: {refused[1]}"
    if first.refusal is not None:
        return None
    if first.entry != other.entry:
        return f"starts at {first.entry}; with that: {other.entry}"
    pairs = (_probed(first), _probed(other)), (first.unprompted, other.unprompted)
    for own, its in pairs:
        for key in own.keys() & its.keys():
            if own[key] != its[key]:
                return f"{key}: {own[key]}; with that: {its[key]}"
    return None


def _probed(runner: RunnerSide) -> dict[Any, Any]:
    return {
        (probe.step, probe.first, probe.intent, probe.case, probe.flaw, probe.checked): (
            probe.error.kind if probe.error else None,
            (probe.outcome.kind, probe.outcome.success) if probe.outcome else None,
            probe.to,
        )
        for probe in runner.probes
    }


def runner_of(agent: AgentFolder, runtime: str) -> RunnerSide:
    """The runner of a version, as a registry of the agent's format needs it."""
    return RunnerSide(agent, ERAS[runtime] if runtime in ERAS else era_for(agent.flow.format, runtime))
