"""Step ids in transitions and entries: whether one exists, and the fix that writes another."""

import json

from stepflow_gui.flow.model import Flow, Text
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.scope import Scope
from stepflow_gui.messages import _
from stepflow_gui.text.edit import TextEdit


def is_step(name: str, flow: Flow) -> bool:
    """Whether a step of that id is there, readable or not."""
    return name in flow.steps or any(odd.value == name for odd in flow.odd_steps)


def write_step(name: Text, meant: str, scope: Scope) -> Proposal:
    """Write another step's id in place of a string of the registry."""
    edit = TextEdit(name.span.start, name.span.end, json.dumps(meant, ensure_ascii=False))
    return Proposal(_("Write “{step}”").format(step=meant), ((scope.registry, edit),))
