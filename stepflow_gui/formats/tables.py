"""Which field table describes the registries of a format."""

from stepflow_gui.formats.checks.fields import REGISTRY as CHECKS
from stepflow_gui.formats.climpt.fields import REGISTRY
from stepflow_gui.formats.fields import Shape


def registry_fields(format_id: str) -> Shape:
    """The table; its fields say themselves in which of the formats they are known (`Field.known_in`)."""
    return CHECKS if format_id == "checks" else REGISTRY
