"""The rules of a step as another release reads them."""

from stepflow_gui.formats.takt.conditions import parse_condition
from stepflow_gui.formats.takt.conditions_model import AskedOfJudge
from stepflow_gui.formats.takt.migrating.meaning import EVALUATED, looks_like_state
from stepflow_gui.formats.takt.migrating.places import as_object, items
from stepflow_gui.formats.takt.migrating.text import PieceText
from stepflow_gui.formats.takt.piece import OLDER_NEXT, OLDER_RULES
from stepflow_gui.formats.takt.releases.sets import NONE, Releases, between, named, since
from stepflow_gui.messages import _
from stepflow_gui.text.pointer import join

_WHEN_KEY = between("0.36.0", "0.52.0")
_WHEN_CALL = since("0.50.0")
_ONE_ORDER = since("0.53.0")
_ALWAYS = "always"


def migrate_rules(text: PieceText, pointer: str, source: Releases, target: Releases) -> None:
    """Rewrite the conditions of a list of rules, and report those that the target takes otherwise."""
    if not text.has(pointer):
        return
    for index, rule in enumerate(items(text.value(pointer))):
        where = join(pointer, index)
        if "when" in as_object(rule) and "condition" not in as_object(rule):
            _when_key(text, where, source, target)
            continue
        condition = join(where, "condition")
        value = text.value(condition) if text.has(condition) else None
        if isinstance(value, str):
            _condition(text, condition, value, source, target)


def _when_key(text: PieceText, rule: str, source: Releases, target: Releases) -> None:
    expression = text.value(join(rule, "when"))
    if target & _WHEN_KEY or not target & _WHEN_CALL or not isinstance(expression, str):
        return  # what refuses the key says so
    if source & ~_WHEN_KEY:
        message = _("{release} didn't read “when”; the rule depends on it now")
        text.note(join(rule, "when"), message.format(release=named(source & ~_WHEN_KEY)))
    text.rename(join(rule, "when"), "condition")
    text.set(join(rule, "when"), f"when({expression})")


def _condition(text: PieceText, pointer: str, condition: str, source: Releases, target: Releases) -> None:
    asked = parse_condition(condition, "piece")
    if target & _ONE_ORDER and isinstance(asked, AskedOfJudge):
        text.set(pointer, asked.text)
        text.note(pointer, _("ai(…) is a label now: the judge chooses among all labels at once"))
    elif looks_like_state(condition):
        _bare_state(text, pointer, condition, source, target)
    elif condition.strip().startswith("when("):
        _as_when(text, pointer, source, target)


def _bare_state(text: PieceText, pointer: str, condition: str, source: Releases, target: Releases) -> None:
    if target & EVALUATED:
        if source & ~EVALUATED:
            text.note(
                pointer,
                _("evaluated as an expression; {release} took it for a label").format(
                    release=named(source & ~EVALUATED)
                ),
            )
    elif source and not source & ~EVALUATED and target & _WHEN_CALL:
        text.set(pointer, f"when({condition.strip()})")
    elif source & EVALUATED:
        message = _("a label for the judge; {release} evaluated it as an expression")
        text.note(pointer, message.format(release=named(source & EVALUATED)))


def _as_when(text: PieceText, pointer: str, source: Releases, target: Releases) -> None:
    evaluated = bool(target & _WHEN_CALL)
    otherwise = source & (~_WHEN_CALL if evaluated else _WHEN_CALL)
    if otherwise != NONE:
        message = (
            _("evaluated as an expression; {release} took it for a label")
            if evaluated
            else _("a label for the judge; {release} evaluated it as an expression")
        )
        text.note(pointer, message.format(release=named(otherwise)))


def migrate_transitions(text: PieceText, step: str, target: Releases) -> None:
    """Write the transitions of a step as rules, where the target reads these; report what has no counterpart."""
    pointer = join(step, OLDER_RULES)
    if not target & since("0.3.0") or not text.has(pointer) or text.has(join(step, "rules")):
        return
    listed = items(text.value(pointer))
    for index, each in enumerate(listed):
        place, transition = join(pointer, index), as_object(each)
        if OLDER_NEXT in transition and "next" not in transition:
            text.rename(join(place, OLDER_NEXT), "next")
        if transition.get("condition") == _ALWAYS and len(listed) > 1:
            text.note(
                join(place, "condition"),
                _("“always” held for any status; it is one result among the others now: write when it holds"),
            )
    text.rename(pointer, "rules")
