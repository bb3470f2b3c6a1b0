"""Comparisons as JSON for programs. The shape is fixed from version 1 on (docs/diff.md)."""

from collections.abc import Iterable
from typing import NamedTuple

from stepflow_gui.flow.comparison.flows import FlowComparison
from stepflow_gui.flow.comparison.values import FieldChange
from stepflow_gui.flow.model import Move
from stepflow_gui.lint.report.json_text import json_text
from stepflow_gui.project.comparison import AgentComparison
from stepflow_gui.text.json.tree import JsonValue

MARK = "stepflow-diff"
VERSION = 1


class NamedComparison(NamedTuple):
    """A comparison with the names of its sides; None: there is nothing on that side."""

    old: str | None
    new: str | None
    comparison: AgentComparison


def comparisons_json(compared: Iterable[NamedComparison]) -> str:
    """All of them as one object."""
    listed = list(compared)
    value = {
        MARK: VERSION,
        "same": all(each.comparison.same for each in listed),
        "agents": [_agent(each) for each in listed],
    }
    return json_text(value, indent=2) + "\n"


def _agent(compared: NamedComparison) -> JsonValue:
    comparison = compared.comparison
    return {
        "old": compared.old,
        "new": compared.new,
        "same": comparison.same,
        "formatting": comparison.same and comparison.formatting,
        **_flow(comparison.flow),
        "files": [
            {
                "change": change.kind,
                "path": change.path,
                "role": change.role,
                "fields": [_field(field) for field in change.fields],
                "lines": {"added": change.lines[0], "removed": change.lines[1]} if change.lines else None,
            }
            for change in comparison.files
        ],
    }


def _flow(flow: FlowComparison | None) -> dict[str, JsonValue]:
    if flow is None:
        return {"steps": [], "edges": [], "entries": [], "fields": []}
    return {
        "steps": [
            {
                "change": step.kind,
                "id": step.id,
                "was": step.old.id if step.old else None,
                "pointer": step.step.pointer,
            }
            for step in flow.steps
        ],
        "edges": [
            {
                "change": edge.kind,
                "step": edge.step,
                "intent": edge.intent,
                "case": edge.case,
                "old": _move(edge.old),
                "new": _move(edge.new),
            }
            for edge in flow.edges
        ],
        "entries": [
            {
                "change": entry.kind,
                "key": entry.key,
                "continuation": entry.continuation,
                "old": entry.old,
                "new": entry.new,
            }
            for entry in flow.entries
        ],
        "fields": [_field(change) for change in flow.fields],
    }


def _move(move: Move | None) -> JsonValue:
    if move is None:
        return None
    return {"to": move.target, "limit": move.limit, "pointer": move.pointer}


def _field(change: FieldChange) -> JsonValue:
    return {
        "change": change.kind,
        "old_pointer": change.old_pointer,
        "new_pointer": change.new_pointer,
        "old": change.old,
        "new": change.new,
        "follows": change.follows,
    }
