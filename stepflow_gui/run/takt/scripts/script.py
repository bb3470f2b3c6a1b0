"""A script for a piece: what each movement comes to at each of its runs, and what is expected of the whole run.

An object in JSON or YAML. `answers` is a table from a movement or sub-step to a list, an item a run: the rule by its
number (from 1) or its condition, `null` where it is undecided, or an object with `rule`, `text`, `reports` (text by
file name), `structured`, `blocked: true` or `failed: true`. The last item holds for all further runs; who has no list
takes the first rule. A step that calls a workflow opens it, unless it has a list, which holds what it returned; the
steps of the called workflow are `CALL/STEP`, CALL as the step names the workflow. `inputs` are the person's answers in
order (`null`: cancelled), `limits` the iterations granted each time that they are used up. `task`, `start`,
`interactive`, `era` and `state` set the run up, and `expect` is
`{path: [...], end: ..., movement: ..., iterations: ..., reports: [...]}`.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar, get_args

from stepflow_gui.formats.takt.runners import RUNNER_NAMES, RUNNERS
from stepflow_gui.messages import _
from stepflow_gui.run.responders.script import ScriptProblem
from stepflow_gui.run.scripts.script_text import ScriptText, read_script_text
from stepflow_gui.run.takt.machine.piece import Movement, Piece, called_steps
from stepflow_gui.run.takt.machine.state import EndKind, Status
from stepflow_gui.run.takt.picking import MovementPick
from stepflow_gui.run.takt.words import in_its_words
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

KEYS = ("title", "task", "start", "interactive", "era", "state", "answers", "inputs", "limits", "expect")
_ITEM = ("rule", "text", "reports", "structured", "blocked", "failed")
_EXPECT = ("path", "end", "movement", "iterations", "reports")
_KINDS: dict[str, type] = {"title": str, "task": str, "start": str, "interactive": bool, "era": str, "state": dict}

Value = TypeVar("Value")


class PieceExpectation(NamedTuple):
    """What a run is to do; None: anything. `path`: the movements in the order in which they start, judges too."""

    line: int
    path: tuple[str, ...] | None = None
    end: str | None = None
    movement: str | None = None
    iterations: int | None = None
    reports: tuple[str, ...] | None = None


class PieceScript(NamedTuple):
    """A script that fits a piece."""

    answers: Mapping[str, tuple[MovementPick, ...]] = {}
    inputs: tuple[str | None, ...] = ()
    limits: tuple[int, ...] = ()
    task: str = ""
    start: str | None = None
    interactive: bool = False
    era: str | None = None
    state: Mapping[str, JsonValue] = {}
    expected: PieceExpectation | None = None
    title: str | None = None
    lines: Mapping[str, int] = {}  # of the file, at which the answers of a movement or sub-step stand


def read_piece_script(text: str, name: str, piece: Piece) -> PieceScript | ScriptProblem:
    """Read a script for a piece; the first error is reported with its line."""
    found = read_script_text(text, name)
    if isinstance(found, ScriptProblem):
        return found
    try:
        return _Reading(found, piece).script()
    except _WrongError as wrong:
        return ScriptProblem(found.line_of(wrong.pointer), wrong.message)


class _WrongError(Exception):
    def __init__(self, pointer: str, message: str) -> None:
        self.pointer = pointer
        self.message = message


class _Reading:
    def __init__(self, found: ScriptText, piece: Piece) -> None:
        self._found = found
        self._piece = piece
        self._known = dict(piece.movements)
        for movement in piece.movements.values():
            for sub in movement.subs:
                self._known.setdefault(sub.name, sub)
        for monitor in piece.monitors:
            self._known.setdefault(monitor.judge.name, monitor.judge)
        for name, step in called_steps(piece):
            self._known.setdefault(name, step)

    def script(self) -> PieceScript:
        root = _typed(self._found.value, dict, "", _("the script"))
        _only(root, KEYS, "")
        for key, kind in _KINDS.items():
            if key in root:
                _typed(root[key], kind, f"/{key}", key)
        if "era" in root and root["era"] not in RUNNER_NAMES:
            message = _("Unknown runtime “{era}”: choose from {eras}.")
            raise _WrongError("/era", message.format(era=root["era"], eras=", ".join(RUNNERS)))
        if "start" in root and root["start"] not in self._piece.movements:
            raise _WrongError(
                "/start", in_its_words(self._piece, _("There is no movement “{name}”.")).format(name=root["start"])
            )
        answers = _typed(root.get("answers", {}), dict, "/answers", "answers")
        return PieceScript(
            {name: self._answers(name, items) for name, items in answers.items()},
            tuple(self._inputs(root)),
            tuple(_typed(item, int, f"/limits/{at}", "limits") for at, item in enumerate(_list(root, "limits"))),
            root.get("task", ""),
            root.get("start"),
            root.get("interactive", False),
            root.get("era"),
            root.get("state", {}),
            self._expected(root["expect"]) if "expect" in root else None,
            root.get("title"),
            {name: self._found.line_of(join("/answers", name)) for name in answers},
        )

    def _inputs(self, root: dict[str, JsonValue]) -> list[str | None]:
        listed = _list(root, "inputs")
        return [
            None if item is None else _typed(item, str, f"/inputs/{at}", "inputs") for at, item in enumerate(listed)
        ]

    def _answers(self, name: str, items: JsonValue) -> tuple[MovementPick, ...]:
        where = join("/answers", name)
        movement = self._known.get(name)
        if movement is None:
            raise _WrongError(where, in_its_words(self._piece, _("There is no movement “{name}”.")).format(name=name))
        listed = items if isinstance(items, list) else [items]
        if not listed:
            raise _WrongError(where, _("The list of {name} is empty.").format(name=name))
        return tuple(_pick(item, movement, join(where, at)) for at, item in enumerate(listed))

    def _expected(self, value: JsonValue) -> PieceExpectation:
        expect = _typed(value, dict, "/expect", "expect")
        _only(expect, _EXPECT, "/expect")
        for key, kind in (("end", str), ("movement", str), ("iterations", int)):
            if key in expect:
                _typed(expect[key], kind, f"/expect/{key}", key)
        if "end" in expect and expect["end"] not in get_args(EndKind):
            message = _("Unknown end “{end}”: choose from {ends}.")
            raise _WrongError("/expect/end", message.format(end=expect["end"], ends=", ".join(get_args(EndKind))))
        return PieceExpectation(
            self._found.line_of("/expect"),
            _names(expect, "path"),
            expect.get("end"),
            expect.get("movement"),
            expect.get("iterations"),
            _names(expect, "reports"),
        )


def _pick(item: JsonValue, movement: Movement, where: str) -> MovementPick:
    if not isinstance(item, dict):
        return MovementPick(_rule(item, movement, where))
    _only(item, _ITEM, where)
    reports = _typed(item.get("reports", {}), dict, join(where, "reports"), "reports")
    for file, text in reports.items():
        if file not in {report.name for report in movement.reports}:
            message = _("{movement} writes no report “{name}”.").format(movement=movement.name, name=file)
            raise _WrongError(join(where, "reports"), message)
        _typed(text, str, join(where, "reports"), file)
    text = _typed(item.get("text", ""), str, join(where, "text"), "text")
    rule = _rule(item["rule"], movement, join(where, "rule")) if "rule" in item else 0
    return MovementPick(rule, text, _status(item, where), reports, item.get("structured"))


def _status(item: Mapping[str, JsonValue], where: str) -> Status:
    if _typed(item.get("failed", False), bool, join(where, "failed"), "failed"):
        return "error"
    return "blocked" if _typed(item.get("blocked", False), bool, join(where, "blocked"), "blocked") else "done"


def rule_meant(named: object, movement: Movement) -> int | str | None:
    """The 0-based place of the rule that a number, from 1, or a condition means; in words why it means none."""
    if named is None:
        return None
    if isinstance(named, int) and not isinstance(named, bool) and 0 < named <= len(movement.rules):
        return named - 1
    if isinstance(named, str):
        for place, rule in enumerate(movement.rules):
            if rule.text == named:
                return place
    conditions = ", ".join(f"{number} {rule.text}" for number, rule in enumerate(movement.rules, 1)) or "–"
    message = _("{movement} has no rule “{rule}”; it has: {rules}")
    return message.format(movement=movement.name, rule=named, rules=conditions)


def _rule(named: JsonValue, movement: Movement, where: str) -> int | None:
    found = rule_meant(named, movement)
    if isinstance(found, str):
        raise _WrongError(where, found)
    return found


def _typed(value: JsonValue, kind: type[Value], where: str, name: str) -> Value:
    if isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
        return value
    names = {dict: _("an object"), list: _("a list"), str: _("a string"), int: _("a number"), bool: _("true or false")}
    raise _WrongError(where, _("“{name}” is to be {kind}.").format(name=name, kind=names[kind]))


def _only(value: Mapping[str, JsonValue], known: Sequence[str], where: str) -> None:
    for key in value:
        if key not in known:
            message = _("Unknown key “{key}”: expected one of {keys}.").format(key=key, keys=", ".join(known))
            raise _WrongError(join(where, key), message)


def _list(value: Mapping[str, JsonValue], key: str) -> list[JsonValue]:
    return _typed(value.get(key, []), list, f"/{key}", key)


def _names(value: Mapping[str, JsonValue], key: str) -> tuple[str, ...] | None:
    if key not in value:
        return None
    listed = _typed(value[key], list, f"/expect/{key}", key)
    return tuple(_typed(name, str, f"/expect/{key}/{at}", key) for at, name in enumerate(listed))
