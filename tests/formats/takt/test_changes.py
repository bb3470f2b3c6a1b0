"""Changes to TAKT pieces: small edits of the YAML that can be taken back, comments kept, names followed."""

import difflib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stepflow_gui.formats import changes as asked
from stepflow_gui.formats.change import can, can_connect, plan, retarget
from stepflow_gui.formats.changes import Change, TransitionKey
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.edit import apply
from tests.formats.changes.hand import Agent, Done, check_undo
from tests.sampling import examples

PIECE = """\
# The piece
name: small   # its name
max_iterations: 5
initial_movement: plan
personas:
  planner: ../personas/planner.md   # who plans
  coder: ../personas/coder.md
movements:
  # the first
  - name: plan
    persona: planner
    instruction_template: |
      Plan it.
      See {report:plan.md}
    rules:
      - condition: Clear   # go on
        next: work
      - condition: Unclear
        next: ABORT
  - name: work
    persona: coder
    edit: true
    rules:
      - condition: Done
        next: review
  - name: review
    parallel:
      - name: style
        persona: coder
        rules:
          - condition: approved
          - condition: needs_fix
      - name: sense
        rules:
          - condition: approved
    rules:
      - condition: all("approved")
        next: COMPLETE
      - condition: any("needs_fix")
        next: work
loop_monitors:
  - cycle: [work, review]   # round and round
    threshold: 3
    judge:
      rules:
        - condition: Healthy
          next: work
        - condition: Stuck
          next: ABORT
"""


def words(text: str) -> str:
    """The same piece in the words of workflows."""
    for old, new in (
        *(("max_iterations", "max_steps"), ("initial_movement", "initial_step"), ("movements:", "steps:")),
        ("instruction_template", "instruction"),
    ):
        text = text.replace(old, new)
    return text


@pytest.fixture(params=[False, True], ids=["piece", "workflow"])
def agent(request: pytest.FixtureRequest, tmp_path: Path) -> Agent:
    folder = tmp_path / ".takt" / ("workflows" if request.param else "pieces")
    folder.mkdir(parents=True)
    path = folder / "small.yaml"
    path.write_text(words(PIECE) if request.param else PIECE, encoding="utf-8")
    return Agent.open(path)


def done(agent: Agent, change: Change) -> Done:
    made = agent.done(change)
    check_undo(agent, made)
    return made


def lines(agent: Agent, made: Done) -> tuple[list[str], list[str]]:
    """The lines taken out and put in."""
    found = list(difflib.ndiff(agent.registry.splitlines(), made.agent.registry.splitlines()))
    return [each[2:].strip() for each in found if each[0] == "-"], [
        each[2:].strip() for each in found if each[0] == "+"
    ]


def steps_of(agent: Agent) -> str:
    return "steps" if "steps:" in agent.registry.split("\n  # the first")[0] else "movements"


def test_a_movement_is_renamed_wherever_it_is_named(agent: Agent) -> None:
    made = done(agent, asked.RenameStep("work", "build"))
    monitor = "cycle: [{name}, review]   # round and round"
    before, after = (
        sorted([f"- name: {name}", *[f"next: {name}"] * 3, "- " + monitor.format(name=name)])
        for name in ("work", "build")
    )
    assert [sorted(each) for each in lines(agent, made)] == [before, after]
    renamed = done(agent, asked.RenameStep("plan", "think")).agent
    assert renamed.folder.flow.entries[0].target is not None
    assert renamed.folder.flow.entries[0].target.value == "think"
    assert "{report:plan.md}" in renamed.registry


