"""What a run does by release where files load alike: a row for each meaning that changed."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from stepflow_gui.formats.takt.conditions_model import Aggregate, Label, When
from stepflow_gui.formats.takt.runners import runner_named
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.takt.exploring import explore
from stepflow_gui.run.takt.loading import PieceRefusal
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Piece
from stepflow_gui.run.takt.machine.state import Begin, Call, Event, JudgeReply, PieceState, Replied, UserInput
from stepflow_gui.run.takt.opening import piece_in, runner_of
from stepflow_gui.run.takt.picking import MovementPick, play
from stepflow_gui.run.takt.prompts.prompt_builder import compose
from stepflow_gui.run.takt.words import lines_of

STEPS, PIECE = "name: p\nsteps:\n", "name: p\nmovements:\n"
ENDS = "    rules:\n      - {condition: good, next: COMPLETE}\n      - {condition: bad, next: ABORT}\n"


@pytest.fixture
def project(tmp_path: Path) -> "Project":
    return Project(tmp_path)


class Project:
    """A folder in which pieces are opened as a release does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def agent(self, text: str, files: Mapping[str, str] | None = None) -> AgentFolder:
        home = ".takt/pieces" if "movements:" in text else ".takt/workflows"
        for name, content in {f"{home}/p.yaml": text, **(files or {})}.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        agent = open_agent(self.folder / home / "p.yaml")
        assert isinstance(agent, AgentFolder)
        return agent

    def read(self, text: str, release: str, files: Mapping[str, str] | None = None) -> Piece | PieceRefusal:
        runner = runner_named(f"takt-{release}")
        assert runner is not None
        return piece_in(self.agent(text, files), runner)

    def machine(self, text: str, release: str, files: Mapping[str, str] | None = None) -> PieceMachine:
        runner, piece = runner_named(f"takt-{release}"), self.read(text, release, files)
        assert runner is not None
        assert isinstance(piece, Piece), piece
        return PieceMachine(piece, runner)


def ran(machine: PieceMachine, *events: Event, facts: Mapping[str, object] | None = None) -> PieceState:
    state, _happened = machine.step(PieceState(), Begin("T", facts=facts or {}))
    for event in events:
        state, _happened = machine.step(state, event)
    return state


def end_of(state: PieceState) -> str:
    return state.end.kind if state.end else state.movement or ""


@pytest.mark.parametrize(
    ("cap", "release", "limit"),
    [
        ("max_iterations: 5", "0.11.1", 5),
        ("max_iterations: 5", "0.12.0", 10),
        ("max_movements: 6", "0.11.1", 10),
        ("max_movements: 6", "0.12.0", 6),
        ("max_movements: 6", "0.35.4", 6),
        ("max_steps: 7", "0.33.2", 10),
        ("max_steps: 7", "0.34.0", 7),
        ("max_steps: '7'", "0.35.4", 10),
        ("max_movements: 6\nmax_steps: 6", "0.34.0", 6),
        ("max_movements: 6\nmax_steps: 6", "0.33.0", 6),
    ],
)
def test_the_word_for_the_limit(project: Project, cap: str, release: str, limit: int) -> None:
    piece = project.read(f"{cap}\n{PIECE}  - name: a\n{ENDS}", release)
    assert isinstance(piece, Piece)
    assert piece.limit == limit


@pytest.mark.parametrize(("release", "limit"), [("0.37.0", "release"), ("0.38.0", None), ("0.60.0", None)])
def test_a_limit_without_end(project: Project, release: str, limit: str | None) -> None:
    piece = project.read(f"max_steps: infinite\n{STEPS}  - name: a\n{ENDS}", release)
    assert (piece.limit if isinstance(piece, Piece) else piece.kind) == limit


STATUSES = """name: p
steps:
  - name: work
    agent: a
    instruction: Write.
    transitions: [{condition: done, next_step: check}, {condition: blocked, next_step: ABORT}]
  - name: check
    agent: a
    instruction: Check.
    ON
    transitions: [{condition: rejected, next_step: work}]
"""


@pytest.mark.parametrize(
    ("on", "reply", "end"),
    [
        ("", "[CHECK:REJECT]", "work"),
        ("", "nothing", "complete"),
        ("", "[CHECK:APPROVE]", "complete"),
        ("on_no_status: stay", "nothing", "check"),
        ("on_no_status: continue", "nothing", "complete"),
    ],
)
def test_the_first_releases_look_for_a_status(project: Project, on: str, reply: str, end: str) -> None:
    machine = project.machine(STATUSES.replace("ON", on or "description: none"), "0.2.3")
    state = ran(machine, Replied("work", "[X:FIXED]"), Replied("check", reply))
    assert end_of(state) == end


