"""Reads a climpt log: what each line means, by its message (the releases of 2026-01-09 to 2026-04-20)."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar, TypeGuard

from stepflow_gui.run.logs.lines import LogLine
from stepflow_gui.run.logs.logged_run import (
    EraGuess,
    LogEnd,
    LoggedCheck,
    LoggedRun,
    LoggedTurn,
    LogNote,
    NoteKind,
)

_CHECKS, _SIGNALS, _MARCH = "climpt-2026-01-09", "climpt-2026-01-18", "climpt-2026-03-14"
_APRIL_1, _APRIL_8, _NEWEST = "climpt-2026-04-01", "climpt-2026-04-08", "climpt-2026-04-20"

Data = Mapping[str, Any]
_Meaning = Callable[["ClimptLogReader", LogLine, Data, str], None]  # with what follows the words that it is known by


class ClimptLogReader:
    """Takes the lines of a log in their order; `run` is what they show so far."""

    cut_at = 200  # characters of a model's text that the log keeps

    def __init__(self, file: Path) -> None:
        self._file = file
        self._turns: list[LoggedTurn] = []
        self._open: _OpenTurn | None = None
        self._end: LogEnd | None = None
        self._limit: LogEnd | None = None  # a warning that is an end only if nothing follows
        self._name: str | None = None
        self._times: tuple[str | None, str | None] = (None, None)
        self._verbose: str | None = None
        self._has: set[str] = set()  # what tells the releases apart

    def take(self, line: LogLine) -> None:
        """Take the next line. A message that isn't known means nothing."""
        value = line.value
        message = value.get("message", value.get("msg"))
        if not isinstance(message, str):
            return
        time = value.get("timestamp")
        if isinstance(time, str):
            self._times = (self._times[0] or time, time)
        data = value.get("metadata")
        if not isinstance(data, dict):
            data = value.get("data")
            if isinstance(data, dict):
                self._has.add("data")
            else:
                data = value if "msg" in value else {}
        elif "metadata" not in self._has:
            self._has.add("metadata")
        meaning, rest = self._EXACT.get(message), ""
        if meaning is None:
            found = self._MESSAGES.match(message)
            if found is None or found.lastgroup is None:
                return
            meaning, rest = self._MEANINGS[found.lastgroup], message[found.end() :]
        if isinstance(meaning, str):
            self._turn(line).notes.append(LogNote(meaning, line.number, message))
        else:
            meaning(self, line, data, rest)

    def run(self, lines: int, skipped: int, *, is_cut: bool) -> LoggedRun:
        """The run as far as it was read."""
        turns = [*self._turns, *([self._open.turn(None)] if self._open else [])]
        end = self._end or self._limit or LogEnd("unfinished")
        return LoggedRun(
            self._file,
            "climpt",
            self._era(),
            tuple(turns),
            end,
            self._name,
            None,
            *self._times,
            lines,
            skipped,
            is_cut,
            self._verbose,
        )

    def _era(self) -> EraGuess:
        has = self._has
        if "checks" in has:
            return EraGuess(_CHECKS)
        if "signalCompletion" in has or ("data" in has and "metadata" not in has):
            return EraGuess(_SIGNALS)
        if "preflight" in has or "subprocess" in has:
            return EraGuess(_NEWEST)
        if "loop" in has:
            return EraGuess(_APRIL_8, (_APRIL_1,) if "closure loop" not in has else ())
        return EraGuess(_MARCH if "metadata" in has else None)

    # What lines mean

    def _started(self, _line: LogLine, _data: Data, rest: str) -> None:
        self._name = self._name or rest

    def _iteration(self, line: LogLine, _data: Data, rest: str) -> None:
        number = re.match(r"\d{1,9}", rest)
        self._begin(line, int(number[0]) if number else len(self._turns) + 1)

    def _check_step(self, line: LogLine, _data: Data, rest: str) -> None:
        self._has.add("checks")
        found = _NAMED_STEP.search(rest)
        if found is None:
            return
        self._arrive(found["step"], line)
        self._begin(line, int(found["iteration"]))
        self._turn(line).name(found["step"])

    def _entered(self, line: LogLine, data: Data, _rest: str) -> None:
        self._has.add("loop")
        step, iteration = data.get("stepId"), data.get("iteration")
        if not isinstance(step, str):
            return
        if self._open is not None and self._open.has_begun:
            self._begin(line, iteration if isinstance(iteration, int) else self._open.values["iteration"] + 1)
        self._arrive(step, line)
        self._turn(line, iteration).name(step)

    def _schema_used(self, line: LogLine, _data: Data, rest: str) -> None:
        self._turn(line).name(rest.strip(), sure=False)

    def _answer(self, line: LogLine, data: Data, _rest: str) -> None:
        turn = self._turn(line)
        if data.get("structuredOutput") is not None:
            turn.values |= {"answer": data["structuredOutput"], "answer_line": line.number}
        cost, model_turns, took = data.get("totalCostUsd"), data.get("numTurns"), data.get("durationMs")
        if _is_number(cost):
            turn.values["cost"] = turn.values.get("cost", 0.0) + cost
        if _is_number(model_turns):
            turn.values["model_turns"] = turn.values.get("model_turns", 0) + int(model_turns)
        if _is_number(took):
            turn.values["seconds"] = turn.values.get("seconds", 0.0) + took / 1000

    def _text(self, line: LogLine, data: Data, _rest: str) -> None:
        content = data.get("content")
        if isinstance(content, str):
            turn = self._turn(line)
            turn.texts.append(content)
            if len(content) >= self.cut_at:
                turn.values["texts_mark"] = "cut"

    def _intent(self, line: LogLine, data: Data, rest: str) -> None:
        turn = self._turn(line)
        turn.values |= {"intent": rest.strip(), "intent_line": line.number}
        turn.values["used_fallback"] = data.get("usedFallback") is True
        if isinstance(data.get("stepId"), str):
            turn.name(data["stepId"], sure=False)
        if isinstance(data.get("target"), str):
            turn.target = data["target"]

    def _substituted(self, line: LogLine, _data: Data, _rest: str) -> None:
        self._turn(line).values["substituted"] = True

    def _routed(self, line: LogLine, data: Data, rest: str) -> None:
        source, arrow, target = rest.partition(" -> ")
        turn = self._turn(line)
        if "signalCompletion" in data:
            self._has.add("signalCompletion")
        turn.name(source.strip(), sure=False)
        closes = data.get("signalClosing") is True or data.get("signalCompletion") is True
        turn.values |= {"to": target.strip() if arrow else None, "to_line": line.number, "closes": closes}
        if isinstance(data.get("intent"), str):
            turn.values.setdefault("intent", data["intent"])
            turn.values.setdefault("intent_line", line.number)

    def _signal(self, line: LogLine, data: Data, rest: str) -> None:
        """The closure loop: what the closure step answered."""
        self._has.add("closure loop")
        turn = self._turn(line)
        turn.values |= {"intent": rest.strip(), "intent_line": line.number, "closes": rest.strip() == "closing"}
        if isinstance(data.get("stepId"), str):
            turn.name(data["stepId"], sure=False)

    def _closure(self, line: LogLine, data: Data, _rest: str) -> None:
        self._has.add("closure loop")
        if isinstance(data.get("stepId"), str):
            self._turn(line).name(data["stepId"], sure=False)

    def _preflight(self, _line: LogLine, _data: Data, _rest: str) -> None:
        self._has.add("preflight")

    def _checks_passed(self, line: LogLine, _data: Data, _rest: str) -> None:
        self._turn(line).checks.append(LoggedCheck(passed=True, line=line.number))

    def _checks_failed(self, line: LogLine, _data: Data, rest: str) -> None:
        pattern = rest.strip() or None
        self._turn(line).checks.append(LoggedCheck(passed=False, line=line.number, pattern=pattern))

    def _program(self, line: LogLine, data: Data, rest: str) -> None:
        self._has.add("subprocess")
        code = data.get("exitCode", data.get("code"))
        if rest.startswith("Exit 0"):
            self._turn(line).values["program"] = 0
        elif rest.startswith(("Non-zero", "Timeout")):
            self._turn(line).values["program"] = code if isinstance(code, int) and not isinstance(code, bool) else 1

    def _program_began(self, line: LogLine, data: Data, _rest: str) -> None:
        self._has.add("subprocess")
        self._closure(line, data, "")

    def _verbose_folder(self, _line: LogLine, data: Data, _rest: str) -> None:
        path = data.get("logPath")
        self._verbose = path if isinstance(path, str) else None

    def _moved(self, line: LogLine, _data: Data, rest: str) -> None:
        """Flows with checks: a fallback, or another try."""
        words = (rest.partition(" to ")[2] or rest).split()
        if self._open is not None and words:
            self._open.values |= {"to": words[0], "to_line": line.number}

    def _completed(self, line: LogLine, _data: Data, rest: str) -> None:
        self._end = LogEnd("finished", rest.strip(), None, line.number)

    def _reached_limit(self, line: LogLine, _data: Data, _rest: str) -> None:
        if line.value.get("level") in {"warn", "error"} or "checks" in self._has:
            self._limit = LogEnd("limit", _message(line), None, line.number)

    def _failed(self, line: LogLine, data: Data, _rest: str) -> None:
        text, code = data.get("error"), data.get("code")
        self._end = LogEnd("failed", str(text) if text else "", code if isinstance(code, str) else None, line.number)

    # Turns

    def _begin(self, line: LogLine, iteration: int) -> None:
        self._close(line)
        self._open = _OpenTurn(len(self._turns) + 1, line, iteration)

    def _close(self, line: LogLine) -> None:
        if self._open is not None:
            self._turns.append(self._open.turn(line))
            self._open = None

    def _turn(self, line: LogLine, iteration: object = None) -> "_OpenTurn":
        if self._open is None:
            known = iteration if isinstance(iteration, int) else len(self._turns) + 1
            self._open = _OpenTurn(len(self._turns) + 1, line, known)
        return self._open

    def _arrive(self, step: str, line: LogLine) -> None:
        """The step that is entered is where the last turn led, where its own lines don't name it."""
        if self._turns and self._turns[-1].to is None and not self._turns[-1].closes:
            self._turns[-1] = self._turns[-1]._replace(to=step, to_line=line.number)

    _EXACT: ClassVar[Mapping[str, "_Meaning | NoteKind"]] = {
        "SDK result": _answer,
        "Assistant response": _text,
        "[FlowLoop] Enter": _entered,
        "All validation conditions passed": _checks_passed,
        "All completion conditions passed": _checks_passed,
        "Step flow completed successfully": _completed,
        "Agent completed": _completed,
        "Agent failed": _failed,
        "Step flow failed": _failed,
        "Query execution failed": "query",
    }
    _STARTS: ClassVar[tuple[tuple[str, "_Meaning | NoteKind"], ...]] = (
        (r"Starting (?:agent|step flow): ", _started),
        (r"=== Iteration ", _iteration),
        (r"=== Step: ", _check_step),
        (r"\[StructuredOutput\] Using schema for step: ", _schema_used),
        (r"\[StructuredOutput\] Recovered ", "recovered"),
        (r"\[StructuredOutput\] No structured output ", "no answer"),
        (r"\[StructuredOutput\] Aborting iteration", "schema"),
        (r"\[StepFlow\] stepId (?:corrected|mismatch)", "wrong id"),
        (r"\[StepFlow\] Interpreted intent: ", _intent),
        (r"\[StepFlow\] Prefix substitution: ", _substituted),
        (r"\[StepFlow\] Routing decision: ", _routed),
        (r"\[StepFlow\] No intent produced", "no intent"),
        (r"\[CompletionLoop\] Closure step structured signal: ", _signal),
        (r"\[CompletionLoop\] Subprocess runner enter", _program_began),
        (r"\[CompletionLoop\] (?:Validation (?:abort|skip)|Router signaled|Handler verdict): ", "other"),
        (r"\[CompletionLoop\] (?:Iteration enter|Enter)", _closure),
        (r"\[SubprocessRunner\] ", _program),
        (r"Pre-flight state validation for step: ", _preflight),
        (r"(?:Validation|Completion validation) failed: pattern=", _checks_failed),
        (r"(?:Rate limit hit|Waiting \d+ms for rate limit)", "retry"),
        (r"\[Verbose\] Verbose logging enabled", _verbose_folder),
        (r"(?:Falling back from \S+|Retrying step)", _moved),
        (r"Agent completed after ", _completed),
        (r".*(?:\b[Mm]ax(?:imum)? (?:iterations|retries)\b|AGENT_MAX_ITERATIONS)", _reached_limit),
    )
    _MESSAGES = re.compile("|".join(f"(?P<m{at}>{row[0]})" for at, row in enumerate(_STARTS)))
    _MEANINGS: ClassVar[Mapping[str, "_Meaning | NoteKind"]] = {f"m{at}": row[1] for at, row in enumerate(_STARTS)}


