"""How a run chooses, by release: limits, statuses, rules over the state, aggregates, tags, judges."""

import pytest

from stepflow_gui.formats.takt.conditions_model import Aggregate, Label, When
from stepflow_gui.run.takt.machine.piece import Piece
from stepflow_gui.run.takt.machine.state import Call, Event, JudgeReply, Replied
from stepflow_gui.run.takt.picking import MovementPick, play
from tests.run.takt.projects import ENDS, PIECE, STEPS, Project, end_of, ran


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
