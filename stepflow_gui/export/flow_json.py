"""A flow as JSON for other programs: steps, edges, entries, findings. The shape is fixed from version 1 on."""

from collections.abc import Iterable
from pathlib import Path

from stepflow_gui.export.options import ExportOptions
from stepflow_gui.export.placement import picture_layout
from stepflow_gui.flow.layout import Layout
from stepflow_gui.flow.model import Flow
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.report.json_text import json_text
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.project.agent_folder import AgentFolder

MARK = "stepflow-flow"
VERSION = 1


def json_of(agent: AgentFolder, options: ExportOptions) -> str:
    """The flow of an agent as JSON text."""
    return flow_json(
        agent.flow, picture_layout(agent, options.positions, loops=options.loops), options.diagnostics, agent.root
    )


def flow_json(flow: Flow, layout: Layout, diagnostics: Iterable[Diagnostic] | None, root: Path) -> str:
    """The text. `findings` is there where they were asked for; their files are from `root`."""
    boxes = layout.steps
    value = {
        MARK: VERSION,
        "generator": "Stepflow",
        "agent": flow.agent_id.value if flow.agent_id else None,
        "version": flow.version.value if flow.version else None,
        "format": flow.format,
        "entries": [
            {
                "key": entry.key,
                "step": entry.target.value if entry.target else None,
                "continuation": entry.continuation,
            }
            for entry in flow.entries
        ],
        "steps": [
            {
                "id": step.id,
                "name": step.title,
                "kind": step.kind,
                "section": step.is_section,
                "intents": [text.value for text in step.gate.intents] if step.gate else None,
                "pointer": step.pointer,
                "box": {
                    "x": boxes[step.id].x,
                    "y": boxes[step.id].y,
                    "width": boxes[step.id].width,
                    "height": boxes[step.id].height,
                },
            }
            for step in flow.steps.values()
        ],
        "edges": [
            {
                "step": move.step,
                "intent": move.intent,
                "case": move.case,
                "to": move.target,
                "missing": move.target is not None and move.target not in flow.steps,
                "limit": move.limit,
                **(
                    {"end": move.end or None, "asks_user": move.asks, "interactive_only": move.interactive}
                    if flow.format == "takt"
                    else {}
                ),
                "pointer": move.pointer,
            }
            for move in flow.moves()
        ],
    }
    if diagnostics is not None:
        value["findings"] = [
            {
                "code": found.code,
                "severity": found.severity,
                "message": found.message,
                "step": found.step,
                "file": shown_path(found.file, root),
                "line": found.range.start.line,
                "column": found.range.start.column,
            }
            for found in diagnostics
        ]
    return json_text(value, indent=2) + "\n"
