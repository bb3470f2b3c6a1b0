"""What is at a place of an agent's file, according to the field tables."""

from typing import NamedTuple

from stepflow_gui.formats.climpt.agent.agent_file import layout_of
from stepflow_gui.formats.climpt.agent.fields import AGENT
from stepflow_gui.formats.climpt.agent.flat_fields import AGENT_FLAT
from stepflow_gui.formats.climpt.eras import GUIDE
from stepflow_gui.formats.fields import Field, Shape, field_at
from stepflow_gui.formats.tables import table_of_flow
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.pointer import join, parent, split
from stepflow_gui.text.source import Span


class CursorPlace(NamedTuple):
    """A key or a string at an offset. `shape` is its own; of a key `holder` is the object's that contains it."""

    document: ParsedFile
    pointer: str
    text: str
    span: Span
    is_key: bool
    field: Field | None
    shape: Shape | None
    holder: Shape | None


def table_of(agent: AgentFolder, document: ParsedFile) -> tuple[Shape, str] | None:
    """The field table of a file, with the name under which its fields are known; None for schemas and others."""
    if document.path == agent.registry.path:
        return table_of_flow(agent.flow)
    if agent.agent_document is not None and document.path == agent.agent_document.path:
        root = document.root
        flat = root is not None and layout_of(root) == "flat"
        return AGENT_FLAT if flat else AGENT, GUIDE.name
    return None


def spot_at(agent: AgentFolder, document: ParsedFile, offset: int) -> CursorPlace | None:
    """The key or string at an offset; None if there is neither, or no table describes it."""
    table = table_of(agent, document)
    if table is None:
        return None
    shape, known_as = table
    pointer = document.tree.pointer_at(offset)
    key_span = document.tree.key_span(pointer)
    above = field_at(shape, parent(pointer), known_as) if pointer else None
    holder = above.shape if isinstance(above, Field) else above
    found = field_at(shape, pointer, known_as)
    field = found if isinstance(found, Field) else None
    own = field.shape if field else found if isinstance(found, Shape) else None
    if key_span is not None and key_span.start <= offset <= key_span.end:
        return CursorPlace(document, pointer, split(pointer)[-1], key_span, True, field, own, holder)
    node = document.tree.at(pointer)
    if node is None or not isinstance(node.value, str) or not node.start <= offset <= node.end:
        return None
    return CursorPlace(document, pointer, node.value, Span(node.start, node.end), False, field, own, holder)


class StepFinder:
    """Looks in one agent after the other, and keeps the steps of the last by their pointers."""

    def __init__(self) -> None:
        self._of: tuple[AgentFolder, dict[str, str]] | None = None

    def step_at(self, folder: AgentFolder, offset: int) -> str | None:
        """The step in which an offset of the registry's text lies."""
        if self._of is None or self._of[0] is not folder:
            self._of = folder, {step.pointer: step.id for step in folder.flow.steps.values()}
        known = self._of[1]
        pointer = ""
        for token in split(folder.registry.tree.pointer_at(offset)):
            pointer = join(pointer, token)
            if pointer in known:
                return known[pointer]
        return None
