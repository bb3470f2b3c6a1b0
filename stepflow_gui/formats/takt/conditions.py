"""Reads a rule's condition: one parser for each of the two notations (takt.md 5 and 13.3).

`piece` is the notation of pieces, with ai(), all() and any(); `workflow` the one of workflows, with when().
"""

from stepflow_gui.formats.takt.conditions_model import Condition, ConditionFault, Notation
from stepflow_gui.formats.takt.piece_conditions import parse_piece_condition


def parse_condition(text: str, notation: Notation) -> Condition | ConditionFault:
    """What a condition says in a notation, or why the loader refuses it."""
    if notation == "piece":
        return parse_piece_condition(text)
    from stepflow_gui.formats.takt.workflow_conditions import parse_workflow_condition  # pieces don't need its parser

    return parse_workflow_condition(text)