class _OpenTurn:
    """A turn whose end wasn't read yet."""

    def __init__(self, number: int, line: LogLine, iteration: int) -> None:
        self.values: dict[str, Any] = {"number": number, "line": line.number, "iteration": iteration}
        self.texts: list[str] = []
        self.checks: list[LoggedCheck] = []
        self.notes: list[LogNote] = []
        self.target: str | None = None
        self._began = line.value.get("timestamp")

    @property
    def has_begun(self) -> bool:
        """Whether its step is known, or was answered: a line that enters a step begins another turn."""
        return not self.values.keys().isdisjoint(("step", "answer", "intent", "to"))

    def name(self, step: str, *, sure: bool = True) -> None:
        """The turn's step; `sure`: the line is about nothing else."""
        if step and (sure or "step" not in self.values):
            self.values["step"] = step

    def turn(self, end: LogLine | None) -> LoggedTurn:
        """The turn; `end` is the line with which the next one begins."""
        values = dict(self.values)
        if "step" not in values:
            values["step"] = None
        if "to" not in values and self.target is not None:
            values["to"] = self.target
        began = self._began if isinstance(self._began, str) else None
        if "seconds" not in values and end is not None:
            values["seconds"] = seconds_between(began, end.value.get("timestamp"))
        return LoggedTurn(
            **values, texts=tuple(self.texts), checks=tuple(self.checks), notes=tuple(self.notes), began=began
        )


def seconds_between(began: object, ended: object) -> float | None:
    """Seconds from one ISO 8601 time to another; None where one of them isn't a time."""
    try:
        return (datetime.fromisoformat(str(ended)) - datetime.fromisoformat(str(began))).total_seconds()
    except (ValueError, TypeError):  # not a time, or one with and one without a zone
        return None


def _message(line: LogLine) -> str:
    return str(line.value.get("message", line.value.get("msg", "")))


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGEST


_LARGEST = 1e15  # of a number that means something
_NAMED_STEP = re.compile(r"\((?P<step>[^()]+)\) - Iteration (?P<iteration>\d{1,9}) ===")
