"""The conditions of pieces (takt.md 5): nothing is trimmed, and what has no form is a label."""

import re

from stepflow_gui.formats.takt.conditions_model import Aggregate, AskedOfJudge, Condition, ConditionFault, Label
from stepflow_gui.messages import _

_LINE = r"([^\n\r\u2028\u2029]+)"  # what upstream's `.` matches
_AI = re.compile(rf'ai\("{_LINE}"\)')
_AGGREGATE = re.compile(rf"(all|any)\({_LINE}\)")
_QUOTED = re.compile(r'"([^"]+)"')


def parse_piece_condition(text: str) -> Condition | ConditionFault:
    """What a piece's condition says: label, ai(), all() or any(), or why the loader refuses it."""
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
