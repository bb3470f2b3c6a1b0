"""A script as a file: its answers, where and how the run starts, and what is expected of it.

JSON Lines hold a line of the script each; the first may be an object with the settings below. JSON and YAML hold a list
of lines, or an object: `answers` (the list), `steps` and `validators` (tables from a step's or validator's name to what
its result at each visit), the settings `title`, `entry`, `args`, `inputText`, `era`, `maxIterations`, and `expect`:
`{path: […], end: {kind, step, error}, success: true}`.
"""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.eras import ERAS
from stepflow_gui.messages import _, ngettext
from stepflow_gui.run.machine.closure_checks import validators_of
from stepflow_gui.run.responders.script import (
    ENDLESS,
    LINE_KEYS,
    ScriptAnswer,
    ScriptCheck,
    ScriptLine,
    ScriptProblem,
    ScriptValidated,
    read_lines,
)
from stepflow_gui.run.scripts.script_text import ScriptText, read_script_text
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

END_KINDS = ("closing", "complete", "null", "verdict", "abort", "limit", "validation", "check", "unchecked")
_TABLES = {"steps": "step", "validators": "validator"}
_TEXTS = ("title", "entry", "inputText", "era")
_KEYS = ("answers", *_TABLES, *_TEXTS, "args", "maxIterations", "expect")
_EXPECT_KEYS = ("path", "end", "success")
_END_KEYS = ("kind", "step", "error")
_OF_STEPS = (ScriptAnswer, ScriptCheck)


class Expectation(NamedTuple):
    """What a run is to do; None: anything. `path`: the steps in the order in which they are asked."""

    line: int = 1
    path: tuple[str, ...] | None = None
    kind: str | None = None  # of the end, one of END_KINDS
    step: str | None = None  # at which it ends
    error: str | None = None  # kind or code of what stops the run; it has no end then
    success: bool | None = None


class Script(NamedTuple):
    """A script with its settings; `expected` None: nothing given, so a good end is expected."""

    lines: tuple[ScriptLine, ...]
    title: str | None = None
    entry: str | None = None
    args: Mapping[str, JsonValue] = {}
    input_text: str | None = None
    era: str | None = None
    max_iterations: int | None = None
    expected: Expectation | None = None


def read_script_file(text: str, name: str = "") -> Script | ScriptProblem:
    """Read a script; the form is detected by the file extension, else by its content. The first error is reported."""
    found = read_script_text(text, name)
    if isinstance(found, ScriptProblem):
        return found
    value = found.value
    if isinstance(value, dict):
        return _document(found, value, "", _tables(found, value))
    if not isinstance(value, list):
        return ScriptProblem(1, _("The script has no answers: expected a list of answers or an object."))
    first = value[0] if value else None
    if isinstance(first, dict) and not LINE_KEYS & first.keys() and first.keys() & set(_KEYS):
        return _document(found, first, "/0", _numbered(found, "", value, 1))
    lines = read_lines(_numbered(found, "", value))
    return lines if isinstance(lines, ScriptProblem) else Script(lines)


def misfits(script: Script, flow: Flow) -> list[ScriptProblem]:
    """Lines that speak of a step or validator which the registry doesn't have."""
    validators = validators_of(flow)
    names = {"step": list(flow.steps), "validator": list(validators) if isinstance(validators, dict) else []}
    found = []
    for line in script.lines:
        step = None if not isinstance(line, _OF_STEPS) and line.validator else getattr(line, "step", None)
        validator = None if isinstance(line, _OF_STEPS) else line.validator
        if step is not None and step not in names["step"]:
            text = _("Line {line} of the script names “{name}”, which is not a step of the registry.")
            found.append(_misfit(line.line, text, step, names["step"]))
        if validator is not None and validator not in names["validator"]:
            text = _("Line {line} of the script names “{name}”, which is not a validator of the registry.")
            found.append(_misfit(line.line, text, validator, names["validator"]))
    return found


def not_needed(unused: Sequence[ScriptLine]) -> list[ScriptProblem]:
    """The problems of lines that a run didn't use; none for those that wait for any number of visits."""
    found: list[ScriptProblem] = []
    rest: list[int] = []
    for line in unused:
        if line.turn.times >= ENDLESS or (line.turn.visits is not None and line.turn.visits[1] >= ENDLESS):
            continue
        validator = None if isinstance(line, _OF_STEPS) else line.validator
        step = None if isinstance(line, ScriptValidated) else line.step
        if validator is not None:
            text = _("Line {line} of the script is about the validator “{name}”, which didn't run then.")
            found.append(ScriptProblem(line.line, text.format(line=line.line, name=validator)))
        elif line.turn.visits is not None:
            text = _("Line {line} of the script waits for visit {visit} of {step}, which didn't come.")
            message = text.format(line=line.line, visit=line.turn.visits[0], step=step)
            found.append(ScriptProblem(line.line, message))
        else:
            rest.append(line.line)
    if rest:
        text = ngettext(
            "{count} line of the script was not needed, line {line}.",
            "{count} lines of the script were not needed, the first is line {line}.",
            len(rest),
        )
        found.append(ScriptProblem(rest[0], text.format(count=len(rest), line=rest[0])))
    return sorted(found)


def _misfit(line: int, text: str, name: str, known: list[str]) -> ScriptProblem:
    message = text.format(line=line, name=name)
    meant = get_close_matches(name, known, n=1, cutoff=0.6)
    return ScriptProblem(line, f"{message} {_('Did you mean “{name}”?').format(name=meant[0])}" if meant else message)


def _numbered(
    text: ScriptText, pointer: str, values: Sequence[JsonValue], start: int = 0
) -> list[tuple[int, JsonValue]]:
    return [(text.line_of(f"{pointer}/{index}"), value) for index, value in enumerate(values[start:], start)]


