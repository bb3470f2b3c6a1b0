"""`stepflow run` on TAKT pieces: by script, by chance, explored, by hand; nothing is written."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.run.test_run_by_hand import by_hand
from tests.run.takt.pieces import PARALLEL, TWO

FULL = """\
name: full
personas: {coder: ../personas/coder.md}
movements:
  - name: work
    persona: coder
    instruction_template: ../secret.md
    rules:
      - {condition: done, next: COMPLETE}
      - {condition: for a person, next: ABORT, interactive_only: true}
"""


@pytest.fixture
def piece(tmp_path: Path) -> Path:
    """A piece in a project, with an unreadable file outside it."""
    folder = tmp_path / "project" / ".takt" / "pieces"
    folder.mkdir(parents=True)
    (tmp_path / "secret.md").write_text("SECRET")
    (folder.parent / "personas").mkdir()
    (folder.parent / "personas" / "coder.md").write_text("You write code.")
    return folder / "piece.yaml"


def _files(folder: Path) -> set[Path]:
    return set(folder.rglob("*"))


@pytest.mark.parametrize(
    "words", [("run", "--explore"), ("run", "--random", "1"), ("run", "--explore", "--format", "json"), ("test",)]
)
def test_a_file_that_cannot_be_parsed_is_refused_with_its_finding(
    run: Run, piece: Path, words: tuple[str, ...]
) -> None:
    piece.write_text("description: a page workflow (with a check: plan and build)\n" + TWO)
    command, *options = words
    code, out, err = run(command, piece, *options)
    assert (code, out) == (2, "")
    assert f"{piece}:1:43: error SF001: A text without quotes can't hold a colon" in err


def test_a_piece_is_found_in_its_project(run: Run, piece: Path) -> None:
    piece.write_text(TWO)
    code, out, err = run("run", piece.parents[2], "--explore")
    assert (code, err) == (0, "")
    assert "rules are taken" in out


def test_a_script_runs_a_piece_and_nothing_is_written(run: Run, piece: Path, tmp_path: Path) -> None:
    piece.write_text(TWO)
    script = tmp_path / "s.yaml"
    script.write_text("answers: {check: [3, 1]}\nexpect: {end: complete, path: [work, check, work, check]}\n")
    before = _files(tmp_path)
    code, out, err = run("run", piece, "--script", script, "--runtime", "takt-2026-02-07")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "1. work",
        "   work reports notes.md",
        "   1 done (by a tag of the judge) → check",
        "2. check",
        '   3 ai("it is worse") (by a tag of the judge) → work',
        "3. work",
        "   work reports notes.md",
        "   1 done (by a tag of the judge) → check",
        "4. check",
        "   1 good (by a tag of the judge) → COMPLETE",
        "The piece is complete.",
    ]
    assert _files(tmp_path) == before


def test_what_a_script_expects_decides_over_the_exit_code(run: Run, piece: Path, tmp_path: Path) -> None:
    piece.write_text(TWO)
    script = tmp_path / "s.yaml"
    script.write_text("answers: {work: 2}\nexpect: {end: abort_transition, iterations: 1}\n")
    assert run("run", piece, "--script", script, "-q").code == 0
    script.write_text("answers: {work: 2}\nexpect: {end: complete, path: [work, check]}\n")
    code, out, _err = run("run", piece, "--script", script, "-q")
    assert code == 1
    assert f"{script}:2: expected as movement 2: check; it was end" in out
    assert f"{script}:2: expected as end: complete; it was abort_transition" in out


def test_a_mistake_in_a_script_is_reported_with_its_place(run: Run, piece: Path, tmp_path: Path) -> None:
    piece.write_text(TWO)
    script = tmp_path / "s.yaml"
    script.write_text("answers:\n  ghost: 1\n")
    code, out, err = run("run", piece, "--script", script)
    assert (code, out) == (2, "")
    assert f"{script}:2: There is no movement “ghost”." in err


def test_sub_steps_and_monitors_are_reported(run: Run, piece: Path, tmp_path: Path) -> None:
    piece.write_text(PARALLEL)
    script = tmp_path / "s.yaml"
    script.write_text("answers: {style: needs_fix, _loop_judge_reviewers_fix: stuck}\n")
    code, out, _err = run("run", piece, "--script", script)
    assert code == 1
    assert "   style: 2 needs_fix (by a tag of the judge)\n   safety: 1 approved (by a tag of the judge)\n" in out
    assert "   reviewers → fix: 2 rounds, the judge is asked\n5. _loop_judge_reviewers_fix\n" in out
    assert "Aborted: a rule of _loop_judge_reviewers_fix goes to ABORT." in out


def test_exploring_reports_ends_and_what_no_run_takes(run: Run, piece: Path) -> None:
    piece.write_text(FULL)
    code, out, _err = run("run", piece, "--explore")
    assert code == 0
    assert "1 of 2 rules are taken." in out
    assert "work:2 for a person" in out
    found = json.loads(run("run", piece, "--explore", "--interactive", "--format", "json").out)
    assert [rule["taken"] for rule in found["rules"]] == [True, True]
    assert {end["kind"] for end in found["ends"]} == {"complete", "abort_transition"}


def test_exploring_fails_where_runs_break(run: Run, piece: Path) -> None:
    rules = "    rules: [{condition: x, next: a}, {condition: y, next: a}]\n"
    piece.write_text(f"name: p\ninitial_movement: a\nmovements:\n  - name: a\n    instruction_template: do\n{rules}")
    code, out, _err = run("run", piece, "--explore")
    assert code == 1
    assert "Infinite loops\n  a" in out


@pytest.mark.parametrize(
    ("slip", "place"),
    [
        ('max_movements: "12"\n', "max_movements"),
        ("name: [p]\n", "name"),
    ],
)
def test_a_mistake_that_the_release_refuses_is_no_run(run: Run, piece: Path, slip: str, place: str) -> None:
    piece.write_text(f"{slip}{TWO}" if place not in TWO else TWO.replace("name: ", slip + "description: ", 1))
    code, out, err = run("run", piece, "--random", "1", "--runtime", "takt-0.27")
    assert (code, out) == (2, "")
    assert f"because of {place}" in err


def test_random_runs_print_their_seeds(run: Run, piece: Path) -> None:
    piece.write_text(TWO)
    out = run("run", piece, "--random", "3", "--seed", "5", "-q").out
    assert [line for line in out.splitlines() if line.startswith("Seed")] == ["Seed 5", "Seed 6", "Seed 7"]


def test_prompts_are_shown_and_no_file_outside_the_project_is_read(run: Run, piece: Path) -> None:
    piece.write_text(FULL.replace("../secret.md", "../../../secret.md"))
    out = run("run", piece, "--random", "1", "--prompts", "--task", "mend").out
    assert "You write code." in out
    assert "mend" in out
    assert "SECRET" not in out
    assert "../../../secret.md" in out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--format", "json"], "--format needs --explore"),
        (["--entry", "ghost", "--explore"], "unknown movement “ghost” for --entry"),
        (["--max-iterations", "0", "--random", "1"], "expected an integer ≥ 1"),
        (["--random", "0"], "expected an integer ≥ 1"),
        (["--runtime", "old", "--explore"], "invalid value 'old' for --runtime: choose from guide"),
        (["--script", "gone.yaml"], "gone.yaml"),
        (["--random", "2", "--trace", "t.jsonl"], "--trace needs a single run"),
        ([], "choose who answers"),
    ],
)
def test_wrong_command_lines(run: Run, piece: Path, options: list[str], said: str) -> None:
    piece.write_text(TWO)
    code, _out, err = run("run", piece, *options)
    assert code == 2
    assert said in err


def test_a_piece_that_the_runner_refuses_explains_why(run: Run, piece: Path) -> None:
    piece.write_text(TWO.replace("next: check", "next: ghost"))
    code, _out, err = run("run", piece, "--explore")
    assert code == 2
    assert f"{piece}: A rule of work goes to “ghost”, which doesn't exist." in err


def test_by_hand_rules_are_numbers_and_steps_are_taken_back(checkout: Path, piece: Path) -> None:
    piece.write_text(TWO)
    code, out = by_hand(checkout, piece, "mend it\n1\nb\n9\n1\n2\nplease\n1\n")
    assert code == 0, out
    assert "  1. done\n  2. stop\n" in out
    assert "the user answers: please" in out
    assert out.endswith("The piece is complete.\n")
    code, out = by_hand(checkout, piece, "t\nq\n")
    assert code == 1


def test_a_trace_is_written_and_replayed_and_reports_the_first_difference(
    run: Run, piece: Path, tmp_path: Path
) -> None:
    piece.write_text(TWO)
    script, trace = tmp_path / "s.yaml", tmp_path / "t.jsonl"
    script.write_text("answers: {check: [3, 1]}\n")
    assert run("run", piece, "--script", script, "-q", "--trace", trace).code == 0
    again = run("run", piece, "--replay", trace)
    assert again.code == 0
    assert again.out.endswith("The piece is complete.\n")
    piece.write_text(TWO.replace("next: COMPLETE", "next: work"))
    changed = run("run", piece, "--replay", trace)
    assert (changed.code, "The trace ends here, but the run doesn't." in changed.out) == (1, True)
    piece.write_text(TWO.replace("next: check", "next: ABORT"))
    parted = run("run", piece, "--replay", trace)
    assert (parted.code, "The run diverges from the trace at event" in parted.out) == (1, True)
    trace.write_text("{}\n")
    assert f"{trace}:1: This is not a trace of a piece" in run("run", piece, "--replay", trace).err


def test_in_japanese(run: Run, piece: Path) -> None:
    piece.write_text(TWO)
    assert "ピースは完了しました。" in run("run", piece, "--explore", "--lang", "ja").out


def test_scripts_beside_a_piece_are_its_tests(run: Run, piece: Path) -> None:
    piece.write_text(TWO)
    assert run("test", piece).code == 2
    folder = piece.parent / "flow_tests" / "piece"
    folder.mkdir(parents=True)
    (folder / "a.yaml").write_text("expect: {end: complete}\n")
    (folder / "b.json").write_text('{"answers": {"work": 2}, "expect": {"end": "abort_transition"}}')
    code, out, _err = run("test", piece)
    assert (code, out.splitlines()) == (
        0,
        [
            "passed  a.yaml: The piece is complete.",
            "passed  b.json: Aborted: a rule of work goes to ABORT.",
            "2 passed, movements 2/2 (100 %), rules 3/5 (60 %)",
        ],
    )
    (folder / "c.yaml").write_text("answers: {work: 2}\n")
    (folder / "d.yaml").write_text("era: takt-2026-02-07\nanswers: {work: null}\nexpect: {end: complete}\n")
    (folder / "e.yaml").write_text("answer: {}\n")
    code, out, _err = run("test", piece, "-q")
    assert code == 1
    assert "2 passed, 3 failed" in out
    assert "c.yaml:1: Aborted: a rule of work goes to ABORT." in out
    assert "d.yaml:3: expected as end: complete; it was judgment_failed" in out
    assert "e.yaml:1: Unknown key “answer”" in out
    assert run("test", piece, "--only", "a.yaml").code == 0


@pytest.mark.parametrize("option", ["--era", "--runtime"])
def test_a_release_is_a_runner(run: Run, piece: Path, option: str) -> None:
    piece.write_text(TWO)
    code, out, _err = run("run", piece, "--random", "1", option, "takt-0.27", "--prompts")
    assert code in {0, 1}  # how it ends is chance
    assert out
    code, _out, err = run("run", piece, "--random", "1", option, "takt-x")
    assert code == 2
    assert "takt-2026-08-23" in err


def test_the_runtime_of_the_settings_is_imitated_unless_another_is_given(run: Run, piece: Path) -> None:
    piece.write_text(TWO)
    (piece.parents[2] / "stepflow.toml").write_text('runtime = "takt-0.60"\n')
    assert "TAKT 0.60 refuses to load the file" in run("run", piece, "--random", "1").err
    assert run("run", piece, "--random", "1", "--runtime", "guide").code in {0, 1}


ORDERED = """\
name: p
steps:
  - name: both
    parallel:
      - {name: one, persona: a, rules: [{condition: ok}]}
      - {name: two, persona: a, rules: [{condition: ok}]}
    rules: [{condition: other, next: ABORT}, {condition: 'all("ok")', next: COMPLETE}]
