"""What agents and judges of a piece are sent."""

import pytest

from stepflow_gui.formats.takt.runners import GUIDE, PIECES, TaktRunner, runner_named
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.state import Replied
from stepflow_gui.run.takt.prompts.prompt_builder import PiecePrompt, compose
from stepflow_gui.run.takt.session import PieceRun
from tests.run.takt.pieces import PARALLEL, TWO, piece_of

FULL = """
name: full
personas: {coder: ../personas/coder.md}
policies: {coding: ../policies/coding.md}
movements:
  - name: work
    persona: coder
    policy: [coding, be brief]
    knowledge: the domain
    edit: false
    instruction_template: do it
    quality_gates: [tests pass]
    rules:
      - {condition: done, next: COMPLETE}
      - {condition: unclear, next: ABORT, appendix: "- the question"}
"""
FILES = {"../personas/coder.md": "You write code.", "../policies/coding.md": "Write tests."}


def _run(text: str, runner: TaktRunner = PIECES) -> PieceRun:
    run = PieceRun(PieceMachine(piece_of(text, FILES), runner))
    run.begin("mend {it}")
    return run


def _prompt(run: PieceRun) -> PiecePrompt:
    return compose(run.machine, run.state, run.calls[0])


def test_parts_of_the_work_in_order() -> None:
    prompt = _prompt(_run(FULL))
    assert prompt.system == "You write code."
    titles = [section.title for section in prompt.sections]
    assert titles == [
        "Policy",
        "Knowledge",
        "Where the run is",
        "Task",
        "Answers of the user",
        "Instruction",
        "Quality gates",
    ]
    assert "Write tests.\n\nbe brief" in prompt.text
    assert "Editing files is forbidden." in prompt.text
    assert "- tests pass" in prompt.text


def test_judges_are_offered_the_tags_with_what_to_add() -> None:
    run = _run(FULL)
    run.send(Replied("work", "all is done"))
    prompt = _prompt(run)
    assert prompt.system is None
    assert "all is done" in prompt.text
    assert "[WORK:1] done\n[WORK:2] unclear" in prompt.text
    assert "[WORK:2]\n- the question" in prompt.text


def test_variables_stand_for_what_the_run_knows() -> None:
    assert "mend ｛it｝, run 1 of 1" in _prompt(_run(TWO)).text


@pytest.mark.parametrize(
    ("runner", "shown"), [(PIECES, "Look at reports/notes.md again."), (GUIDE, "Look at noted again.")]
)
def test_a_report_is_its_path_or_its_text(runner: TaktRunner, shown: str) -> None:
    run = _run(TWO, runner)
    run.pick("work", 0, "noted")
    assert shown in _prompt(run).text


def test_a_report_is_asked_for_with_its_format() -> None:
    run = _run(TWO)
    run.send(Replied("work", "did it"))
    text = _prompt(run).text
    assert "Write the report notes.md." in text
    assert text.endswith("## Format\nplain")


def test_the_monitors_judge_knows_the_count() -> None:
    run = _run(PARALLEL)
    for _round in range(2):
        run.pick("style", 1)
        run.pick("safety", 1)
        run.pick("fix", 0)
    assert "reviewers → fix were gone through 2 times" in _prompt(run).text


@pytest.mark.parametrize(
    ("release", "names", "left"),
    [
        ("takt-0.40", "{previous_report} and {peer_reports}", "takt-0.40 replaces {previous_report}, {peer_reports},"),
        ("takt-0.40", "{previous_report}", "takt-0.40 replaces {previous_report}, by what only it knows: it stays"),
        ("takt-0.40", "{task} of {step_iteration} in {max_steps}", ""),
        ("takt-0.53", "{previous_report}", ""),
        ("takt-0.60", "{review_scope}", "takt-0.60 replaces {review_scope},"),
    ],
)
def test_what_only_the_release_can_fill_in_is_named(release: str, names: str, left: str) -> None:
    runner = runner_named(release)
    assert runner is not None
    text = (
        FULL.replace("do it", f'"Do {names}"')
        .replace("movements:", "steps:")
        .replace("instruction_template", "instruction")
    )
    prompt = _prompt(_run(text, runner))
    assert prompt.left.startswith(left)
    assert bool(prompt.left) is bool(left)
    assert left == "" or names.split(" and ", maxsplit=1)[0] in prompt.text
