"""Reads a rule's condition: one parser for each of the two notations (takt.md 5 and 13.3).

`piece` is the notation of pieces, with ai(), all() and any(); `workflow` the one of workflows, with when().
"""

import re

from stepflow_gui.formats.takt.conditions_model import (
    Aggregate,
    AskedOfJudge,
    Condition,
    ConditionFault,
    Label,
    Notation,
)
from stepflow_gui.messages import _


def parse_condition(text: str, notation: Notation) -> Condition | ConditionFault:
    """Parse a condition in a notation, or return why the loader refuses it."""
    if notation == "piece":
        return _parse_piece_condition(text)
    from stepflow_gui.formats.takt.workflow_conditions import parse_workflow_condition  # pieces don't need its parser

    return parse_workflow_condition(text)


_LINE = r"([^\n\r\u2028\u2029]+)"  # what upstream's `.` matches
_AI = re.compile(rf'ai\("{_LINE}"\)')
_AGGREGATE = re.compile(rf"(all|any)\({_LINE}\)")
_QUOTED = re.compile(r'"([^"]+)"')


def _parse_piece_condition(text: str) -> Condition | ConditionFault:
    """Parse a piece's condition: label, ai(), all() or any(), or return why the loader refuses it."""
    if asked := _AI.fullmatch(text):
        return AskedOfJudge(asked[1])
    form = _AGGREGATE.fullmatch(text)
    if form is None:
        return Label(text)
    wanted = tuple(Label(found) for found in _QUOTED.findall(form[2]))
    if not wanted:
        message = _('{name}(…) needs at least one text in double quotes, such as {name}("approved")')
        return ConditionFault("aggregate_format", message.format(name=form[1]), form.start(2), form.end(2))
    return Aggregate(form[1] == "all", wanted)
