"""The one key of Stepflow's own in registries: readers and runners pass over it."""

from stepflow_gui.formats.fields import ANY, Field
from stepflow_gui.messages import _

OWN_MARKS = "x-stepflow"

OWN_FIELD = Field(OWN_MARKS, ANY, lambda: _("Findings that Stepflow doesn’t report, and why"))