@pytest.mark.parametrize(
    ("change", "out", "put"),
    [
        (asked.Retarget("plan", "Clear", "review"), ["next: work"], ["next: review"]),
        (asked.Retarget("plan", "Clear", "ABORT"), ["next: work"], ["next: ABORT"]),
        (asked.Retarget("plan", "Unclear", None), ["next: ABORT"], ["next: COMPLETE"]),
        (asked.Connect("work", "Stuck", "ABORT"), [], ["- condition: Stuck", "next: ABORT"]),
        (asked.Disconnect("plan", "Unclear"), ["- condition: Unclear", "next: ABORT"], []),
        (
            asked.RenameIntent("plan", "Clear", "Quite clear"),
            ["- condition: Clear   # go on"],
            ["- condition: Quite clear   # go on"],
        ),
        (
            asked.RenameKey("/personas/planner", "lead"),
            ["planner: ../personas/planner.md   # who plans", "persona: planner"],
            ["lead: ../personas/planner.md   # who plans", "persona: lead"],
        ),
        (asked.SetField("/personas/judge", "../personas/judge.md"), [], ["judge: ../personas/judge.md"]),
        (
            asked.SetField("/policies/coding", "../policies/coding.md"),
            [],
            ["policies:", "coding: ../policies/coding.md"],
        ),
    ],
)
def test_only_the_lines_of_a_change_differ(change: Change, out: list[str], put: list[str], agent: Agent) -> None:
    assert lines(agent, done(agent, change)) == (out, put)


def test_rules_change_their_order_with_their_comments(agent: Agent) -> None:
    made = done(agent, asked.MoveItem(f"/{steps_of(agent)}/0/rules/0", 1))
    assert [rule.intent for rule in made.agent.folder.flow.steps["plan"].transitions] == ["Unclear", "Clear"]
    assert "condition: Clear   # go on\n        next: work" in made.agent.registry


def test_a_rule_without_a_condition_gets_one(agent: Agent) -> None:
    made = done(agent, asked.SetField(f"/{steps_of(agent)}/0/rules/-", {"next": "review"}))
    named = done(made.agent, asked.RenameIntent("plan", "", "Late"))
    last = named.agent.folder.flow.steps["plan"].transitions[-1]
    assert (last.as_written, last.target and last.target.value) == ("Late", "review")


def test_rules_of_the_same_condition_are_distinguished(agent: Agent) -> None:
    where = f"/{steps_of(agent)}/0/rules"
    made = done(agent, asked.SetField(f"{where}/-", {"condition": "Clear", "next": "review"}))
    plan_step = made.agent.folder.flow.steps["plan"]
    assert [rule.intent for rule in plan_step.transitions] == ["Clear", "Unclear", "Clear #2"]
    assert [rule.as_written for rule in plan_step.transitions] == ["Clear", "Unclear", "Clear"]
    led = done(made.agent, asked.Retarget("plan", "Clear #2", "ABORT"))
    assert lines(made.agent, led) == (["next: review"], ["next: ABORT"])
    assert not done(made.agent, asked.RenameIntent("plan", "Clear #2", "Clear")).plan.edits
    renamed = done(made.agent, asked.RenameIntent("plan", "Clear #2", "Quite clear"))
    assert lines(made.agent, renamed) == (["- condition: Clear"], ["- condition: Quite clear"])
    gone = done(made.agent, asked.Disconnect("plan", "Clear"))
    rest = gone.agent.folder.flow.steps["plan"].transitions
    assert [(rule.intent, rule.target and rule.target.value) for rule in rest] == [
        ("Unclear", None),
        ("Clear", "review"),
    ]


def test_sub_steps_are_added_renamed_moved_and_removed(agent: Agent) -> None:
    where = f"/{steps_of(agent)}/2/parallel"
    made = done(agent, asked.SetField(f"{where}/-", {"name": "speed"}))
    names = [sub.id for sub in made.agent.folder.flow.steps["review"].subs]
    assert names == ["style", "sense", "speed"]
    assert agent.refused(asked.SetField(f"{where}/1/name", "style"))
    made = done(made.agent, asked.SetField(f"{where}/2/name", "pace"))
    made = done(made.agent, asked.MoveItem(f"{where}/2", 0))
    made = done(made.agent, asked.RemoveField(f"{where}/1"))
    assert [sub.id for sub in made.agent.folder.flow.steps["review"].subs] == ["pace", "sense"]
    first = done(agent, asked.SetField(f"/{steps_of(agent)}/1/parallel/-", {"name": "one"}))
    assert [sub.id for sub in first.agent.folder.flow.steps["work"].subs] == ["one"]


