"""Rules that are never chosen, as found without a run, against all that runs of random pieces can do."""

import random
from collections import Counter

import pytest

from stepflow_gui.formats.takt.releases.as_read import NO_STATUS, OTHER_STATUS
from stepflow_gui.formats.takt.releases.never_chosen import Why
from stepflow_gui.formats.takt.runners import runner_named
from stepflow_gui.run.takt.exploring import RuleAt, explore
from stepflow_gui.run.takt.loading import load_piece
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Piece, everyone
from stepflow_gui.run.takt.untaken import Untaken

LABELS = ("ok", "bad", "odd")
STATES = (
    *("context.a.b == 1", "context.a.b != 1", "context.a.b > 3", "context.a.b <= 3", "context.a.c"),
    *("context.a.b == 1 || context.a.c", "context.a.b == 1 && context.a.c", "true", "false"),
)
STATUSES = ("done", "blocked", "approved", "always")
SUBS = ("left", "right")
RELEASES = ("0.2.3", "0.3.5", "0.11.1", "0.35.4", "0.40.0", "0.48.0", "0.52.0", "0.59.1", "0.60.0")
WHENS = frozenset({"0.52.0", "0.59.1", "0.60.0"})  # with when(…) around what is asked of the state
ORDERED = frozenset({"0.59.1", "0.60.0"})


def _aggregate(dice: random.Random) -> str:
    texts = [f'"{text}"' for text in dice.choices((*LABELS, "error"), k=dice.randint(1, 3))]
    return f"{dice.choice(('all', 'any'))}({', '.join(texts)})"


def _condition(dice: random.Random, release: str, *, parallel: bool) -> str:
    if release == "0.2.3":
        return dice.choice(STATUSES)
    kinds = ["label", "label"]
    kinds += ["aggregate"] * 3 if parallel else []
    kinds += ["state"] * 2 if release >= "0.36" else ["asked"] * (not parallel)
    kind = dice.choice(kinds)
    if kind == "label":
        label = dice.choice(LABELS)
        return f"{label} && when({dice.choice(STATES)})" if release in ORDERED and dice.random() < 0.3 else label
    if kind == "aggregate":
        return _aggregate(dice)
    if kind == "asked":
        return f'ai("{dice.choice(LABELS)}")'
    state = dice.choice(STATES)
    return f"when({state})" if release in WHENS else state


def _rules(dice: random.Random, release: str, count: int, *, parallel: bool = False) -> list[dict[str, object]]:
    return [
        {
            "condition": _condition(dice, release, parallel=parallel),
            "next": "COMPLETE",
            "interactive_only": release >= "0.3.9" and dice.random() < 0.2,
        }
        for _number in range(count)
    ]


def _piece(dice: random.Random, release: str) -> dict[str, object]:
    parallel = release != "0.2.3" and dice.random() < 0.6
    rules = _rules(dice, release, dice.randint(2, 5), parallel=parallel)
    step: dict[str, object] = {"name": "work", "rules": rules}
    if release == "0.2.3":  # as it is read: what follows where no transition is for a status
        rules += [{"condition": text, "next": "COMPLETE"} for text in (NO_STATUS, OTHER_STATUS)]
    if parallel:
        subs = SUBS[: dice.randint(1, len(SUBS))]
        step["parallel"] = [
            {"name": sub, "rules": [{"condition": label} for label in dice.sample(LABELS, dice.randint(1, 2))]}
            for sub in subs
        ]
    return {"name": "demo", "steps" if release >= "0.36" else "movements": [step]}


@pytest.mark.parametrize("release", RELEASES)
def test_what_is_never_chosen_no_run_takes_and_all_else_is_taken(release: str, full: bool) -> None:
    """Forty pieces of each release; --full: a thousand."""
    dice, counted, wrong = random.Random(release), Counter[Why](), []
    runner = runner_named(f"takt-{release}")
    assert runner is not None
    for _case in range(1_000 if full else 40):
        root = _piece(dice, release)
        piece = load_piece(root, lambda _name: None, runner)
        assert isinstance(piece, Piece), root
        for interactive in (False, True):
            machine = PieceMachine(piece, runner, interactive=interactive)
            found = explore(machine)
            assert not found.cut
            untaken = Untaken(machine, found)
            goes_on = {end.kind for end in found.endings} == {"complete"}
            goes_on &= not any(end.kind == "state_unreadable" for end in found.stops)
            for movement in everyone(piece):
                for place, rule in enumerate(movement.rules):
                    at = RuleAt(movement.name, place)
                    reason = untaken.reason(at)
                    if reason is not None:
                        counted[reason.why] += 1
                    unsaid = reason is None and at not in found.taken and goes_on
                    if unsaid or (reason is not None and at in found.taken):
                        wrong.append((interactive, movement.name, place, rule.text, reason, root))
    assert wrong == []
    assert counted["covered"]
