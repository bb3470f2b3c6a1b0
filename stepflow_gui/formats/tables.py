"""Which field table describes the registries of a format."""

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.checks.fields import REGISTRY as CHECKS
from stepflow_gui.formats.climpt.fields import REGISTRY
from stepflow_gui.formats.fields import Shape


def registry_fields(format_id: str) -> Shape:
    """The table; its fields define in which of the formats they are known (`Field.known_in`)."""
    return CHECKS if format_id == "checks" else REGISTRY


def table_of_flow(flow: Flow) -> tuple[Shape, str]:
    """The table for a flow's file, and the name that its fields are known by: of pieces the words of their era."""
    if flow.format == "takt":
        from stepflow_gui.formats.takt.detect import era_of_file
        from stepflow_gui.formats.takt.fields import PIECE_FILE

        return PIECE_FILE, era_of_file(flow.document.root).notation
    return registry_fields(flow.format), flow.format