def test_a_new_movement_takes_the_place_of_what_it_is_led_to(agent: Agent) -> None:
    made = done(agent, asked.AddStep("check", "work", after="plan", incoming=TransitionKey("plan", "Clear")))
    flow = made.agent.folder.flow
    assert list(flow.steps) == ["plan", "check", "work", "review"]
    assert flow.steps["check"].transitions[0].target is not None
    assert flow.steps["check"].transitions[0].target.value == "work"
    assert flow.steps["check"].raw["persona"] == "planner"
    copied = done(made.agent, asked.DuplicateStep("plan", "plan2")).agent
    assert list(copied.folder.flow.steps)[1] == "plan2"
    assert "      Plan it.\n" in copied.registry.split("plan2")[1]


def test_a_movement_that_goes_takes_the_watch_over_its_cycle_along(agent: Agent) -> None:
    refusal = agent.refused(asked.RemoveStep("work"))
    assert set(refusal.options) == {"retarget_to", "force"}
    assert [place.pointer.rpartition("/")[2] for place in refusal.places] == ["next", "next"]
    made = done(agent, asked.RemoveStep("work", retarget_to="review"))
    flow = made.agent.folder.flow
    assert list(flow.steps) == ["plan", "review"]
    assert not flow.monitors
    assert made.plan.notes
    assert all(rule.target is None or rule.target.value == "review" for rule in flow.steps["plan"].transitions)
    begun = done(agent, asked.RemoveStep("plan", force=True))
    assert begun.agent.folder.flow.entries[0].target is not None
    assert begun.agent.folder.flow.entries[0].target.value == "work"


def test_loop_monitors_and_contracts_are_fields(agent: Agent) -> None:
    monitor = {"cycle": ["plan", "work"], "judge": {"rules": [{"condition": "Go on", "next": "work"}]}}
    made = done(agent, asked.SetField("/loop_monitors/-", monitor))
    assert [each.cycle[0].value for each in made.agent.folder.flow.monitors] == ["work", "plan"]
    made = done(made.agent, asked.RemoveField("/loop_monitors/0"))
    assert len(made.agent.folder.flow.monitors) == 1
    assert not done(made.agent, asked.RemoveField("/loop_monitors/0")).agent.folder.flow.monitors
    where = f"/{steps_of(agent)}/1/output_contracts/report/-"
    made = done(agent, asked.SetField(where, {"name": "a.md", "format": "x"}))
    assert made.agent.folder.flow.steps["work"].raw["output_contracts"] == {"report": [{"name": "a.md", "format": "x"}]}


@pytest.mark.parametrize(
    "change",
    [
        asked.RenameStep("plan", "work"),
        asked.RenameStep("plan", "COMPLETE"),
        asked.Retarget("plan", "Clear", "nowhere"),
        asked.Retarget("plan", "No such rule", "work"),
        asked.Connect("plan", " ", "work"),
        asked.RemoveField("/personas/coder"),
        asked.RemoveField("/name"),
        asked.SetField("/personas/coder", 3),
        asked.MakeConditional("plan", "Clear", "status"),
        asked.SetField("name", "x"),
    ],
)
def test_what_makes_no_sense_is_refused(change: Change, agent: Agent) -> None:
    assert can(agent.folder, change) is not None