def _tables(text: ScriptText, value: Mapping[str, JsonValue]) -> list[tuple[int, JsonValue]] | ScriptProblem:
    """All lines of a document: its list, and its tables with each entry as the visits that it is for."""
    answers = value.get("answers", [])
    if not isinstance(answers, list):
        return _wrong(text, "/answers", "answers")
    found = _numbered(text, "/answers", answers)
    for key, of in _TABLES.items():
        table = value.get(key, {})
        if not isinstance(table, dict):
            return _wrong(text, f"/{key}", key)
        for name, entries in table.items():
            pointer = join(f"/{key}", name)
            if not isinstance(entries, list):
                return _wrong(text, pointer, name)
            found += _by_visit(_numbered(text, pointer, entries), of, name)
    return found


def _by_visit(entries: list[tuple[int, JsonValue]], of: str, name: str) -> Iterator[tuple[int, JsonValue]]:
    visit = 1
    for line, entry in entries:
        if not isinstance(entry, dict) or "visit" in entry:
            yield line, {**entry, of: name} if isinstance(entry, dict) else entry
            continue
        times = entry.get("times", 1)
        rest = {key: value for key, value in entry.items() if key != "times"}
        if times == "any":
            yield line, {**rest, of: name, "visit": f">={visit}"}
        elif isinstance(times, int) and not isinstance(times, bool) and times >= 1:
            yield line, {**rest, of: name, "visit": f"{visit}-{visit + times - 1}"}
            visit += times
        else:
            yield line, {**entry, of: name}  # whose times are refused


def _document(
    text: ScriptText,
    value: Mapping[str, JsonValue],
    pointer: str,
    values: list[tuple[int, JsonValue]] | ScriptProblem,
) -> Script | ScriptProblem:
    if isinstance(values, ScriptProblem):
        return values
    unknown = next((key for key in value if key not in _KEYS), None)
    if unknown is not None:
        return _unknown(text, join(pointer, unknown), unknown, _KEYS)
    lines = read_lines(values)
    if isinstance(lines, ScriptProblem):
        return lines
    wrong = next((key for key in _TEXTS if key in value and not isinstance(value[key], str)), None)
    args, limit = value.get("args", {}), value.get("maxIterations")
    if wrong is None and not isinstance(args, dict):
        wrong = "args"
    if wrong is None and limit is not None and not _counts(limit):
        wrong = "maxIterations"
    if wrong is not None:
        return _wrong(text, join(pointer, wrong), wrong)
    era = value.get("era")
    if era is not None and era not in ERAS:
        return _choice(text, join(pointer, "era"), "era", era, tuple(ERAS))
    expected = _expected(text, value["expect"], join(pointer, "expect")) if "expect" in value else None
    if isinstance(expected, ScriptProblem):
        return expected
    given = {key: item for key, item in value.items() if isinstance(item, str)}
    return Script(
        lines,
        given.get("title"),
        given.get("entry"),
        args if isinstance(args, dict) else {},
        given.get("inputText"),
        given.get("era"),
        limit if isinstance(limit, int) else None,
        expected,
    )


def _expected(text: ScriptText, value: JsonValue, pointer: str) -> Expectation | ScriptProblem:
    if not isinstance(value, dict):
        return _wrong(text, pointer, "expect")
    unknown = next((key for key in value if key not in _EXPECT_KEYS), None)
    if unknown is not None:
        return _unknown(text, join(pointer, unknown), unknown, _EXPECT_KEYS)
    path, success, end = value.get("path"), value.get("success"), value.get("end", {})
    if path is not None and not (isinstance(path, list) and all(isinstance(step, str) for step in path)):
        return _wrong(text, join(pointer, "path"), "path")
    if success is not None and not isinstance(success, bool):
        return _wrong(text, join(pointer, "success"), "success")
    if isinstance(end, str):
        end = {"kind": end}
    at = join(pointer, "end")
    if not isinstance(end, dict) or not all(isinstance(item, str) for item in end.values()):
        return _wrong(text, at, "end")
    unknown = next((key for key in end if key not in _END_KEYS), None)
    if unknown is not None:
        return _unknown(text, join(at, unknown), unknown, _END_KEYS)
    texts = {key: item for key, item in end.items() if isinstance(item, str)}
    if "kind" in texts and texts["kind"] not in END_KINDS:
        return _choice(text, at, "end", texts["kind"], END_KINDS)
    return Expectation(
        text.line_of(pointer),
        tuple(str(step) for step in path) if isinstance(path, list) else None,
        texts.get("kind"),
        texts.get("step"),
        texts.get("error"),
        success if isinstance(success, bool) else None,
    )


def _counts(value: JsonValue) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _wrong(text: ScriptText, pointer: str, key: str) -> ScriptProblem:
    line = text.line_of(pointer)
    message = _("Line {line} of the script: the value of “{key}” is of the wrong type.")
    return ScriptProblem(line, message.format(line=line, key=key))


def _unknown(text: ScriptText, pointer: str, key: str, known: Sequence[str]) -> ScriptProblem:
    line = text.line_of(pointer)
    message = _("Line {line} of the script: “{key}” is unknown here. Known: {known}.")
    return ScriptProblem(line, message.format(line=line, key=key, known=", ".join(known)))


def _choice(text: ScriptText, pointer: str, key: str, value: JsonValue, known: Sequence[str]) -> ScriptProblem:
    line = text.line_of(pointer)
    message = _("Line {line} of the script: “{key}” can't be “{value}”. Known: {known}.")
    return ScriptProblem(line, message.format(line=line, key=key, value=value, known=", ".join(known)))
