"""Pieces in the words of newer workflows: the same transitions, the rest of the text as it was, losses are reported."""

from pathlib import Path

import pytest

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.read import read_flow
from stepflow_gui.formats.takt.conditions import parse_condition
from stepflow_gui.formats.takt.conditions_model import AskedOfJudge
from stepflow_gui.formats.takt.renewing import ConvertedPiece, PieceConversionRefusal, renewed
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from tests.conftest import Thin

PIECE = """\
# The piece
name: old   # its name
max_iterations: 5
initial_movement: work
answer_agent: helper
instructions:
  do: "of {max_iterations}"
movements:
  - name: work
    permission_mode: edit
    allowed_tools: [Read]
    instruction: do
    instruction_template: |
      Run {movement_iteration}
    output_contracts:
      report:
        - Summary: a.md
        - name: b.md
    rules:
      - condition: ai("it is done")   # asked
        next: COMPLETE
      - condition: a && b
        next: work
loop_monitors:
  - cycle: [work, work]
    judge:
      instruction_template: Round {cycle_count} of {max_iterations}
      rules: [{condition: on, next: work}]
"""

WORKFLOW = """\
# The piece
name: old   # its name
max_steps: 5
initial_step: work
instructions:
  do: "of {max_steps}"
steps:
  - name: work
    required_permission_mode: edit
    instruction: |
      Run {step_iteration}
    output_contracts:
      report:
        - name: a.md
          format: Summary
        - name: b.md
    rules:
      - condition: it is done   # asked
        next: COMPLETE
      - condition: a && b
        next: work
loop_monitors:
  - cycle: [work, work]
    judge:
      instruction: Round {cycle_count} of {max_steps}
      rules: [{condition: on, next: work}]
"""


def _made(text: str) -> ConvertedPiece:
    found = renewed(Source(text))
    assert isinstance(found, ConvertedPiece), found
    return found


def test_words_change_and_nothing_else() -> None:
    assert _made(PIECE).text == WORKFLOW


def test_what_is_not_carried_over_is_reported_at_its_place() -> None:
    told = {left.pointer: left.message for left in _made(PIECE).left}
    assert set(told) == {
        "/movements/0/instruction",
        "/movements/0/allowed_tools",
        "/movements/0/rules/0/condition",
        "/movements/0/rules/1/condition",
        "/movements/0/output_contracts/report/0",
        "/movements/0/output_contracts/report/1",
        "/answer_agent",
    }
    assert "['Read']" in told["/movements/0/allowed_tools"]


def test_line_ends_and_a_mark_at_the_beginning_stay() -> None:
    found = renewed(Source(PIECE.replace("\n", "\r\n"), bom=True))
    assert isinstance(found, ConvertedPiece)
    assert found.text == WORKFLOW.replace("\n", "\r\n")


@pytest.mark.parametrize(
    "text",
    [WORKFLOW, "a: [\n", "- a\n", PIECE + "max_steps: 3\n", "movements: &m []\nmax_iterations: 1\nmax_steps: 2\n"],
)
def test_what_cannot_be_converted_is_left_alone(text: str) -> None:
    found = renewed(Source(text))
    assert isinstance(found, PieceConversionRefusal)
    assert found.message


def test_real_pieces_keep_their_transitions(corpus: Path, thin: Thin) -> None:
    """One piece in three; --full: each."""
    files = sorted(corpus.joinpath("takt", "seed-era").rglob("pieces/*.yaml"))
    assert files
    for file in thin(files, 3):
        text = file.read_text("utf-8")
        if "movements:" in text:
            assert _ways(_flow(_made(text).text)) == _ways(_flow(text)), file


def test_a_workflow_with_some_older_words_gets_the_newer_ones() -> None:
    mixed = WORKFLOW.replace("max_steps: 5", "max_iterations: 5").replace("required_permission_mode", "permission_mode")
    assert mixed != WORKFLOW
    assert _made(mixed).text == WORKFLOW


def test_upstreams_workflows_have_the_newer_words_already(corpus: Path) -> None:
    files = sorted(corpus.joinpath("takt", "head", "builtins", "ja", "workflows").glob("*.yaml"))
    assert files
    for file in files:
        found = renewed(Source(file.read_text("utf-8")))
        assert isinstance(found, PieceConversionRefusal), file
        assert "already" in found.message


def _flow(text: str) -> Flow:
    return read_flow(ParsedFile.read(Path("p.yaml"), Source(text)))


def _ways(flow: Flow) -> list[tuple[str, str, str | None, str]]:
    return [(move.step, _label(move.intent), move.target, move.end) for move in flow.moves()]


def _label(condition: str) -> str:
    found = parse_condition(condition, "piece")
    return found.text if isinstance(found, AskedOfJudge) else condition


def test_words_of_the_first_releases_become_those_of_today() -> None:
    text = (
        "name: x\nagents: {a: ../a.md}\nmovements:\n"
        "  - name: one\n    agent: a\n    rules: [{condition: ok, next: two}]\n"
        "  - name: two\n    agent: b\n    persona: a\n    rules: [{condition: ok, next: COMPLETE}]\n"
    )
    made = renewed(Source(text))
    assert isinstance(made, ConvertedPiece)
    assert made.text == (
        "name: x\npersonas: {a: ../a.md}\nsteps:\n"
        "  - name: one\n    persona: a\n    rules: [{condition: ok, next: two}]\n"
        "  - name: two\n    persona: a\n    rules: [{condition: ok, next: COMPLETE}]\n"
    )
    assert [each.pointer for each in made.left] == ["/movements/0/agent", "/movements/1/agent", "/agents"]
