"""What a condition is about: the notation of its file, the sub-steps whose results it may ask for, known places."""

from typing import NamedTuple

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.takt.condition_parts import FORMS, OF_SUBS, Form
from stepflow_gui.formats.takt.conditions_model import Notation
from stepflow_gui.formats.takt.detect import era_of_file
from stepflow_gui.formats.takt.expression_parts import references_in
from stepflow_gui.text.pointer import parent


class ConditionContext(NamedTuple):
    """`forms` are those that make sense for the rule; `references` places in the state that the file speaks of."""

    notation: Notation
    forms: tuple[Form, ...]
    subs: tuple[Step, ...] = ()
    references: tuple[str, ...] = ()


def about_rule_of(flow: Flow, step: Step | None) -> ConditionContext:
    """The rules of a movement, or, without one, those of a sub-step or a judge, where nothing is aggregated."""
    notation = era_of_file(flow.document.root).notation
    subs = tuple(step.subs) if step is not None else ()
    forms = tuple(form for form in FORMS[notation] if subs or form not in OF_SUBS)
    references = tuple(references_in(flow)) if notation == "workflow" else ()
    return ConditionContext(notation, forms, subs, references)


def about_condition_at(flow: Flow, pointer: str) -> ConditionContext:
    """The condition that stands, or is to stand, at a pointer."""
    owner = parent(parent(parent(pointer)))
    owner = owner.removesuffix("/rules")  # of a fragment's caller the rules are `rules/self`
    return about_rule_of(flow, next((step for step in flow.steps.values() if step.pointer == owner), None))
