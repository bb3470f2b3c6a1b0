"""Makes a piece that can be run from its file, or reports why the runner refuses it (takt.md 2-5, 8, 10)."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Literal, NamedTuple

from stepflow_gui.formats.takt.conditions_model import ConditionFault, Label
from stepflow_gui.formats.takt.release_conditions import condition_as_read
from stepflow_gui.formats.takt.runners import TaktRunner
from stepflow_gui.formats.takt.sections import is_word
from stepflow_gui.formats.takt.step_kinds import CALL, SYSTEM, kind_of
from stepflow_gui.messages import _
from stepflow_gui.run.takt.machine.calling import ABORT, COMPLETE
from stepflow_gui.run.takt.machine.piece import Monitor, Movement, PermissionMode, Piece, PieceRule, Report, Unrun
from stepflow_gui.text.json.tree import JsonValue

ReadFile = Callable[[str], str | None]
ReadFacet = Callable[[str, str], str | None]
Object = Mapping[str, JsonValue]

_USUAL_LIMIT = 10
_USUAL_THRESHOLD = 3
_ENDS = frozenset({COMPLETE, ABORT})
_MODES: dict[str, PermissionMode] = {"readonly": "readonly", "edit": "edit", "full": "full"}


class PieceRefusal(NamedTuple):
    """Why a piece can't be run. `kind`: what is at fault, `release` where it is for others; `name` the thing."""

    kind: Literal["shape", "condition", "initial", "target", "cycle", "fragment", "argument", "release"]
    message: str
    name: str = ""


class _RefusedError(Exception):
    def __init__(self, refused: PieceRefusal) -> None:
        self.refused = refused


def load_piece(
    value: JsonValue, read: ReadFile, runner: TaktRunner, read_facet: ReadFacet = lambda _section, _word: None
) -> Piece | PieceRefusal:
    """The piece that a file's value declares; what has the wrong type is as if it weren't there.

    The value is as the runner's release reads it (`value_as_read`).

    `read` gives the text of a file by its path from the YAML's folder, None where there is none or it may not be read;
    `read_facet` that of a facet by its section map and name.
    """
    try:
        return _Loader(_object(value), read, runner, read_facet).piece()
    except _RefusedError as error:
        return error.refused