def test_a_status_can_be_picked(project: Project) -> None:
    machine = project.machine(STATUSES.replace("ON", "description: none"), "0.2.3")
    for rule, end in ((0, "check"), (1, "abort_transition"), (2, "complete")):
        state = list(play(machine, ran(machine), "work", MovementPick(rule)))[-1].state
        assert end_of(state) == ("check" if rule == 2 else end)  # without a status the transition of `done` is taken


PARALLEL = """name: p
LIST:
  - name: both
    persona: a
    instruction: i
    parallel:
      - {name: one, persona: a, instruction: i, rules: [{condition: ok}]}
      - {name: two, persona: a, instruction: i, rules: [{condition: ok}]}
    rules:
      - {condition: other, next: ABORT}
      - {condition: 'all("ok")', next: COMPLETE}
"""


@pytest.mark.parametrize(
    ("release", "end"), [("0.20.0", "complete"), ("0.52.0", "complete"), ("0.53.0", "abort_transition")]
)
def test_aggregates_go_first_before_rules_are_in_order(project: Project, release: str, end: str) -> None:
    machine = project.machine(PARALLEL.replace("LIST", "movements" if release < "0.3" else "steps"), release)
    state = ran(machine)
    for name in ("one", "two"):
        for played in play(machine, state, name, MovementPick(0)):
            state = played.state
    assert end_of(state) == end


STATE = f"""{STEPS}  - name: a
    persona: a
    instruction: i
    rules:
      - {{condition: first, next: b}}
      - {{CONDITION, next: COMPLETE}}
      - {{condition: last, next: ABORT}}
  - name: b
    persona: a
    instruction: i
    rules: [{{condition: on, next: a}}, {{condition: back, next: b}}]
"""


@pytest.mark.parametrize(
    ("condition", "release", "kind"),
    [
        ("condition: context.x.y == 1", "0.35.4", Label),
        ("condition: context.x.y == 1", "0.36.0", When),
        ("condition: context.x.y == 1", "0.49.0", When),
        ("condition: context.x.y == 1", "0.50.0", Label),
        ("condition: 'coverage >= 80%'", "0.49.0", When),
        ("condition: 'exists(context.x.l, item.a == 1)'", "0.47.0", When),
        ("condition: when(context.x.y == 1)", "0.35.4", Label),
        ("condition: when(context.x.y)", "0.49.0", Label),
        ("condition: when(context.x.y == 1)", "0.50.0", When),
        ("condition: when(context.x.y == 1)", "0.53.0", When),
        ("when: context.x.y == 1", "0.36.0", When),
        ("when: context.x.y == 1", "0.52.0", When),
    ],
)
def test_how_a_state_is_written(project: Project, condition: str, release: str, kind: type) -> None:
    piece = project.read(STATE.replace("CONDITION", condition), release)
    assert isinstance(piece, Piece)
    assert isinstance(piece.movements["a"].rules[1].condition, kind)


@pytest.mark.parametrize("release", ["0.36.0", "0.49.0", "0.52.0"])
@pytest.mark.parametrize(
    ("tag", "value", "end"), [(3, 1, "complete"), (3, 2, "abort_transition"), (1, 1, "b")], ids=str
)
def test_a_state_goes_before_a_later_tag(project: Project, release: str, tag: int, value: int, end: str) -> None:
    machine = project.machine(STATE.replace("CONDITION", "when: context.x.y == 1"), release)
    state = ran(machine, Replied("a", "done"), Replied("a", f"[A:{tag}]"), facts={"context": {"x": {"y": value}}})
    assert end_of(state) == end


@pytest.mark.parametrize(("release", "end"), [("0.52.0", "abort_transition"), ("0.53.0", "complete")])
def test_true_waits_until_the_end_or_takes_its_turn(project: Project, release: str, end: str) -> None:
    key = "when: true" if release == "0.52.0" else "condition: when(true)"
    text = STATE.replace("CONDITION", key.replace("when: true", "when: 'true'"))
    machine = project.machine(text, release)
    reply: Event = Replied("a", "[A:3]") if release == "0.52.0" else JudgeReply("a", 1)
    assert end_of(ran(machine, Replied("a", "done"), reply)) == end


