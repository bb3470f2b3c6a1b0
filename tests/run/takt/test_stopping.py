"""Every end that a script can bring about is one that exploring lists, in pieces and scripts by chance."""

import random

import pytest

from stepflow_gui.formats.takt.runners import runner_named
from stepflow_gui.run.takt.exploring import explore
from stepflow_gui.run.takt.loading import load_piece
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Piece
from stepflow_gui.run.takt.machine.state import Begin, Status
from stepflow_gui.run.takt.picking import MovementPick
from stepflow_gui.run.takt.scripts.script import PieceScript
from stepflow_gui.run.takt.scripts.scripted import Scripted, drive
from stepflow_gui.run.takt.session import PieceRun
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import read_yaml_tree

_RUNNERS = (
    *("takt-2026-02-07", "takt-0.3.5", "takt-0.7", "takt-0.12", "takt-0.27", "takt-0.30", "takt-0.35"),
    *("takt-0.40", "takt-0.48", "takt-0.52", "takt-0.54", "takt-0.60", "guide"),
)
_NAMES = ("work", "check", "mend", "ask")


def _piece(dice: random.Random, words: tuple[str, str, str]) -> str:
    steps, initial, limit = words
    names = _NAMES[: dice.randint(1, len(_NAMES))]
    lines = ["name: demo", f"{initial}: {dice.choice(names)}"]
    lines += [f"{limit}: {dice.choice((2, 3, 5))}"] if dice.random() < 0.7 else []
    lines.append(f"{steps}:")
    for name in names:
        lines.append(f"  - name: {name}")
        if dice.random() < 0.3:
            lines.append("    parallel:")
            for part in ("one", "two"):
                rules = "[{condition: ok}, {condition: bad}]"
                lines.append(f"      - {{name: {name}_{part}, persona: x, instruction: x, rules: {rules}}}")
            aggregates = dice.sample(('all("ok")', 'any("bad")', 'all("bad")', 'any("ok", "bad")'), dice.randint(1, 2))
            conditions = [f"'{each}'" for each in aggregates]
        else:
            lines += ["    persona: x", "    instruction: x"]
            if dice.random() < 0.3:
                lines += ["    output_contracts:", f"      report: [{{name: {name}.md, format: As you like.}}]"]
            conditions = [f"c{number}" for number in range(dice.randint(1, 3))]
        lines.append("    rules:")
        for condition in conditions:
            target = dice.choice((*names, "ABORT", "COMPLETE"))
            asks = ", requires_user_input: true" if dice.random() < 0.2 else ""
            lines.append(f"      - {{condition: {condition}, next: {target}{asks}}}")
    if len(names) > 1 and dice.random() < 0.4:
        rules = f"[{{condition: fine, next: {names[0]}}}, {{condition: stuck, next: ABORT}}]"
        lines += ["loop_monitors:", f"  - {{cycle: [{names[0]}, {names[1]}], threshold: 2, judge: {{rules: {rules}}}}}"]
    return "\n".join(lines) + "\n"


def _script(machine: PieceMachine, dice: random.Random) -> PieceScript:
    piece = machine.piece
    everyone = [each for step in piece.movements.values() for each in (step, *step.subs)]
    everyone += [monitor.judge for monitor in piece.monitors]

    def pick(reports: tuple[str, ...], rules: int) -> MovementPick:
        kind = dice.random()
        rule = dice.randrange(rules) if rules else 0
        if kind < 0.1:
            return MovementPick(None)
        status: Status = "error" if kind < 0.15 else "blocked" if kind < 0.25 else "done"
        return MovementPick(rule, status=status, reports=dict.fromkeys(reports, " ") if kind > 0.95 else {})

    answers = {
        each.name: tuple(
            pick(tuple(report.name for report in each.reports), len(each.rules)) for _run in range(dice.randint(1, 4))
        )
        for each in everyone
    }
    inputs = tuple(dice.choice(("yes", "no", None)) for _time in range(dice.randint(0, 3)))
    return PieceScript(answers, inputs, tuple(dice.choice((0, 1, 2)) for _time in range(dice.randint(0, 2))))


@pytest.mark.slow
def test_ends_of_scripts_by_chance_are_ends_that_exploring_lists(full: bool) -> None:
    """Two hundred pieces with eight scripts each; --full: ten thousand pieces."""
    dice, kinds = random.Random(41), set()
    for number in range(10_000 if full else 200):
        runner = runner_named(_RUNNERS[number % len(_RUNNERS)])
        assert runner is not None
        text = _piece(dice, ("movements", "initial_movement", "max_movements"))
        tree = read_yaml_tree(Source(text))
        assert tree.root is not None
        piece = load_piece(tree.root.value, lambda _path: None, runner)
        assert isinstance(piece, Piece), piece
        machine = PieceMachine(piece, runner, interactive=dice.random() < 0.5)
        explored = explore(machine)
        assert not explored.cut
        ends = {(each.kind, each.movement, each.detail) for each in (*explored.endings, *explored.stops)}
        for _time in range(8):
            script = _script(machine, dice)
            run = PieceRun(machine)
            run.send(Begin())
            for _position in drive(run, Scripted(script).next_event):
                pass
            end = run.state.end
            if end is not None:
                kinds.add(end.kind)
                assert (end.kind, end.movement, end.detail) in ends, (runner.name, text, script)
    assert {"blocked", "input_cancelled", "judgment_failed", "max_iterations", "no_rule_matched"} <= kinds
    assert {"movement_failed", "no_input_handler", "report_empty", "abort_transition", "complete"} <= kinds
