"""What a run does by release where files load alike: a row for each meaning that changed."""

import pytest

from stepflow_gui.run.takt.exploring import explore
from stepflow_gui.run.takt.loading import PieceRefusal
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Piece
from stepflow_gui.run.takt.machine.state import Begin, PieceState, Replied, UserInput
from stepflow_gui.run.takt.opening import runner_of
from stepflow_gui.run.takt.picking import MovementPick, play
from stepflow_gui.run.takt.prompts.prompt_builder import compose
from stepflow_gui.run.takt.words import lines_of
from tests.run.takt.projects import ENDS, PIECE, STEPS, Project, end_of, ran

MONITOR = """name: p
LIST:
  - {name: a, persona: x, instruction: i, rules: [{condition: on, next: b}]}
  - {name: b, persona: x, instruction: i, rules: [{condition: on, next: a}, {condition: out, next: COMPLETE}]}
loop_monitors:
  - cycle: [a, b]
    threshold: 1
    judge:
      persona: x
      instruction: Mine.
      rules: [{condition: on, next: a}, {condition: out, next: ABORT}]
"""


@pytest.mark.parametrize(
    ("release", "end", "own"),
    [("0.31.0", "b", False), ("0.32.0", "b", True), ("0.52.0", "b", True), ("0.53.0", "complete", True)],
)
def test_when_a_monitor_fires_and_what_its_judge_is_asked(project: Project, release: str, end: str, own: bool) -> None:
    machine = project.machine(MONITOR.replace("LIST", "steps" if release > "0.36" else "movements"), release)
    assert (machine.piece.monitors[0].judge.instruction == "Mine.") is own
    state = ran(machine)
    for name, rule in (("a", 0), ("b", 1)):
        state = list(play(machine, state, name, MovementPick(rule)))[-1].state
    assert end_of(state) == end
    assert (state.judging is not None) is (release < "0.53")


VARIABLES = "{max_iterations} {max_movements} {max_steps} {movement_iteration} {step_iteration} {report:r.md} {var:v}"


@pytest.mark.parametrize(
    ("release", "text"),
    [
        ("0.3.9", "10 {max_movements} {max_steps} {movement_iteration} 1 reports/r.md {var:v}"),
        ("0.11.1", "10 {max_movements} {max_steps} 1 {step_iteration} reports/r.md {var:v}"),
        ("0.35.4", "{max_iterations} 10 {max_steps} 1 {step_iteration} reports/r.md {var:v}"),
        ("0.52.0", "{max_iterations} {max_movements} 10 {movement_iteration} 1 reports/r.md {var:v}"),
    ],
)
def test_what_stands_in_an_instruction(project: Project, release: str, text: str) -> None:
    first = STEPS if release == "0.3.9" or release > "0.36" else PIECE
    step = f"  - name: a\n    agent: x\n    persona: x\n    instruction: '{VARIABLES}'\n    vars: {{v: V}}\n{ENDS}"
    assert _instruction(project.machine(first + step, release)) == text


def _instruction(machine: PieceMachine, state: PieceState | None = None) -> str:
    state = ran(machine) if state is None else state
    sections = compose(machine, state, machine.calls(state)[0]).sections
    return next(each.text for each in sections if each.title == "Instruction")


REPORTS = f"""{STEPS}  - name: a
    persona: x
    instruction: i
    output_contracts: {{report: [{{name: r.md, format: f}}]}}
    rules: [{{condition: on, next: b}}]
  - name: b
    persona: x
    instruction: 'Read {{report:r.md}} and {{report:NAME.md}} {{var:v}} {{structured:a.n}}'
    vars: {{v: V}}
{ENDS}"""


def test_a_report_is_a_path_then_its_text_and_has_to_be_there(project: Project) -> None:
    for release, name, expected in (
        ("0.52.0", "s", "Read reports/r.md and reports/s.md {var:v} 3"),
        ("0.55.0", "r", "Read TEXT and TEXT V 3"),
        ("0.53.0", "s", "report_missing"),
    ):
        machine = project.machine(REPORTS.replace("NAME", name), release)
        state = ran(machine, Replied("a", "x", structured={"n": 3}), Replied("a", "TEXT"))
        assert (end_of(state) if state.end else _instruction(machine, state)) == expected


@pytest.mark.parametrize(("release", "text"), [("0.31.0", "T"), ("0.32.0", "I"), ("0.33.2", "I")])
def test_which_of_two_instructions_counts(project: Project, release: str, text: str) -> None:
    step = f"  - name: a\n    persona: x\n    instruction: I\n    instruction_template: T\n{ENDS}"
    assert _instruction(project.machine(PIECE + step, release)) == text


@pytest.mark.parametrize(
    ("release", "text"),
    [("0.8.0", "write"), ("0.9.0", "FLAT"), ("0.21.0", "FLAT"), ("0.22.0", "NEW"), ("0.35.4", "NEW")],
)
def test_what_a_bare_name_names(project: Project, release: str, text: str) -> None:
    files = {".takt/instructions/write.md": "FLAT", ".takt/facets/instructions/write.md": "NEW"}
    step = f"  - name: a\n    persona: x\n    instruction: write\n{ENDS}"
    assert _instruction(project.machine(PIECE + step, release, files)) == text