class _Loader:
    def __init__(self, root: Object, read: ReadFile, runner: TaktRunner, read_facet: ReadFacet) -> None:
        self._root = root
        self._read = read
        self._read_facet = read_facet
        self._runner = runner

    def piece(self) -> Piece:
        root = self._root
        listed = [self._movement(each) for each in _objects(root.get("movements") or root.get("steps"))]
        movements: dict[str, Movement] = {}
        for movement in listed:
            movements.setdefault(movement.name, movement)
        if not listed:
            raise _RefusedError(PieceRefusal("shape", _("The piece has no movements.")))
        initial = _text(root.get("initial_movement")) or _text(root.get("initial_step")) or listed[0].name
        if initial not in movements:
            message = _("The first movement is to be “{name}”, which doesn't exist.").format(name=initial)
            raise _RefusedError(PieceRefusal("initial", message, initial))
        for movement in listed:
            self._hold_targets(movement, movements)
        monitors = tuple(self._monitor(each, movements) for each in _objects(root.get("loop_monitors")))
        name = _text(root.get("name")) or ""
        calls = any(each.unrun == "call" for movement in listed for each in (movement, *movement.subs))
        described = _text(root.get("description")) or ""
        callable_ = _object(root.get("subworkflow")).get("callable") is True
        return Piece(name, initial, movements, self._limit(), monitors, described, calls, callable_)

    def _limit(self) -> int | None:
        for key in ("max_iterations", "max_movements", "max_steps"):
            value = self._root.get(key)
            if value == "infinite":
                return None
            if isinstance(value, int) and not isinstance(value, bool) and value > 0:
                return value
        return _USUAL_LIMIT

    def _movement(self, found: Object, *, inside: bool = False) -> Movement:
        name = _text(found.get("name")) or ""
        persona = _text(found.get("persona"))
        reports = tuple(self._reports(found))
        edit, newer = found.get("edit"), bool(self._runner.forms.state)
        mode = _text(found.get("permission_mode")) or _text(found.get("required_permission_mode")) or ""
        return Movement(
            name,
            tuple(self._rule(rule) for rule in _objects(found.get("rules"))),
            () if inside else tuple(self._movement(sub, inside=True) for sub in self._subs(found)),
            persona=self._persona(persona),
            persona_name=_text(found.get("persona_name")) or self._persona_name(persona),
            persona_key=_text(found.get("session_key")) or persona,
            instruction=self._instruction(found),
            policies=tuple(self._resolved("policies", each) for each in _texts(found.get("policy"))),
            knowledge=tuple(self._resolved("knowledge", each) for each in _texts(found.get("knowledge"))),
            quality_gates=tuple(_texts(found.get("quality_gates"))),
            reports=reports,
            tools=_tools(found, writes=edit is True or not reports),
            model=_text(found.get("model")),
            edit=edit if isinstance(edit, bool) else None,
            permission_mode=_MODES.get(mode),
            session="refresh" if found.get("session") == "refresh" and (not inside or newer) else "continue",
            passes_previous=found.get("pass_previous_response") is not False,
            structured=_text(_object(found.get("structured_output")).get("schema_ref")),
            asks_always=found.get("requires_user_input") is True,
            variables={key: str(each) for key, each in _object(found.get("vars")).items()},
            unrun=_unrun(found),
            called=_text(found.get("call")) or "",
            args=_object(found.get("args")),
        )

    def _subs(self, found: Object) -> list[Object]:
        listed = found.get("parallel")
        if isinstance(listed, dict):  # chosen at run time, in newer files
            return [*_objects(listed.get("fixed")), *_objects(listed.get("pool"))]
        return _objects(listed)

    def _rule(self, found: Object) -> PieceRule:
        text = _text(found.get("condition")) or ""
        condition = condition_as_read(text, self._runner.notation, self._runner.forms)
        if isinstance(condition, ConditionFault):
            message = _("The condition “{text}” can't be read: {why}").format(text=text, why=condition.message)
            raise _RefusedError(PieceRefusal("condition", message, text))
        return PieceRule(
            text,
            condition,
            _text(found.get("next")),
            _text(found.get("appendix")),
            found.get("requires_user_input") is True,
            found.get("interactive_only") is True,
            _text(found.get("return")),
        )

    def _hold_targets(self, movement: Movement, movements: Mapping[str, Movement]) -> None:
        for rule in movement.rules:
            if rule.next is not None and rule.next not in movements and rule.next not in _ENDS:
                message = _("A rule of {movement} goes to “{name}”, which doesn't exist.")
                message = message.format(movement=movement.name, name=rule.next)
                raise _RefusedError(PieceRefusal("target", message, rule.next))

    def _monitor(self, found: Object, movements: Mapping[str, Movement]) -> Monitor:
        cycle = tuple(_texts(found.get("cycle")))
        for name in cycle:
            if name not in movements and name not in _ENDS:
                message = _("A loop monitor watches “{name}”, which doesn't exist.").format(name=name)
                raise _RefusedError(PieceRefusal("cycle", message, name))
        if len(cycle) < 2:
            raise _RefusedError(PieceRefusal("cycle", _("A loop monitor needs a cycle of at least two movements.")))
        judge = _object(found.get("judge"))
        persona = _text(judge.get("persona"))
        rules = tuple(
            PieceRule(text, Label(text), _text(rule.get("next")))
            for rule in _objects(judge.get("rules"))
            if (text := _text(rule.get("condition")))
        )
        movement = Movement(
            "_loop_judge_" + "_".join(cycle),
            rules,
            persona=self._persona(persona),
            persona_name=self._persona_name(persona),
            persona_key=persona,
            instruction=self._instruction(judge, _built_in_judge(cycle)),
            edit=False,
        )
        self._hold_targets(movement, movements)
        threshold = found.get("threshold")
        if not isinstance(threshold, int) or isinstance(threshold, bool) or threshold < 1:
            threshold = _USUAL_THRESHOLD
        return Monitor(cycle, threshold, movement, frozenset(_texts(found.get("ignore_steps"))))

    def _instruction(self, found: Object, usual: str = "{task}") -> str:
        inline = _text(found.get("instruction_template"))
        named = _texts(found.get("instruction"))
        if inline is not None and (self._runner.template_wins or not named):
            return self._file(inline)
        return "\n\n".join(self._resolved("instructions", each) for each in named) or usual

    def _persona(self, named: str | None) -> str | None:
        if named is None:
            return None
        spec = self._spec(named)
        text = self._read(spec) or (self._facet("personas", spec) if spec == named else None)
        return spec if text is None else text

    def _persona_name(self, named: str | None) -> str | None:
        if named is None:
            return None
        spec = self._spec(named)
        return PurePosixPath(spec).stem if "/" in spec or spec.endswith(".md") else spec

    def _spec(self, named: str) -> str:
        return _text(_object(self._root.get("personas")).get(named)) or named

    def _resolved(self, section: str, named: str) -> str:
        """The text that a reference resolves to: of the section map, of a file, of a facet by its name, or its own."""
        mapped = _text(_object(self._root.get(section)).get(named))
        return (self._file(mapped) if mapped is not None else "") or self._facet(section, named) or self._file(named)

    def _facet(self, section: str, named: str) -> str | None:
        """The text of a facet that lies in the project (takt.md 13.2)."""
        return self._read_facet(section, named) if is_word(named) else None

    def _file(self, named: str) -> str:
        text = self._read(named) if named.endswith(".md") else None
        return named if text is None else text

    def _reports(self, found: Object) -> Iterator[Report]:
        for item in _objects(_object(found.get("output_contracts")).get("report")):
            name = _text(item.get("name"))
            if "name" not in item:
                for label, file in item.items():
                    if isinstance(file, str):
                        yield Report(file, label)
            elif name is not None:
                form, order = _text(item.get("format")), _text(item.get("order"))
                yield Report(
                    name,
                    None,
                    None if form is None else self._resolved("report_formats", form),
                    None if order is None else self._resolved("report_formats", order),
                    judged=item.get("use_judge") is not False,
                )


