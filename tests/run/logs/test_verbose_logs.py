"""The folder of a verbose climpt run: opened by itself, and whole texts in place of what a log cuts off or lacks."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.run.javascript.values import ABSENT
from stepflow_gui.run.logs.listing import log_at
from stepflow_gui.run.logs.log_text import not_read_of
from stepflow_gui.run.logs.logged_run import LoggedRun
from stepflow_gui.run.logs.opening import read_log
from stepflow_gui.run.logs.verbose_log import verbose_index
from tests.run.logs.test_climpt_messages import line

ANSWER = {"stepId": "initial.a", "next_action": {"action": "next"}}
TIME = "2026-04-20T10:00:00.000Z"
FOLDER = "verbose-demo-2026-04-20T10-00-00-000Z"


class Verbose:
    """Writes such a folder entry by entry."""

    def __init__(self, beside: Path) -> None:
        self.folder = beside / FOLDER
        self.folder.mkdir()
        self._count = 0

    def add(self, kind: str, content: Any = None, *, name: str | None = None, **more: Any) -> None:
        self._count += 1
        ending = "md" if isinstance(content, str) else "json"
        file = f"{self._count:03}_{kind}.{ending}"
        (self.folder / file).write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
        entry = {"seq": self._count, "timestamp": TIME, "type": kind, "filename": name or file, **more}
        with (self.folder / "index.jsonl").open("a", encoding="utf-8") as index:
            index.write(json.dumps(entry) + "\n")

    def turn(self, iteration: int, step: str, answer: object, *texts: str) -> None:
        self.add("iteration_start", {"iteration": iteration, "stepId": step, "timestamp": TIME}, iteration=iteration)
        self.add("prompt", f"Do {step}", iteration=iteration, stepId=step)
        self.add("sdk_message", {"type": "assistant"}, iteration=iteration)
        result = {"sessionId": "s", "structuredOutput": answer, "assistantResponses": list(texts), "errors": []}
        self.add("sdk_result", {**result, "totalCostUsd": 0.5, "numTurns": 3, "durationMs": 2500}, iteration=iteration)


@pytest.fixture
def verbose(tmp_path: Path) -> Verbose:
    return Verbose(tmp_path)


def read(path: Path) -> LoggedRun:
    run = read_log(path)
    assert isinstance(run, LoggedRun), run
    return run


def test_a_verbose_folder_by_itself(verbose: Verbose) -> None:
    long = "x" * 5_000
    verbose.add("iteration_start", {"message": "Verbose logging started"})
    verbose.turn(1, "initial.a", ANSWER, long)
    verbose.turn(2, "closure.a", None, f"Done.\n```json\n{json.dumps(ANSWER)}\n```")
    verbose.turn(3, "closure.a", None, "I don't know.")
    verbose.add("iteration_end", {"message": "Verbose logging ended"})
    index = log_at(verbose.folder)
    assert index == verbose.folder / "index.jsonl"
    run = read(index)
    first, second, third = run.turns
    assert (run.kind, run.era.name, run.end.kind, run.began) == ("climpt", None, "unfinished", TIME)
    assert (first.iteration, first.step, first.answer, first.line) == (1, "initial.a", ANSWER, 2)
    assert (first.texts, first.texts_mark) == ((long,), "seen")
    assert (first.cost, first.seconds, first.model_turns) == (0.5, 2.5, 3)
    assert first.prompt is not None
    assert first.prompt.read_text("utf-8") == "Do initial.a"
    assert (second.iteration, second.answer) == (2, ANSWER)  # read out of the text, as the runner does it
    assert third.answer is ABSENT
    assert not_read_of(run) == ""


def log_of(folder: Path, *lines: str) -> Path:
    file = folder / "demo-2026-04-20T10-00-00-000Z.jsonl"
    enabled = line("[Verbose] Verbose logging enabled", {"logPath": f"/elsewhere/logs/{FOLDER}"})
    file.write_text("".join((line("Starting agent: Demo"), enabled, *lines)), "utf-8")
    return file


def test_a_log_has_the_whole_texts_of_the_folder_that_it_names(verbose: Verbose, tmp_path: Path) -> None:
    whole = "y" * 1_000
    verbose.turn(1, "initial.a", None, whole, json.dumps(ANSWER))
    verbose.turn(2, "initial.a", None, json.dumps(ANSWER))
    recovered = '[StructuredOutput] Recovered structured output from assistant text response for step: "initial.a"'
    file = log_of(
        tmp_path,
        line("[FlowLoop] Enter", {"iteration": 1, "stepId": "initial.a"}),
        line("Assistant response", {"content": whole[:200]}),
        line("SDK result", {"structuredOutput": None, "totalCostUsd": 0.5}),
        line(recovered),
        line("[FlowLoop] Enter", {"iteration": 2, "stepId": "initial.a"}),
        line("SDK result", {"structuredOutput": None}),
    )
    run = read(file)
    first, second = run.turns
    assert (first.texts, first.texts_mark) == ((whole, json.dumps(ANSWER)), "seen")
    assert (first.answer, first.answer_line, first.cost) == (ANSWER, 6, 0.5)
    assert second.answer is ABSENT  # the runner made nothing of the text: no line says so
    assert second.prompt is not None
    assert (run.era.name, run.verbose_index) == ("climpt-2026-04-08", verbose.folder / "index.jsonl")


def test_a_folder_that_is_gone_is_reported(tmp_path: Path) -> None:
    run = read(log_of(tmp_path, line("[FlowLoop] Enter", {"iteration": 1, "stepId": "initial.a"})))
    assert run.verbose_index is None
    assert FOLDER in not_read_of(run)


@pytest.mark.parametrize("name", ["../secret.json", "/etc/hostname", "..\\secret.json", "sub/x.json", "..", "C:x.json"])
def test_nothing_outside_the_folder_is_read(name: str, verbose: Verbose, tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text(json.dumps({"structuredOutput": ANSWER}), "utf-8")
    verbose.add("iteration_start", {"iteration": 1, "stepId": "initial.a"})
    verbose.add("prompt", "Do it", name=name)
    verbose.add("sdk_result", {}, name=name)
    (turn,) = read(verbose.folder / "index.jsonl").turns
    assert (turn.answer, turn.prompt) == (ABSENT, None)


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_no_link_of_the_folder_is_followed(verbose: Verbose, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text('{"assistantResponses": ["hunter2"]}', "utf-8")
    verbose.turn(1, "initial.a", ANSWER, "whole")
    for file in verbose.folder.glob("*_*"):
        file.unlink()
        file.symlink_to(secret)
    run = read(verbose.folder / "index.jsonl")
    assert "hunter2" not in str(run)
    assert [turn.prompt for turn in run.turns] in ([], [None])


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_link_in_the_place_of_the_folder_is_none(verbose: Verbose, tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / FOLDER).symlink_to(verbose.folder)
    verbose.turn(1, "initial.a", ANSWER, "whole")
    assert verbose_index(tmp_path / "run.jsonl", FOLDER) is not None
    assert verbose_index(tmp_path / "logs" / "run.jsonl", FOLDER) is None


@pytest.mark.parametrize(
    "content", [b"\xff\xfe", b"[" * 50_000, b"[]", b'"x"', b"", b'{"assistantResponses": 7, "errors": {}}']
)
def test_files_that_are_no_results_mean_nothing(content: bytes, verbose: Verbose) -> None:
    verbose.add("iteration_start", {"iteration": "x", "stepId": 7})
    verbose.turn(1, "initial.a", None)
    (verbose.folder / "004_sdk_message.json").write_bytes(content)
    (verbose.folder / "005_sdk_result.json").write_bytes(content)
    (turn,) = read(verbose.folder / "index.jsonl").turns
    assert (turn.step, turn.answer, turn.texts) == ("initial.a", ABSENT, ())
