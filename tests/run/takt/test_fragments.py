"""Workflows that share steps: put together when a run is loaded, from the project alone."""

from pathlib import Path

import pytest

from stepflow_gui.formats.takt.fragments import with_fragments
from stepflow_gui.formats.takt.runners import WORKFLOWS
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.takt.loading import PieceRefusal
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Piece
from stepflow_gui.run.takt.opening import piece_in, runner_of
from stepflow_gui.run.takt.prompts.prompt_builder import compose
from stepflow_gui.run.takt.scripts.scripted import Chance, drive
from stepflow_gui.run.takt.session import PieceRun

FLOW = """
name: flow
subworkflow:
  callable: true
  returns: [needs_fix]
  params: {extra: {default: [by default]}}
steps:
  - uses: shared/look
    policy: [own]
    with: {what: the tests, more: {$param: extra}}
    rules:
      - {condition: fine, next: both}
  - name: both
    uses: pair
    rules:
      self:
        - {condition: all(ok), next: last}
        - {condition: any(bad), return: needs_fix}
      parallel:
        one: [{condition: ok}, {condition: bad}]
        two: [{condition: ok}, {condition: bad}]
  - name: last
    instruction: closing-words
    rules: [{condition: done, next: COMPLETE}]
"""
LOOK = """
params: {what: {type: facet_ref}, more: {type: "facet_ref[]"}, unused: {default: 1}}
uses: look-base
with: {depth: {$param: what}}
knowledge: [always, {$param: more}, {$param: nobody}]
"""
LOOK_BASE = """
params: {depth: {type: facet_ref}}
persona: looker
policy: [of the base]
instruction: {$param: depth}
rules: [{condition: other, next: nowhere}]
"""
PAIR = """
parallel:
  - {name: one, uses: look-base, with: {depth: at one}}
  - {name: two, instruction: at two}
"""


@pytest.fixture
def flow(tmp_path: Path) -> Path:
    files = {
        "workflows/flow.yaml": FLOW,
        "steps/shared/look.yaml": LOOK,
        "steps/look-base.yaml": LOOK_BASE,
        "steps/pair.yml": PAIR,
        "facets/instructions/closing-words.md": "Say goodbye.",
        "facets/personas/looker.md": "You look.",
    }
    for name, text in files.items():
        path = tmp_path / ".takt" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path / ".takt" / "workflows" / "flow.yaml"


def _piece(file: Path) -> Piece | PieceRefusal:
    agent = open_agent(file)
    assert isinstance(agent, AgentFolder)
    return piece_in(agent, runner_of(agent, None))


def _loaded(file: Path) -> Piece:
    found = _piece(file)
    assert isinstance(found, Piece), found
    return found


def test_a_steps_own_values_win_and_parameters_are_put_in(flow: Path) -> None:
    piece = _loaded(flow)
    assert list(piece.movements) == ["look", "both", "last"]
    look = piece.movements["look"]
    assert (look.persona, look.instruction) == ("You look.", "the tests")
    assert (look.policies, look.knowledge) == (("own",), ("always", "by default"))
    assert [rule.text for rule in look.rules] == ["fine"]
    both = piece.movements["both"]
    assert [(sub.name, sub.instruction, len(sub.rules)) for sub in both.subs] == [
        ("one", "at one", 2),
        ("two", "at two", 2),
    ]
    assert piece.movements["last"].instruction == "Say goodbye."


def test_a_run_of_them_goes_to_its_end_and_returns_a_result(flow: Path) -> None:
    run = PieceRun(PieceMachine(_loaded(flow), WORKFLOWS))
    run.begin("mend")
    assert "the tests" in compose(run.machine, run.state, run.calls[0]).text
    run.pick("look", 0)
    run.pick("one", 1)
    run.pick("two", 0)
    assert run.state.end is not None
    assert (run.state.end.kind, run.state.end.detail, run.state.end.success) == ("returned", "needs_fix", True)


@pytest.mark.parametrize("used", ["../../../../outside", "/etc/outside", "~/outside", "gone", "a\0b"])
def test_a_fragment_that_cant_be_had_is_reported_and_none_is_read_outside_the_project(
    flow: Path, used: str, tmp_path: Path
) -> None:
    outside = tmp_path.parent / "outside.yaml"
    outside.write_text("persona: stranger\n", "utf-8")
    shown = used.replace("\0", "\\0")
    flow.write_text(f'name: f\nsteps:\n  - uses: "{shown}"\n    rules: [{{condition: a, next: COMPLETE}}]\n', "utf-8")
    found = _piece(flow)
    outside.unlink()
    assert isinstance(found, PieceRefusal)
    assert (found.kind, found.name) == ("fragment", used)


def test_fragments_that_use_themselves_or_swell_come_to_an_end() -> None:
    swelling = {
        "params": {"a": {}},
        "uses": "again",
        "with": {"a": [{"$param": "a"}] * 60},
        "knowledge": [{"$param": "a"}],
    }
    found = with_fragments({"steps": [{"uses": "again", "with": {"a": ["x"] * 60}}]}, lambda _used: swelling)
    assert found.missing == ["again"]
    assert len(found.value["steps"][0]["knowledge"]) <= 100_000


def test_upstreams_own_workflows_run_to_an_end(corpus: Path) -> None:
    files = sorted((corpus / "takt" / "head" / "builtins" / "en" / "workflows").glob("*.yaml"))
    assert len(files) > 40
    for file in files:
        agent = open_agent(file)
        assert isinstance(agent, AgentFolder)
        runner = runner_of(agent, None)
        piece = piece_in(agent, runner)
        assert isinstance(piece, Piece), f"{file.name}: {piece}"
        run = PieceRun(PieceMachine(piece, runner))
        run.begin("task")
        for position in drive(run, Chance(1).next_event):
            if position > 300 and piece.limit is None:
                break
        assert run.state.end is not None or piece.limit is None, file.name
