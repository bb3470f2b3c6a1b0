"""Reads the folder of a verbose climpt run: `index.jsonl` and the files beside it, with whole texts and prompts."""

import json
from pathlib import Path, PureWindowsPath
from typing import Any

from stepflow_gui.run.logs.climpt_log import ClimptLogReader
from stepflow_gui.run.logs.lines import LONGEST, LogLine
from stepflow_gui.run.logs.logged_run import EraGuess, LoggedRun, LoggedTurn
from stepflow_gui.run.machine.answer_text import answer_in
from stepflow_gui.text.files.regular_file import read_bytes

INDEX = "index.jsonl"
_START = "verbose-"  # how the name of such a folder begins
_MOST = 100_000_000  # bytes of the files beside the index


class VerboseLogReader(ClimptLogReader):
    """Takes the lines of an index. Those of the folder's files that have an answer are read with them."""

    cut_at = LONGEST  # the texts are whole

    def __init__(self, file: Path) -> None:
        super().__init__(file)
        self._folder = file.parent
        self._left = _MOST

    def take(self, line: LogLine) -> None:
        """Take the next line: it is what a line of the run's own log would be, but whole."""
        entry = line.value
        kind, iteration, step = entry.get("type"), entry.get("iteration"), entry.get("stepId")
        if kind == "iteration_start":
            found = self._content(entry)
            iteration, step = found.get("iteration", iteration), found.get("stepId", step)
            if isinstance(iteration, int) and not isinstance(iteration, bool):
                self._say(line, f"=== Iteration {iteration} ===")
            if isinstance(iteration, int) and isinstance(step, str):
                self._turn(line).name(step)
        elif kind == "sdk_result":
            found = self._content(entry)
            texts = _texts(found.get("assistantResponses"))
            for text in texts:
                self._say(line, "Assistant response", {"content": text})
            if found.get("structuredOutput") is None and texts:  # the runner looks into the text then
                found["structuredOutput"] = answer_in(texts[-1])
            self._say(line, "SDK result", found)
            for error in _texts(found.get("errors")):
                self._say(line, "Query execution failed", {"error": error})
        elif kind == "prompt" and self._open is not None:
            self._turn(line).values["prompt"] = self._beside(entry)
        elif isinstance(entry.get("timestamp"), str):
            self._say(line, "")

    def _say(self, line: LogLine, message: str, data: dict[str, Any] | None = None) -> None:
        value = {"timestamp": line.value.get("timestamp"), "message": message, "metadata": data or {}}
        super().take(LogLine(line.number, value))

    def _era(self) -> EraGuess:
        return EraGuess(None)  # all versions write the same

    def run(self, lines: int, skipped: int, *, is_cut: bool) -> LoggedRun:
        """The run as far as it was read."""
        return super().run(lines, skipped, is_cut=is_cut)._replace(verbose_index=self._file)

    def _beside(self, entry: dict[str, Any]) -> Path | None:
        """The file of an entry, which lies beside the index and nowhere else."""
        name = entry.get("filename")
        is_plain = isinstance(name, str) and name not in {"", ".", ".."} and not set(name) & set("/\\:\0")
        path = self._folder / name if is_plain and isinstance(name, str) else None
        return path if path is not None and not path.is_symlink() else None

    def _content(self, entry: dict[str, Any]) -> dict[str, Any]:
        """What the file of an entry holds; nothing where it can't be read."""
        path = self._beside(entry)
        if path is None:
            return {}
        try:
            raw = read_bytes(path, min(LONGEST, self._left))
            self._left -= len(raw)
            found = json.loads(raw)
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}


def verbose_index(log: Path, named: str) -> Path | None:
    """The index of the verbose folder that a log names, where the folder still lies beside the log, no link to one."""
    name = PureWindowsPath(named).name  # takes both kinds of slashes
    index = log.parent / name / INDEX
    is_link = index.is_symlink() or index.parent.is_symlink()
    return index if name.startswith(_START) and index.is_file() and not is_link else None


def with_whole_texts(run: LoggedRun, verbose: LoggedRun) -> LoggedRun:
    """A run with the texts, prompts and answers that its log cuts off or lacks."""
    whole: dict[tuple[int, str | None], list[LoggedTurn]] = {}
    for turn in verbose.turns:
        for key in {(turn.iteration, turn.step), (turn.iteration, None)}:
            whole.setdefault(key, []).append(turn)
    turns = []
    for turn in run.turns:
        found = whole.get((turn.iteration, turn.step)) or whole.get((turn.iteration, None)) or []
        turns.append(_filled(turn, found.pop(0)) if found else turn)
    return run._replace(turns=tuple(turns), verbose_index=verbose.file)


def _filled(turn: LoggedTurn, whole: LoggedTurn) -> LoggedTurn:
    if whole.step is not None and turn.step is not None and whole.step != turn.step:
        return turn
    recovered = next((note for note in turn.notes if note.kind == "recovered"), None)
    if not turn.has_answer and whole.has_answer and recovered is not None:
        turn = turn._replace(answer=whole.answer, answer_line=recovered.line)
    if whole.texts:
        turn = turn._replace(texts=whole.texts, texts_mark="seen")
    return turn._replace(step=turn.step or whole.step, prompt=whole.prompt)


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