@pytest.mark.parametrize("rule", [0, 1, 2])
@pytest.mark.parametrize("condition", ["when: context.x.y == 1", "when: 'true'", "condition: 'ai(\"x\")'"])
def test_every_rule_can_be_picked(project: Project, rule: int, condition: str) -> None:
    machine = project.machine(STATE.replace("CONDITION", condition), "0.52.0")
    played = list(play(machine, ran(machine), "a", MovementPick(rule)))
    assert end_of(played[-1].state) == ("b", "complete", "abort_transition")[rule]


def test_a_state_that_cannot_be_read_ends_the_run(project: Project) -> None:
    machine = project.machine(STATE.replace("CONDITION", "condition: a > b"), "0.40.0")
    assert end_of(ran(machine, Replied("a", "done"), Replied("a", "[A:3]"))) == "state_unreadable"


TAGS = f"{STEPS}  - name: a\n    agent: x\n    instruction: i\n{ENDS}"


@pytest.mark.parametrize(("release", "end"), [("0.3.8", "abort_transition"), ("0.3.9", "complete")])
def test_which_of_several_tags_counts(project: Project, release: str, end: str) -> None:
    machine = project.machine(TAGS, release)
    assert end_of(ran(machine, Replied("a", "[A:2] then [A:1]"), Replied("a", "none"))) == end


AGGREGATES = (
    PARALLEL.replace("LIST", "steps")
    .replace("persona: a", "agent: a, persona: a")
    .replace("    agent: a, persona: a\n", "    agent: a\n")
)


@pytest.mark.parametrize(
    ("condition", "release", "kind"),
    [
        ('all("ok", "ok")', "0.3.8", Label),
        ('all("ok", "ok")', "0.3.9", Aggregate),
        ("all(ok, ok)", "0.3.8", Label),
        ("all(ok, ok)", "0.46.0", None),
        ("all(ok, ok)", "0.47.0", Aggregate),
        ("all(ok) of it", "0.49.0", Label),
        ("all(ok) of it", "0.50.0", None),
    ],
)
def test_what_an_aggregate_is(project: Project, condition: str, release: str, kind: type | None) -> None:
    piece = project.read(AGGREGATES.replace("'all(\"ok\")'", f"'{condition}'"), release)
    found = type(piece.movements["both"].rules[1].condition) if isinstance(piece, Piece) else None
    assert found is kind


NUMBERED = f"{PIECE}  - name: a2\n    agent: x\n    persona: x\n    instruction: i\n{ENDS}"


@pytest.mark.parametrize(
    ("release", "replies", "end"),
    [
        ("0.5.1", ["nothing"], "a2"),  # the AI judge is asked
        ("0.12.1", ["[A2:1]", "[A2:1]"], "judgment_failed"),
        ("0.13.0", ["[A2:1]"], "complete"),
        ("0.30.0", ["nothing", "nothing", None], "judgment_failed"),
        ("0.31.0", ["nothing", "nothing", None], "a2"),  # the AI judge is asked over the main text
        ("0.31.0", ["nothing", "nothing", 1], "abort_transition"),
    ],
)
def test_who_judges_and_what_follows(project: Project, release: str, replies: list[str | int | None], end: str) -> None:
    machine = project.machine(NUMBERED, release)
    events = [Replied("a2", each) if isinstance(each, str) else JudgeReply("a2", each) for each in replies]
    assert end_of(ran(machine, Replied("a2", "done"), *events)) == end


def test_reports_that_are_not_for_the_judge(project: Project) -> None:
    text = NUMBERED + "    output_contracts: {report: [{name: r.md, format: f, use_judge: false}]}\n"
    for release, detail in (("0.16.0", "reports"), ("0.17.0", "response")):
        machine = project.machine(text, release)
        state = ran(machine, Replied("a2", "done"), Replied("a2", "report"))
        assert machine.calls(state) == (Call("a2", "conductor", detail),)


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
        (STATE.replace("CONDITION", "when: context.x.y == 1"), "takt-0.52"),
        (f"{STEPS}  - name: a\n    persona: x\n    instruction: [i]\n{ENDS}", "takt-2026-08-23"),
    ],
)
def test_the_usual_runner_is_the_newest_that_the_file_is_for(project: Project, text: str, name: str) -> None:
    assert runner_of(project.agent(text), None).name == name


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("kind: workflow_call, call: child", "“child” isn't run: what it returns is chosen"),
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
    assert lines_of(machine, state, started) == ["1. a", *([said] if said else [])]


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
