"""What rules claim about where runs of pieces go and end, against all that the machine can do, in pieces by chance."""

import random
import re
from collections import Counter
from pathlib import Path

import pytest

from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.takt import exploring
from stepflow_gui.run.takt.exploring import PieceExploreResult, explore
from stepflow_gui.run.takt.loading import PieceRefusal
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.opening import piece_in, runner_of
from stepflow_gui.run.takt.report import as_json, table
from stepflow_gui.text.files.presence import is_file
from stepflow_gui.text.source import Source

WORDS = (("movements", "initial_movement", "max_iterations"), ("steps", "initial_step", "max_steps"))
NAMES = ("work", "check", "mend", "close", "ask")


def by_chance(dice: random.Random) -> str:
    """A piece that loads: up to five movements, whose rules go anywhere."""
    movements, initial, limit = dice.choice(WORDS)
    names = NAMES[: dice.randint(1, len(NAMES))]
    lines = ["name: demo", f"{initial}: {dice.choice(names)}", f"{limit}: 9", f"{movements}:"]
    for name in names:
        lines += [f"  - name: {name}", "    instruction: Do it.", "    edit: false", "    rules:"]
        for number in range(dice.randint(1, 3)):
            target = dice.choice((*names, *names, "ABORT", "COMPLETE"))
            lines.append(f"      - {{condition: c{number}, next: {target}}}")
    return "\n".join(lines) + "\n"


def opened(path: Path, text: str) -> AgentFolder:
    if not is_file(path):
        path.parent.mkdir(parents=True)
        path.write_text(text)
    agent = open_agent(path)
    assert isinstance(agent, AgentFolder)
    return agent.with_buffers({path: Source(text)})


def machine_of(agent: AgentFolder) -> PieceMachine:
    runner = runner_of(agent, None)
    piece = piece_in(agent, runner)
    assert not isinstance(piece, PieceRefusal), piece.message
    return PieceMachine(piece, runner)


def contradictions(found: list[Diagnostic], explored: PieceExploreResult) -> list[str]:
    ends = {each.kind for each in explored.endings}
    claims = {"error": not ends, "warning": ends == {"abort_transition"}}
    no_way_out = [each for each in found if each.code == "SF303"]
    wrong = [each.message for each in no_way_out if not claims[each.severity]]
    if "complete" not in ends and not no_way_out:
        wrong.append("no run completes, and SF303 is silent")
    unreachable = [each for each in found if each.code == "SF302"]
    named = {name for each in unreachable for name in re.findall("“([^”]+)”", each.message)}
    wrong += [f"SF302, but {name} is reached" for name in named & explored.reached]
    told = bool(no_way_out) or any(each.code == "SF304" for each in found)
    if explored.endless and not told:
        wrong.append(f"{explored.endless} never end, and neither SF303 nor SF304 says so")
    return wrong


def test_no_rule_claims_what_does_not_happen(tmp_path: Path, full: bool) -> None:
    dice, counted = random.Random(17), Counter[str]()
    path = tmp_path / ".takt" / "pieces" / "demo.yaml"
    for _case in range(2_000 if full else 150):
        text = by_chance(dice)
        agent = opened(path, text)
        found = lint(agent)
        assert contradictions(found, explore(machine_of(agent))) == [], text
        counted.update(f"{each.code} {each.severity}" for each in found)
    seldom = [claim for claim in ("SF302 warning", "SF303 error", "SF303 warning", "SF304 error") if counted[claim] < 5]
    assert seldom == [], counted


def test_a_search_that_was_cut_claims_no_more_than_the_whole_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: bool
) -> None:
    dice, cut = random.Random(18), 0
    path = tmp_path / ".takt" / "pieces" / "demo.yaml"
    for _case in range(2_000 if full else 200):
        machine = machine_of(opened(path, by_chance(dice)))
        whole = explore(machine)
        with monkeypatch.context() as patch:
            patch.setattr(exploring, "_MOST_PLACES", dice.randint(1, 3))
            part = explore(machine)
        assert part.taken <= whole.taken
        assert set(part.endless) <= set(whole.endless)
        assert {each.kind for each in part.endings} <= {each.kind for each in whole.endings}
        if part.cut:
            cut += 1
            assert "Rules that no run takes" not in table(machine, part)
            rules = as_json(machine, part)["rules"]
            assert isinstance(rules, list)
            assert not any(rule["taken"] is False for rule in rules if isinstance(rule, dict))
    assert cut > 50