def test_the_canvas_asks_for_the_same(agent: Agent) -> None:
    flow = agent.folder.flow
    assert can_connect(flow, "plan", "Clear", "ABORT") is None
    assert can_connect(flow, "plan", "Clear", "nowhere") is not None
    edits = retarget(flow, "plan", "Clear", None, "ABORT")
    assert isinstance(edits, dict)
    assert edits == done(agent, asked.Retarget("plan", "Clear", "ABORT")).plan.edits


def _changes(agent: Agent) -> list[Change]:
    """Changes of each kind for the movements that there are."""
    flow = agent.folder.flow
    found: list[Change] = [asked.AddStep(f"new{len(flow.steps)}", "work")]
    for step in flow.steps.values():
        found += [
            asked.RenameStep(step.id, f"{step.id}_x"),
            asked.DuplicateStep(step.id, f"{step.id}_copy"),
            asked.RemoveStep(step.id, force=True),
            asked.Connect(step.id, "Otherwise", "ABORT"),
            asked.AddEntry("", step.id),
        ]
        for rule in step.transitions:
            found += [
                asked.Retarget(step.id, rule.intent, None),
                asked.Disconnect(step.id, rule.intent),
                asked.MoveItem(rule.pointer, 0),
            ]
    return found


@settings(max_examples=examples(12), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_changes_one_after_the_other_are_all_taken_back(data: st.DataObject, agent: Agent) -> None:
    now = agent
    for _turn in range(4):
        change = data.draw(st.sampled_from(_changes(now)))
        if isinstance(plan(now.folder, change), Refusal):
            continue
        now = done(now, change).agent
        assert now.folder.registry.tree.valid


def test_a_rename_changes_an_anchors_text_once_and_says_which_aliases_follow(tmp_path: Path) -> None:
    path = tmp_path / ".takt" / "pieces" / "a.yaml"
    path.parent.mkdir(parents=True)
    text = (
        "name: a\nmax_iterations: 5\ninitial_movement: &first plan\npersonas: {coder: You code}\nmovements:\n"
        "  - name: *first\n    persona: &who coder\n    rules:\n      - {condition: again, next: *first}\n"
        "  - name: work\n    persona: *who\n    rules:\n      - {condition: done, next: plan}\n"
    )
    path.write_text(text, "utf-8")
    folder = open_agent(path)
    assert isinstance(folder, AgentFolder)
    found = plan(folder, asked.RenameStep("plan", "think"))
    assert isinstance(found, Plan)
    assert found.notes == ("“*first” in lines 6, 9 follows the anchor “&first”",)
    wanted = text.replace("&first plan", "&first think").replace("next: plan", "next: think")
    assert apply(text, found.edits[path]) == wanted
    entry = plan(folder, asked.RenameKey("/personas/coder", "builder"))
    assert isinstance(entry, Plan)
    assert apply(text, entry.edits[path]) == text.replace("{coder:", "{builder:").replace("&who coder", "&who builder")


def test_pieces_of_the_corpus_are_renamed_and_taken_back(corpus: Path) -> None:
    pieces = sorted((corpus / "takt" / "seed-era" / "builtins" / "en" / "pieces").glob("*.yaml"))[:6]
    assert pieces
    for path in pieces:
        agent = Agent.open(path)
        for step in list(agent.folder.flow.steps)[:2]:
            made = done(agent, asked.RenameStep(step, "renamed"))
            assert "renamed" in made.agent.folder.flow.steps
            assert len(made.agent.registry.splitlines()) == len(agent.registry.splitlines())


@pytest.mark.parametrize("text", ["[[]]", "[]", "1", "", "a: [[]]"])
@pytest.mark.parametrize("pointer", ["/-", "/-/-", "/2", "/a/-/-"])
def test_a_field_of_a_file_that_is_no_piece_is_refused(text: str, pointer: str, tmp_path: Path) -> None:
    file = tmp_path / ".takt" / "pieces" / "p.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(text, "utf-8")
    folder = open_agent(file)
    if isinstance(folder, AgentFolder):
        assert isinstance(plan(folder, asked.SetField(pointer, [])), Refusal)
