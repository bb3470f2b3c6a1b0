"""`stepflow run --explain` and `--prompts`: what goes with the line of each answer."""

from pathlib import Path

from tests.cli.conftest import Run, Write


def test_answers_are_explained_and_prompts_printed(run: Run, write_agent: Write, tmp_path: Path) -> None:
    agent, script = write_agent(), tmp_path / "script.jsonl"
    script.write_text('{"intent": "next"}\n{"intent": "handoff"}\n{"intent": "closing"}\n', "utf-8")
    words = ("run", agent, "--script", script, "--arg", "issue=1")
    plain = run(*words)
    lines = run(*words, "--explain").out.splitlines()
    assert [line for line in lines if not line.startswith("    ")] == plain.out.splitlines()
    assert "    “next” was at next_action.action and is allowed." in lines
    prompts = run(*words, "--prompts").out
    assert prompts.count("--- initial.issue\n") == 1
    assert prompts.index("--- initial.issue\n") < prompts.index("1. initial.issue – next")
    assert run("run", agent, "--explore", "--explain").code == 2
