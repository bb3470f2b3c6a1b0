"""Reads a rule's condition as one release does: the notation of pieces, with what came to it before workflows' own."""

import re

from stepflow_gui.formats.takt.conditions import parse_condition
from stepflow_gui.formats.takt.conditions_model import (
    Aggregate,
    AskedOfJudge,
    Condition,
    ConditionFault,
    ConditionForms,
    Label,
    Notation,
    When,
)
from stepflow_gui.formats.takt.state_expression import (
    SCOPES,
    Expression,
    ExpressionFault,
    Unreadable,
    parse_expression,
)
from stepflow_gui.formats.takt.workflow_conditions import parse_workflow_condition

_WHEN = re.compile(r"when\((.*)\)", re.DOTALL)
_STATE = re.compile(r"true|false|(?:context|structured|effect)\..*|.*(?:[=!]=|[<>]).*")
_LISTS = re.compile(r"exists\(.*\)|findings\..*")


def condition_as_read(text: str, notation: Notation, forms: ConditionForms) -> Condition | ConditionFault:
    """The meaning of a condition for a runner, or why it refuses it."""
    if notation == "workflow" or forms.statuses:
        return Label(text) if forms.statuses else parse_condition(text, notation)
    found = parse_condition(text, "piece")
    if isinstance(found, ConditionFault):
        bare = parse_workflow_condition(text) if forms.bare_texts else found
        return bare if isinstance(bare, Aggregate) else Label(text) if forms.odd_is_label else found
    if isinstance(found, Aggregate) and len(found.wanted) > 1 and not forms.several_texts:
        return Label(text)
    if isinstance(found, AskedOfJudge | Aggregate):
        return found
    state = _state_in(text.strip(), forms)
    return found if state is None else When(state, _read(state, forms))


def _state_in(text: str, forms: ConditionForms) -> str | None:
    """The expression over the state that a text is; None where it is none."""
    if forms.state == "when":
        written = _WHEN.fullmatch(text)
        return written[1].strip() if written else None
    if forms.state == "bare" and (_STATE.fullmatch(text) or (forms.lists_state and _LISTS.fullmatch(text))):
        return text
    return None


def _read(state: str, forms: ConditionForms) -> Expression:
    """The tree of an expression; what can't be read ends a run that looks at it, and isn't refused before."""
    found = parse_expression(state, (*SCOPES, "findings") if forms.lists_state else SCOPES)
    return Expression(((Unreadable(state, found.message),),)) if isinstance(found, ExpressionFault) else found