"""


@pytest.mark.parametrize(
    ("shadow", "said"),
    [
        ("takt-0.49", "takt-0.49 takes the same path."),
        ("takt-0.53", "takt-0.53 differs at “both”, after 1 step: Aborted: a rule of both goes to ABORT. (here: "),
    ],
)
def test_another_release_runs_along(shadow: str, said: str, run: Run, tmp_path: Path) -> None:
    file = tmp_path / ".takt" / "workflows" / "p.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(ORDERED)
    ran = run("run", file, "--random", "1", "--runtime", "takt-0.52", "--shadow", shadow, "--quiet")
    assert ran.code == 0
    assert ran.out.splitlines()[1].startswith(said)
    refused = run("run", file, "--random", "1", "--shadow", "takt-0.20").err
    assert "TAKT 0.20.1 refuses to load the file" in refused
    assert run("run", file, "--explore", "--shadow", shadow).code == 2


def test_a_limit_and_a_person_are_of_the_shadow_too(run: Run, tmp_path: Path) -> None:
    file = tmp_path / ".takt" / "pieces" / "p.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(TWO.replace("max_iterations: 6", "max_iterations: 1"))
    script = tmp_path / "script.yaml"
    script.write_text("answers: {work: [1], check: [1]}\n")
    ran = run("run", file, "--script", script, "--runtime", "takt-0.12", "--shadow", "takt-0.11", "--quiet")
    assert "takt-0.11 differs at “work”, after 1 movement: Aborted" in ran.out
