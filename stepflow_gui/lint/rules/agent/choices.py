"""Words of agent.json that have to be one of a few: where they stand, and which."""

from stepflow_gui.formats.climpt.agent.fields import AGENT
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.formats.fields import Field, field_at

PLACES = (
    "/runner/boundaries/permissionMode",
    "/runner/boundaries/sandbox/network/mode",
    "/runner/logging/format",
    "/runner/integrations/github/defaultClosureAction",
)
IN_CONFIG = ("resourceType", "operator")


def choices_at(pointer: str, era: Era) -> tuple[str, ...]:
    """The words that an era allows at a pointer of today's layout."""
    field = field_at(AGENT, pointer, era.name)
    return field.shape.choices if isinstance(field, Field) else ()