def _unrun(found: Object) -> Unrun:
    """What of a step a run doesn't do, so its result is chosen."""
    kind = kind_of(found)
    if kind == SYSTEM:
        return "system"
    if kind == CALL:
        return "call"
    if isinstance(found.get("parallel"), dict):
        return "chosen"
    return "team" if "team_leader" in found else "batches" if "arpeggio" in found else ""


def _tools(found: Object, *, writes: bool) -> tuple[str, ...] | None:
    listed = found.get("allowed_tools")
    if not isinstance(listed, list):
        return None
    return tuple(tool for tool in _texts(listed) if writes or tool != "Write")


def _built_in_judge(cycle: tuple[str, ...]) -> str:
    text = _("The movements {cycle} were gone through {count} times in a row. Judge whether this makes progress.")
    return text.format(cycle=" → ".join(cycle), count="{cycle_count}")


def _object(value: JsonValue) -> Object:
    return value if isinstance(value, dict) else {}


def _objects(value: JsonValue) -> list[Object]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _text(value: JsonValue) -> str | None:
    return value if isinstance(value, str) and value else None


def _texts(value: JsonValue) -> list[str]:
    if isinstance(value, str):
        return [value] if value else []
    return [each for each in value if isinstance(each, str) and each] if isinstance(value, list) else []
