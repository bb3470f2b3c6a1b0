"""What a flow and its steps are called: agents have steps, TAKT pieces movements, newer workflows steps."""

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.tables import table_of_flow
from stepflow_gui.messages import _, ngettext


def whole_name(flow: Flow) -> str:
    """What the whole is called, as a heading."""
    if flow.format != "takt":
        return _("Piece") if flow.document.is_yaml else _("Agent")  # one that can't be read is a piece anyway
    return _("Piece") if has_movements(flow) else _("Workflow")


def counted_steps(flow: Flow, count: int) -> str:
    """So many steps of a flow, by their own name."""
    if flow.format == "takt" and has_movements(flow):
        return ngettext("{count} movement", "{count} movements", count).format(count=count)
    return ngettext("{count} step", "{count} steps", count).format(count=count)


NAMED_BY_FLOW = ("new-step", "rename", "rename-name", "step-files", "follow", "problems-by-step", "step-problems")
"""The actions whose titles have the flow's own words."""


def title_of_command(name: str, title: str, flow: Flow | None) -> str:
    """An action's title; empty where it repeats another: movements have no name beside their id."""
    if flow is None or flow.format != "takt":
        return title
    if name == "rename-name":
        return ""
    if not has_movements(flow):
        return title
    of_movements = {
        "new-step": _("&New Movement…"),
        "rename": _("Rena&me Movement…"),
        "step-files": _("Movement &Files…"),
        "follow": _("F&ollow Active Movement"),
        "problems-by-step": _("&Movement"),
        "step-problems": _("Problems &of Movement"),
    }
    return of_movements.get(name, title)


def in_words_of(flow: Flow | None, text: str) -> str:
    """A text about a piece in the words of the flow's file: workflows have steps."""
    if flow is None or flow.format != "takt" or has_movements(flow):
        return text
    from stepflow_gui.formats.takt.renames import as_workflow  # other flows have no such words

    return as_workflow(text)


def has_movements(flow: Flow | None) -> bool:
    """Whether the steps of a flow are called movements, and what goes on from them rules."""
    return flow is not None and flow.format == "takt" and table_of_flow(flow)[1] == "piece"


def new_step_title(flow: Flow, step: str | None, intent: str | None) -> str:
    """What a new step is, to which an intent of a step or a rule of a movement goes, if any."""
    if intent is None:
        return _("New movement") if has_movements(flow) else _("New step")
    if has_movements(flow):
        return _("New movement as the target of “{rule}” of {movement}").format(rule=intent, movement=step)
    return _("New step as the target of “{intent}” of {step}").format(intent=intent, step=step)
