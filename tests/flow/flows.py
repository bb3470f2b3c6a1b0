"""Flows made from little: the steps with the target of each intent."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.registry import read_registry
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source

Ways = Mapping[str, str | dict[str, str | None] | None]


def flow_of(steps: Mapping[str, Ways], entries: Mapping[str, str] | None = None, entry: str | None = None) -> Flow:
    """A flow whose steps have these transitions: an intent to a target, None for the end, or values to targets."""
    registry: dict[str, Any] = {"agentId": "made", "version": "1.0.0", "c1": "steps"}
    if entry:
        registry["entryStep"] = entry
    if entries:
        registry["entryStepMapping"] = entries
    registry["steps"] = {
        step_id: {
            "stepId": step_id,
            "name": f"Name of {step_id}",
            "c2": step_id.split(".", maxsplit=1)[0],
            "structuredGate": {"allowedIntents": list(ways)},
            "transitions": {
                intent: {"condition": "value", "targets": way} if isinstance(way, dict) else {"target": way}
                for intent, way in ways.items()
            },
        }
        for step_id, ways in steps.items()
    }
    return read(json.dumps(registry))


def read(text: str) -> Flow:
    """The flow of a registry's text."""
    return read_registry(ParsedFile.read(Path("steps_registry.json"), Source(text)), "closing")


def chain(length: int) -> Flow:
    """Steps one after the other, each repeating itself, up to the end."""
    names = [f"initial.{number}" for number in range(length)]
    following: list[str | None] = [*names[1:], None]
    return flow_of(
        {name: {"next": after, "repeat": name} for name, after in zip(names, following, strict=True)}, entry=names[0]
    )
