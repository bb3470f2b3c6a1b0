"""What exploring a piece has found, as a table in text and as JSON of a fixed shape."""

from collections.abc import Iterator

from stepflow_gui.messages import _, ngettext
from stepflow_gui.run.takt.exploring import Ending, PieceExploreResult, RuleAt
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Movement
from stepflow_gui.run.takt.machine.state import EndKind, PieceEnd
from stepflow_gui.run.takt.untaken import Untaken
from stepflow_gui.run.takt.words import end_words
from stepflow_gui.text.json.tree import JsonValue

VERSION = 1
_FLAWS: frozenset[EndKind] = frozenset({"judgment_failed", "movement_unknown", "no_next", "no_rule_matched"})


def is_flawed(found: PieceExploreResult) -> bool:
    """Whether runs can break or never end."""
    return bool(found.endless) or any(end.kind in _FLAWS for end in found.endings)


def table(machine: PieceMachine, found: PieceExploreResult) -> Iterator[str]:
    """Line by line: how much was searched, the ends, infinite loops, rules that no run takes or none searched.

    Ends that no rule goes to stand by the word that scripts expect them with, a line for each kind.
    """
    text = ngettext("Explored as {era}: {count} place.", "Explored as {era}: {count} places.", found.places)
    yield text.format(era=machine.runner.name, count=found.places)
    if found.cut:
        yield _("The search is incomplete.")
    rules = _rules(machine)
    taken = sum(rule in found.taken for rule, _condition in rules)
    yield _("{count} of {all} rules are taken.").format(count=taken, all=len(rules))
    yield ""
    yield _("Ends, each with its shortest path")
    for end in found.endings:
        yield f"  {end_words(PieceEnd(end.kind, end.movement, 0, end.detail), machine.piece)}"
        yield f"    {' → '.join(end.path)}"
    stops: dict[EndKind, dict[str, None]] = {}
    for end in found.stops:
        stops.setdefault(end.kind, {})[end.movement] = None
    listed = [f"{kind}: {', '.join(movements)}" for kind, movements in stops.items()]
    yield from _section(_("Ends that no rule goes to, and where"), listed)
    yield from _section(_("Infinite loops"), list(found.endless))
    untaken = Untaken(machine, found)
    left = [
        f"{rule.movement}:{rule.rule + 1} {condition}" + ("" if found.cut else _because(untaken.words(rule)))
        for rule, condition in rules
        if rule not in found.taken
    ]
    yield from _section(_("Rules not searched") if found.cut else _("Rules that no run takes"), left)


def as_json(machine: PieceMachine, found: PieceExploreResult) -> dict[str, JsonValue]:
    """All of it for other programs: the keys are always there, and always mean the same.

    `taken` is null where the search was cut before it came to the rule. `why` is the reason for a rule that is never
    chosen where its movement runs, as one word, `by` the numbers of the rules that are chosen instead.
    """
    untaken = Untaken(machine, found)
    rules: list[JsonValue] = [_as_json(rule, condition, found, untaken) for rule, condition in _rules(machine)]
    ends = [_end(end) for end in found.endings]
    stops: list[JsonValue] = [_end(end) | {"cause": end.cause} for end in found.stops]
    return {
        "stepflow-piece-exploration": VERSION,
        "piece": machine.piece.name,
        "era": machine.runner.name,
        "complete": not found.cut,
        "places": found.places,
        "rules": rules,
        "ends": ends,
        "stops": stops,
        "endless": list(found.endless),
    }


def _as_json(rule: RuleAt, condition: str, found: PieceExploreResult, untaken: Untaken) -> dict[str, JsonValue]:
    taken = rule in found.taken
    reason = None if taken or found.cut else untaken.reason(rule)
    return {
        "movement": rule.movement,
        "rule": rule.rule + 1,
        "condition": condition,
        "taken": True if taken else None if found.cut else False,
        "why": reason.why if reason is not None else None,
        "by": [place + 1 for place in reason.by] if reason is not None else [],
    }


def _because(reason: str) -> str:
    return _(": {reason}").format(reason=reason) if reason else ""


def _end(end: Ending) -> dict[str, JsonValue]:
    return {"kind": end.kind, "movement": end.movement, "detail": end.detail, "way": list(end.path)}


def _section(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield from ("", title, *(f"  {line}" for line in lines))


def _rules(machine: PieceMachine) -> list[tuple[RuleAt, str]]:
    """Every rule with its condition."""
    movements: list[Movement] = list(machine.piece.movements.values())
    everyone = [each for movement in movements for each in (movement, *movement.subs)]
    everyone += [monitor.judge for monitor in machine.piece.monitors]
    return [(RuleAt(each.name, place), rule.text) for each in everyone for place, rule in enumerate(each.rules)]
