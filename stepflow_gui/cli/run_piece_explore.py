"""`stepflow run PIECE.yaml --explore`: everything that runs of a piece can do."""

from argparse import Namespace

from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _, ngettext
from stepflow_gui.run.takt.exploring import Explored, RuleAt, explore
from stepflow_gui.run.takt.machine import PieceMachine
from stepflow_gui.run.takt.piece import Movement
from stepflow_gui.run.takt.state import End
from stepflow_gui.run.takt.words import end_words
from stepflow_gui.text.json_tree import JsonValue

SOUND, FLAWED = 0, 1
_FLAWS = frozenset({"judgment_failed", "movement_unknown", "no_next", "no_rule_matched"})


def explore_piece(machine: PieceMachine, options: Namespace) -> int:
    """Explore it; 1 where runs can break or never end."""
    found = explore(machine, options.entry)
    if options.json:
        from stepflow_gui.cli.run_piece import as_json

        as_json(_as_json(machine, found))
    else:
        _tell(machine, found)
    flawed = bool(found.endless) or any(end.kind in _FLAWS for end in found.endings)
    return FLAWED if flawed else SOUND


def _tell(machine: PieceMachine, found: Explored) -> None:
    text = ngettext("Explored as {era}: {count} place.", "Explored as {era}: {count} places.", found.places)
    print(printable(text.format(era=machine.runner.name, count=found.places)))
    if found.cut:
        print(_("There is more than was looked at."))
    rules = list(_rules(machine))
    taken = sum(rule in found.taken for rule, _condition in rules)
    print(_("{count} of {all} rules are taken.").format(count=taken, all=len(rules)))
    print()
    print(_("Ends, each with its shortest way"))
    for end in found.endings:
        words = end_words(End(end.kind, end.movement, 0, end.detail))
        print(printable(f"  {words}"))
        print(printable(f"    {' → '.join(end.way)}"))
    _section(_("Loops without a way out"), list(found.endless))
    left = [f"{rule.movement}:{rule.rule + 1} {condition}" for rule, condition in rules if rule not in found.taken]
    _section(_("Rules that no run takes"), left)


def _section(title: str, lines: list[str]) -> None:
    if lines:
        print(f"\n{title}")
        for line in lines:
            print(printable(f"  {line}"))


def _rules(machine: PieceMachine) -> list[tuple[RuleAt, str]]:
    """Every rule with its condition."""
    movements: list[Movement] = list(machine.piece.movements.values())
    everyone = [each for movement in movements for each in (movement, *movement.subs)]
    everyone += [monitor.judge for monitor in machine.piece.monitors]
    return [(RuleAt(each.name, place), rule.text) for each in everyone for place, rule in enumerate(each.rules)]


def _as_json(machine: PieceMachine, found: Explored) -> dict[str, JsonValue]:
    rules = [
        {"movement": rule.movement, "rule": rule.rule + 1, "condition": condition, "taken": rule in found.taken}
        for rule, condition in _rules(machine)
    ]
    ends = [
        {"kind": end.kind, "movement": end.movement, "detail": end.detail, "way": list(end.way)}
        for end in found.endings
    ]
    return {
        "stepflow-piece-exploration": 1,
        "piece": machine.piece.name,
        "era": machine.runner.name,
        "complete": not found.cut,
        "places": found.places,
        "rules": rules,
        "ends": ends,
        "endless": list(found.endless),
    }