def test_two_steps_of_one_name(project: Project) -> None:
    text = f"{STEPS}  - name: a\n    persona: x\n    instruction: I\n{ENDS}  - name: a\n    persona: y\n{ENDS}"
    assert _instruction(project.machine(text, "0.54.1")) == "I"
    refused = project.read(text, "0.55.0")
    assert isinstance(refused, PieceRefusal)
    assert refused.kind == "release"


@pytest.mark.parametrize(
    ("where", "release", "waits"),
    [
        ("rule", "0.3.8", "nothing"),
        ("rule", "0.3.9", "input"),
        ("step", "0.48.0", "nothing"),
        ("step", "0.49.0", "input"),
    ],
)
def test_when_the_person_is_asked(project: Project, where: str, release: str, waits: str) -> None:
    flags = {"rule": ("", ", requires_user_input: true"), "step": ("    requires_user_input: true\n", "")}[where]
    rules = f"    rules: [{{condition: on, next: COMPLETE{flags[1]}}}]\n"
    machine = project.machine(f"{STEPS}  - name: a\n    agent: x\n    instruction: i\n{flags[0]}{rules}", release)
    played = list(play(machine, ran(machine), "a", MovementPick(0)))
    assert played[-1].state.waits == waits


def test_nobody_answers_a_blocked_step(project: Project) -> None:
    machine = project.machine(f"{STEPS}  - name: a\n{ENDS}", "0.60.0")
    state = list(play(machine, ran(machine), "a", MovementPick(0, status="blocked")))[-1].state
    assert end_of(machine.step(state, UserInput(None, possible=False))[0]) == "blocked"


def test_older_words_mean_the_same(project: Project) -> None:
    step = "  - name: a\n    agent: ROLE\n    agent_name: Name\n    report: r.md\n    instruction: i\n"
    piece = project.read(f"{PIECE}{step}{ENDS}", "0.7.1")
    assert isinstance(piece, Piece)
    found = piece.movements["a"]
    assert (found.persona, found.persona_name, found.reports[0].name) == ("ROLE", "Name", "r.md")
    later = project.read(f"{PIECE}{step}{ENDS}", "0.8.0")
    assert isinstance(later, Piece)
    assert (later.movements["a"].persona, later.movements["a"].reports) == (None, ())


def test_a_release_runs_no_file_that_it_refuses(project: Project) -> None:
    refused = project.read(f"{PIECE}  - name: a\n{ENDS}", "0.36.0")
    assert isinstance(refused, PieceRefusal)
    assert refused.message.startswith("TAKT 0.36 refuses to load the file")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"{PIECE}  - name: a\n{ENDS}", "guide"),
        (f"max_movements: 3\n{PIECE}  - name: a\n    allowed_tools: [Read]\n{ENDS}", "takt-0.29"),
        (f"{STEPS}  - name: a\n    rules: [{{when: context.x.y == 1, next: COMPLETE}}]\n", "takt-0.52"),
        (f"{STEPS}  - name: a\n    persona: x\n    instruction: [i]\n{ENDS}", "takt-2026-08-23"),
    ],
)
def test_the_usual_runner_is_the_newest_that_the_file_is_for(project: Project, text: str, name: str) -> None:
    assert runner_of(project.agent(text), None).name == name


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (
            "kind: workflow_call, call: child",
            "“child” isn't run (there is no such file in the project): what it returns is chosen",
        ),
        ("kind: system", "nothing is done in a system step: its result is chosen"),
        ("persona: x, team_leader: {max_parts: 2}", "the parts of the team aren't run: the result is chosen"),
        ("persona: x, arpeggio: {source: csv}", "the batches aren't run: the result is chosen"),
        ("persona: x", None),
    ],
)
def test_a_run_says_what_it_doesnt_do(project: Project, keys: str, said: str | None) -> None:
    rules = "rules: [{condition: fine, next: COMPLETE}]"
    machine = project.machine(f"{STEPS}  - {{name: a, {keys}, {rules}}}\n", "0.60")
    state, (started,) = machine.step(PieceState(), Begin("T"))
    assert lines_of(machine, state, started) == ["a" if "call" in keys else "1. a", *([said] if said else [])]


def test_exploring_knows_which_reports_are_written(project: Project) -> None:
    text = f"""{STEPS}  - {{name: a, persona: x, rules: [{{condition: c, next: c}}, {{condition: b, next: b}}]}}
  - name: b
    persona: x
    output_contracts: {{report: [{{name: r.md, format: f}}]}}
    rules: [{{condition: on, next: c}}]
  - {{name: c, persona: x, instruction: 'Read {{report:r.md}}.', rules: [{{condition: ok, next: COMPLETE}}]}}
"""
    found = explore(project.machine(text, "0.60"))
    assert {(each.kind, each.path) for each in found.endings} == {
        ("report_missing", ("a:1",)),
        ("complete", ("a:2", "b:1", "c:1")),
    }
    assert {each.kind for each in explore(project.machine(text, "0.50")).endings} == {"complete"}
