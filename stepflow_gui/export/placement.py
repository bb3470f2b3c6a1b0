"""Where the steps of an agent are in a picture: where a person has put them on the canvas, else laid out."""

from collections.abc import Mapping

from stepflow_gui.export.card import card_of
from stepflow_gui.export.outcome_signs import width_in
from stepflow_gui.flow.layout import Layout, NodeId, draw, lay_out
from stepflow_gui.flow.layout.shapes import Direction
from stepflow_gui.formats.layout_sidecar import Position, direction, positions
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import ParsedFile


def placed_positions(agent: AgentFolder) -> dict[str, Position]:
    """The positions that are kept for the registry."""
    found: dict[str, Position] = {}
    for file in reversed(agent.layout_files):
        kept = agent.document(file)
        found |= positions(kept) if isinstance(kept, ParsedFile) else {}
    return found


def placed_direction(agent: AgentFolder) -> Direction:
    """The direction that is kept for the registry."""
    files = [agent.document(file) for file in agent.layout_files]
    found = [direction(kept) for kept in files if isinstance(kept, ParsedFile)]
    return next((chosen for chosen in found if chosen != "auto"), "auto")


def picture_layout(agent: AgentFolder, shown: Mapping[str, Position] | None = None, *, loops: bool = False) -> Layout:
    """The layout of `card_of` sizes; `shown` are the positions on a canvas, which hold before those of the file.

    `loops`: with edges for the transitions of steps to themselves.
    """
    sizes = {step.id: card_of(step).size for step in agent.flow.steps.values()}
    width = width_in(agent.flow)
    layout = lay_out(agent.flow, sizes, width, loops=loops, direction=placed_direction(agent))
    placed = placed_positions(agent) if shown is None else dict(shown)
    moved = {NodeId("step", step): place for step, place in placed.items() if step in agent.flow.steps}
    return draw(agent.flow, sizes, layout.corners | moved, width, loops=loops) if moved else layout
