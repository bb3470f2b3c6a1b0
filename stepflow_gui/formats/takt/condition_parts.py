"""A condition taken to its parts and put together again: the form, its texts, the expression over the state.

What isn't changed is written as it was: `rewritten` gives the old text back where the parts are the old ones.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.takt.conditions import parse_condition
from stepflow_gui.formats.takt.conditions_model import (
    Aggregate,
    AskedOfJudge,
    Condition,
    ConditionFault,
    Label,
    LabelWhen,
    Notation,
    SubCondition,
    When,
)
from stepflow_gui.messages import _

Form = Literal["label", "ai", "all", "any", "when"]
"""Plain text; a question for the judge; over all or any results of sub-steps; the state alone."""

FORMS: dict[Notation, tuple[Form, ...]] = {
    "piece": ("label", "ai", "all", "any"),
    "workflow": ("label", "all", "any", "when"),
}
OF_SUBS: tuple[Form, ...] = ("all", "any")
ERROR = "error"  # what a sub-step of a workflow that failed comes to


class Parts(NamedTuple):
    """What a condition consists of. `texts` are those of `all` and `any` in order; one of `label` and `ai`; else none.

    `when` is the expression that must hold besides, or alone; empty where there is none. `bare` marks a workflow's
    aggregate whose texts stand without quotes.
    """

    form: Form
    texts: tuple[str, ...] = ()
    when: str = ""
    bare: bool = False


class PartFault(NamedTuple):
    """Why the parts make no condition: of which text, by its number; None: of the expression."""

    number: int | None
    message: str


def parts_of(text: str, notation: Notation) -> Parts:
    """The parts of a condition; one that can't be read is a text as a whole."""
    found = parse_condition(text, notation)
    if isinstance(found, ConditionFault):
        return Parts("label", (text,))
    return _parts(found, text, notation)


def written(parts: Parts, notation: Notation) -> str:
    """The condition that parts make."""
    if parts.form == "when":
        return f"when({parts.when.strip()})"
    if parts.form == "label":
        text = "".join(parts.texts)
    elif parts.form == "ai":
        text = f'ai("{"".join(parts.texts)}")'
    else:
        text = f"{parts.form}({', '.join(_arguments(parts, notation))})"
    return f"{text} && when({parts.when.strip()})" if parts.when.strip() and notation == "workflow" else text


def rewritten(old: str, parts: Parts, notation: Notation) -> str:
    """The condition that parts make; where they are those of the old one that itself."""
    return old if parts == parts_of(old, notation) else written(parts, notation)


def fault_of(parts: Parts, notation: Notation) -> PartFault | None:
    """Why parts make no condition that would be read as it is meant."""
    for number, text in enumerate(parts.texts):
        if not text.strip():
            return PartFault(number, _("A text is missing here"))
        if "\n" in text and parts.form != "label":
            return PartFault(number, _("One line only"))
        if '"' in text and parts.form in OF_SUBS and notation == "piece":
            return PartFault(number, _("In {form}(…) a text can’t hold a double quote").format(form=parts.form))
    if parts.form == "when" and not parts.when.strip():
        return PartFault(None, _("An expression is missing here"))
    if parts.form in OF_SUBS and not parts.texts:
        return PartFault(0, _("A text is missing here"))
    found = parse_condition(written(parts, notation), notation)
    if isinstance(found, ConditionFault):
        return PartFault(_place(parts, notation), found.message)
    if parts.form != "label" and _parts(found, "", notation)._replace(bare=False) != _trimmed(parts, notation):
        return PartFault(0 if parts.texts else None, _("This would be read as something else"))
    return None


def results_of(sub: Step, notation: Notation) -> list[str]:
    """What a sub-step can come to, as an aggregate names it."""
    found = dict.fromkeys(rule.as_written for rule in sub.transitions if rule.as_written)
    if notation == "workflow":
        found = dict.fromkeys(
            label for text in found if (label := _label(parse_condition(text, notation))) is not None
        ) | {ERROR: None}
    return list(found)


def results_of_all(subs: Sequence[Step], notation: Notation) -> list[str]:
    """What any of some sub-steps can come to, each once."""
    return list(dict.fromkeys(result for sub in subs for result in results_of(sub, notation)))


def _label(condition: Condition | ConditionFault) -> str | None:
    if isinstance(condition, LabelWhen):
        return condition.label.text
    return condition.text if isinstance(condition, Label) else None


def _parts(condition: Condition, text: str, notation: Notation) -> Parts:
    match condition:
        case AskedOfJudge(asked):
            return Parts("ai", (asked,))
        case When(expression, _tree):
            return Parts("when", when=expression)
        case LabelWhen(label, when):
            return Parts("label", (label.text,), when.text)
        case Aggregate(every, wanted, when):
            bare = notation == "workflow" and re.match(r'\s*(all|any)\(\s*"', text) is None
            texts = tuple(_argument_text(each) for each in wanted)
            return Parts("all" if every else "any", texts, when.text if when else "", bare)
        case Label(label):
            return Parts("label", (label if notation == "workflow" else text or label,))


def _argument_text(wanted: SubCondition) -> str:
    match wanted:
        case When(text, _tree):
            return f"when({text})"
        case LabelWhen(label, when):
            return f"{label.text} && when({when.text})"
        case Label(text):
            return text


def _arguments(parts: Parts, notation: Notation) -> Iterator[str]:
    bare = parts.bare and not any(set(text) & set('",()') for text in parts.texts)
    for text in parts.texts:
        if notation == "piece":
            yield f'"{text}"'
        elif bare:
            yield text.strip()
        else:
            escaped = re.sub(r'(["\\])', r"\\\1", text.strip())
            yield f'"{escaped}"'


def _trimmed(parts: Parts, notation: Notation) -> Parts:
    texts = tuple(text.strip() for text in parts.texts) if notation == "workflow" else parts.texts
    return Parts(parts.form, texts, parts.when.strip())


def _place(parts: Parts, notation: Notation) -> int | None:
    """Which part a fault is in: the expression where it alone is to blame."""
    alone = fault_of(parts._replace(when=""), notation) if parts.when and parts.texts else None
    if parts.when and (alone is None or not parts.texts):
        return None
    for number, text in enumerate(parts.texts):
        if len(parts.texts) > 1 and fault_of(parts._replace(texts=(text,), when=""), notation):
            return number
    return 0
