"""An agent in any of the formats that are text; PNG and PDF are painted by the window's canvas."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from stepflow_gui.export.arranging import picture_layout
from stepflow_gui.export.overlay import NO_OVERLAY, Overlay
from stepflow_gui.export.palette import Palette
from stepflow_gui.formats.layout_sidecar import Position
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.project.agent_folder import AgentFolder

Look = Literal["light", "dark", "auto"]
TextFormat = Literal["svg", "mermaid", "dot", "html", "json", "text"]
FORMATS: tuple[str, ...] = ("svg", "png", "pdf", "mermaid", "dot", "html", "json", "text")
PICTURES = ("svg", "png", "pdf")
PAINTED = ("png", "pdf")
ENDINGS = {
    ".svg": "svg",
    ".png": "png",
    ".pdf": "pdf",
    ".mmd": "mermaid",
    ".mermaid": "mermaid",
    ".dot": "dot",
    ".gv": "dot",
    ".html": "html",
    ".htm": "html",
    ".json": "json",
    ".txt": "text",
}


class ExportOptions(NamedTuple):
    """How it is to look.

    `diagnostics` are for html and json (None: no findings there), `overlay` for pictures, `checks` for diagrams: with
    what is validated before a step closes. The look `auto` is the reader's in html, light elsewhere.
    """

    look: Look = "auto"
    scale: float = 1.0
    overlay: Overlay = NO_OVERLAY
    diagnostics: Sequence[Diagnostic] | None = None
    checks: bool = True
    positions: Mapping[str, Position] | None = None  # where a canvas shows the steps; None: as the agent says


def make_text(agent: AgentFolder, form: TextFormat, wish: ExportOptions) -> str:
    """The file's text; of a registry that is broken, what could be read."""
    flow = agent.flow
    verdict = agent.agent.verdict_type.value if agent.agent and agent.agent.verdict_type else None
    palette = Palette(dark=wish.look == "dark")
    match form:
        case "svg":
            from stepflow_gui.export.svg import flow_svg

            layout = picture_layout(agent, wish.positions)
            return flow_svg(
                flow, palette=palette, overlay=wish.overlay, verdict=verdict, layout=layout, scale=wish.scale
            )
        case "mermaid" | "dot":
            from stepflow_gui.export.diagram import diagram_of
            from stepflow_gui.export.dot import dot_text
            from stepflow_gui.export.mermaid import mermaid_text

            diagram = diagram_of(flow, verdict, checks=wish.checks)
            return mermaid_text(diagram, palette) if form == "mermaid" else dot_text(diagram, palette)
        case "html":
            from stepflow_gui.export.html_report import ReportContent, html_report

            layout = picture_layout(agent, wish.positions)
            return html_report(ReportContent(agent, layout, wish.diagnostics, wish.overlay, verdict), wish.look)
        case "json":
            from stepflow_gui.export.flow_json import flow_json

            return flow_json(flow, picture_layout(agent, wish.positions), wish.diagnostics, agent.root)
        case "text":
            from stepflow_gui.export.outline_text import outline_lines

            return "\n".join([*outline_lines(flow), ""])
