"""The names under which users know the formats."""

from stepflow_gui.flow.model import Flow
from stepflow_gui.messages import _


def format_name(format_id: str | None) -> str:
    """A format's public name; for None the text for an unknown format."""
    names = {
        "closing": _("climpt steps with fallbackKey"),
        "c3l": _("climpt steps without fallbackKey"),
        "complete": _("climpt steps with complete intents"),
        "checks": _("climpt checks (onPass / onFail)"),
        "takt": _("TAKT piece"),
        "gateless": _("climpt steps without gates"),
        "transitions-only": _("climpt steps with transitions only"),
        "c3l-completion": _("climpt steps with completionSteps"),
        "c3l-flat": _("climpt prompt steps"),
        "flow-array": _("climpt flow lists"),
        "prompt-path": _("climpt steps with promptPath"),
        "entry-pair": _("climpt steps with entry pairs"),
        "adt-kind-address": _("climpt 1.14 (pre-release)"),
    }
    return names.get(format_id or "", _("unknown format"))


def name_of_format(flow: Flow) -> str:
    """The public name of a flow's format; newer TAKT files are called workflows."""
    if flow.format == "takt":
        from stepflow_gui.formats.tables import table_of_flow

        if table_of_flow(flow)[1] != "piece":
            return _("TAKT workflow")
    return format_name(flow.format)
