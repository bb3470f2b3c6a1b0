"""Which fields the forms show: those of the format; of a piece those that its newest release reads."""

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.fields import Shape
from stepflow_gui.formats.tables import table_of_flow


class ShownFields:
    """The tables of the flow that is shown last: what lies around a piece is looked at once a flow."""

    def __init__(self) -> None:
        self._of: tuple[Flow, Shape, str] | None = None

    def of(self, flow: Flow) -> tuple[Shape, str]:
        """The table for a flow's file, and the name that its fields are known by."""
        if self._of is None or self._of[0] is not flow:
            table, known = table_of_flow(flow)
            self._of = flow, _of_releases(flow, known) or table, known
        return self._of[1:]


def _of_releases(flow: Flow, notation: str) -> Shape | None:
    if flow.format != "takt":
        return None
    from stepflow_gui.formats.takt.release_fields import table_of_release  # registries need none of it
    from stepflow_gui.formats.takt.releases.sets import newest_of
    from stepflow_gui.lint.config.config import Configs
    from stepflow_gui.project.finding.takt_releases import releases_of_piece

    path = flow.document.path
    found = releases_of_piece(path, flow.document.tree, Configs().of(path).runtime(path, flow.format)).releases
    return table_of_release(newest_of(found), notation) if found else None
