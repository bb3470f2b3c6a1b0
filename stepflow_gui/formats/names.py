"""The names under which users know the formats."""

from stepflow_gui.messages import _


def format_name(format_id: str | None) -> str:
    """A format's public name; for None what is said where no format can be told."""
    match format_id:
        case "closing":
            return _("climpt steps with fallbackKey")
        case "c3l":
            return _("climpt steps without fallbackKey")
        case "complete":
            return _("climpt steps with complete intents")
        case "checks":
            return _("climpt checks (onPass / onFail)")
        case "takt":
            return _("TAKT piece")
        case "gateless":
            return _("climpt steps without gates")
        case "transitions-only":
            return _("climpt steps with transitions only")
        case "c3l-completion":
            return _("climpt steps with completionSteps")
        case "c3l-flat":
            return _("climpt prompt steps")
        case "flow-array":
            return _("climpt flow lists")
        case "prompt-path":
            return _("climpt steps with promptPath")
        case "entry-pair":
            return _("climpt steps with entry pairs")
        case "adt-kind-address":
            return _("climpt steps with kind and address")
        case _:
            return _("unknown format")
