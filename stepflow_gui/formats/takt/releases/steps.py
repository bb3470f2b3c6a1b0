"""How each release reads steps (once movements) and their sub-steps."""

from collections.abc import Callable, Iterator
from typing import Literal

from stepflow_gui.formats.takt.releases.notes import FORM, PLACEMENT, T_036, T_051, Notes, Path
from stepflow_gui.formats.takt.releases.reports import hold_reports, hold_text
from stepflow_gui.formats.takt.releases.rules import Place, hold_rules
from stepflow_gui.formats.takt.releases.sets import ALL, NONE, Releases, Row, before, between, row, since, value_row
from stepflow_gui.formats.takt.step_kinds import AGENT, CALL, kind_of
from stepflow_gui.text.json.tree import JsonValue

Level = Literal["step", "sub"]
Step = dict[str, JsonValue]
_READ = Row(ALL, NONE, NONE)
_REPORTS = Row(since("0.8.0-alpha.1"), before("0.8.0-alpha.1"), NONE)
_OLD_MODES = {"default", "acceptEdits", "bypassPermissions"}
_TEXTS = ("instruction_template", "persona", "persona_name", "agent", "agent_name", "model", "name")
_FLAGS = ("edit", "pass_previous_response", "allow_git_commit", "requires_user_input")
TOOLS = {"claude", "codex", "opencode", "copilot", "cursor", "kiro", "pi", "claude_terminal"}
"""The providers whose options have a key of their own."""
_KINDS = ("parallel", "arpeggio", "team_leader")
MOST_PARTS = 3  # of a team leader, in every release


def hold_steps(notes: Notes, root: dict[str, JsonValue], steps: list[JsonValue], path: Path, active: Releases) -> None:
    """Note how releases read a list of steps."""
    contract = root.get("subworkflow")
    callable_file = isinstance(contract, dict) and contract.get("callable") is True
    for index, step in enumerate(steps):
        where = (*path, index)
        if not isinstance(step, dict):
            notes.mistake("type", where, active)
            continue
        _hold_step(notes, step, "step", where, active, callable_file=callable_file)
        _hold_kind(notes, step, where, active)
        _hold_routed(notes, root, step, where, active)
        _hold_transitions(notes, step.get("transitions"), (*where, "transitions"), active & before("0.3.0"))
        if "on_no_status" in step:
            notes.value("step.on_no_status", step["on_no_status"], (*where, "on_no_status"), active & before("0.3.0"))
        for place, sub in _subs(step.get("parallel"), (*where, "parallel")):
            if isinstance(sub, dict):
                _hold_step(notes, sub, "sub", place, active & since("0.3.0"), callable_file=callable_file)
                _hold_routed(notes, root, sub, place, active)
            else:
                notes.mistake("type", place, active & since("0.3.0"))


def _hold_routed(notes: Notes, root: Step, step: Step, path: Path, active: Releases) -> None:
    """A provider that the file has to say how to choose."""
    found = value_row("step.provider", "auto")
    if step.get("provider") == "auto" and "auto_routing" not in root and found is not None:
        notes.mistake("auto_requires_routing", (*path, "provider"), active & found.read)


def _hold_transitions(notes: Notes, transitions: JsonValue, path: Path, active: Releases) -> None:
    for index, each in enumerate(transitions if isinstance(transitions, list) else ()):
        if isinstance(each, dict):
            notes.value("transition.condition", each.get("condition"), (*path, index, "condition"), active)


def _subs(parallel: JsonValue, path: Path) -> Iterator[tuple[Path, JsonValue]]:
    if isinstance(parallel, list):
        for index, sub in enumerate(parallel):
            yield (*path, index), sub
    elif isinstance(parallel, dict):
        for key in ("fixed", "pool"):
            listed = parallel.get(key)
            for index, sub in enumerate(listed if isinstance(listed, list) else ()):
                yield (*path, key, index), sub


def _hold_step(
    notes: Notes, step: dict[str, JsonValue], level: Level, path: Path, active: Releases, *, callable_file: bool
) -> None:
    _hold_required(notes, step, level, path, active)
    in_pool = "pool" in path
    for key, value in step.items():
        if key == "name" or (key == "description" and level == "sub" and (in_pool or "call" in step)):
            continue
        _hold_key(notes, step, key, value, level, (*path, key), active)
    if "rules" in step:
        place: Place = "sub" if level == "sub" else "parent" if step.get("parallel") else "step"
        reading = active & since("0.3.0")
        calls = "call" in step and kind_of(step) == CALL
        hold_rules(notes, step["rules"], place, (*path, "rules"), reading, callable_file=callable_file, calls=calls)


def _hold_required(notes: Notes, step: dict[str, JsonValue], level: Level, path: Path, active: Releases) -> None:
    if not isinstance(step.get("name"), str) or not step["name"]:
        other = since("0.55.0") if "uses" in step else NONE
        other |= between("0.34.0", "0.35.4") if level == "sub" and "step" in step else NONE
        notes.mistake("required", (*path, "name"), active & ~other)
    if level == "sub" and "step" in step and "name" in step and step["step"] != step["name"]:
        notes.refuse("alias_conflict", (*path, "step"), active & between("0.34.0", "0.35.4"))
    if not isinstance(step.get("agent"), str):
        demands = before("0.3.9")
        if level == "step" and step.get("parallel"):
            demands = before("0.3.0")
        notes.refuse("required", (*path, "agent"), active & demands)


def _hold_key(
    notes: Notes,
    step: dict[str, JsonValue],
    key: str,
    value: JsonValue,
    level: Level,
    path: Path,
    active: Releases,
) -> None:
    if key == "output_contracts":
        reading = notes.by_row(_REPORTS, path, active, key)
        hold_reports(notes, value, path, reading)
        return
    if key == "concurrency" and level == "step":
        notes.key("parent", key, path, active)
        return
    reading = notes.key(level, key, path, active, _form(key, value, level))
    by_hand = _BY_HAND.get(key)
    if by_hand is not None:
        by_hand(notes, step, path, reading)
    elif key in {"session", "required_permission_mode", "permission_mode"}:
        notes.value(f"step.{key}", value, path, reading)
    elif key in _FLAGS and not isinstance(value, bool):
        notes.mistake("type", path, reading)
    elif key in _TEXTS:
        hold_text(notes, value, path, reading, nothing=key == "model")


def _form(key: str, value: JsonValue, level: Level) -> str:
    """The row for the value or form that a key has, "" for that of the key itself."""
    if key == "instruction" and isinstance(value, list):
        return "instruction as list"
    of_key = _FORMS.get(key) if level == "step" or row("sub", key) is None else None
    return of_key(value) if of_key is not None else ""


def _form_of_promotion(value: JsonValue) -> str:
    entries = value if isinstance(value, list) else []
    only = all(isinstance(entry, dict) and set(entry) <= {"at"} for entry in entries)
    return "promotion with at only" if only else "promotion with provider/model"


def _form_of_mode(value: JsonValue) -> str:
    old = isinstance(value, str) and value in _OLD_MODES
    return "permission_mode: default|acceptEdits|bypassPermissions" if old else "permission_mode: readonly|edit|full"


_FORMS: dict[str, Callable[[JsonValue], str]] = {
    "permission_mode": _form_of_mode,
    "session": lambda value: "session: compact" if value == "compact" else "session: continue|refresh",
    "parallel": lambda value: "parallel as {fixed,pool,selection}" if isinstance(value, dict) else "parallel",
    "provider": lambda value: "provider as {type,model,…}" if isinstance(value, dict) else "",
    "promotion": _form_of_promotion,
    "uses": lambda _value: "uses / with",
    "with": lambda _value: "uses / with",
    "persona": lambda value: 'persona: ""' if value == "" else "",
    "policy": lambda value: "policy: []" if value == [] else "",
    "model": lambda value: "model: null" if value is None else "",
}
"""By key: the name of the row for a value of it on a step."""


def _hold_instruction(notes: Notes, step: Step, path: Path, reading: Releases) -> None:
    if not isinstance(step["instruction"], list):
        hold_text(notes, step["instruction"], path, reading)


def _hold_parallel(notes: Notes, step: Step, path: Path, reading: Releases) -> None:
    if not isinstance(step["parallel"], list | dict):
        notes.mistake("type", path, reading)


def _hold_provider(notes: Notes, step: Step, path: Path, reading: Releases) -> None:
    value = step["provider"]
    if isinstance(value, dict):
        if "type" in value:
            notes.value("step.provider", value["type"], (*path, "type"), reading)
        else:
            notes.mistake("required", (*path, "type"), reading)
        return
    notes.value("step.provider", value, path, reading)
    if value == "opencode" and "model" not in step:
        notes.refuse("provider_requires_model", path, reading & since("0.47.0"))


def _hold_options(notes: Notes, step: Step, path: Path, reading: Releases) -> None:
    value = step["provider_options"]
    if not isinstance(value, dict):
        notes.mistake("type", path, reading)
        return
    for tool in TOOLS & value.keys():
        inside = value[tool]
        if not isinstance(inside, dict):
            notes.mistake("type", (*path, tool), reading)
        elif not isinstance(inside.get("allowed_tools", []), list) and tool == "claude":
            notes.mistake("type", (*path, tool, "allowed_tools"), reading & since("0.30.0"))
        else:
            of_tool = {key: row("step", f"provider_options.{tool}.{key}") or _READ for key in inside}
            notes.options(of_tool, (*path, tool), reading)
    any_other = row("step", "provider_options.*")
    rows = {key: row("step", f"provider_options.{key}") or (_READ if key in TOOLS else any_other) for key in value}
    notes.options({key: found or _READ for key, found in rows.items()}, path, reading)
    base, known = value.get("extends"), notes.around.option_files
    if known is not None and isinstance(base, str) and base not in known:
        notes.mistake("reference_not_found", (*path, "extends"), reading & since("0.47.0"))


def _hold_gates(notes: Notes, step: Step, path: Path, reading: Releases) -> None:
    gates = step["quality_gates"]
    for index, gate in enumerate(gates if isinstance(gates, list) else ()):
        if isinstance(gate, dict):
            found = row("step", "quality_gates command entry")
            notes.refuse(FORM, (*path, index), reading & (found.refused if found else NONE))
            if not notes.around.command_gates:
                notes.mistake("command_gate_not_allowed", (*path, index), reading & since("0.43.0"))


def _hold_servers(notes: Notes, step: Step, path: Path, reading: Releases) -> None:
    if not isinstance(step["mcp_servers"], dict):
        notes.mistake("type", path, reading)
        return
    if not notes.around.mcp_servers:
        notes.mistake("mcp_not_allowed", path, reading & since("0.33.0"))


def _hold_team(notes: Notes, step: Step, path: Path, reading: Releases) -> None:
    value = step["team_leader"]
    if not isinstance(value, dict):
        notes.mistake("type", path, reading)
    for key, inner in value.items() if isinstance(value, dict) else ():
        if key == "refill_threshold" and inner == 0:  # the one number that releases since 0.53.0 take
            notes.drop((*path, key), reading & before("0.26.0"))
        elif row("team_leader", key) is not None:
            read = notes.key("team_leader", key, (*path, key), reading)
            if key == "max_parts" and isinstance(inner, int) and inner > MOST_PARTS:
                notes.mistake("maximum", (*path, key), read)


def _hold_arpeggio(notes: Notes, step: Step, path: Path, reading: Releases) -> None:
    if not isinstance(step["arpeggio"], dict):
        notes.mistake("type", path, reading)


def _hold_promotion(notes: Notes, step: Step, path: Path, reading: Releases) -> None:
    entries = step["promotion"]
    if not isinstance(entries, list):
        notes.mistake("type", path, reading)
        return
    for index, entry in enumerate(entries):
        at = entry.get("at", 1) if isinstance(entry, dict) else None
        if isinstance(at, bool) or not isinstance(at, int | float):
            notes.mistake("type", (*path, index, "at") if isinstance(entry, dict) else (*path, index), reading)


_BY_HAND: dict[str, Callable[[Notes, Step, Path, Releases], None]] = {
    "instruction": _hold_instruction,
    "parallel": _hold_parallel,
    "provider": _hold_provider,
    "provider_options": _hold_options,
    "quality_gates": _hold_gates,
    "mcp_servers": _hold_servers,
    "team_leader": _hold_team,
    "arpeggio": _hold_arpeggio,
    "promotion": _hold_promotion,
}
"""By key: what looks at a value that has an inside, or several forms."""


def _hold_kind(notes: Notes, step: dict[str, JsonValue], path: Path, active: Releases) -> None:
    """What can't stand together in one step."""
    if sum(key in step for key in _KINDS) > 1:
        both = since("0.13.0-alpha.1") if "team_leader" in step else since("0.12.0")
        notes.mistake("exclusive", (*path, "parallel"), active & both)
    if "overrides" in step and "call" not in step:
        notes.mistake("call_only", (*path, "overrides"), active & between("0.36.0", "0.59.1"))
    if {"system_inputs", "effects"} & step.keys() and step.get("mode") != "system":
        notes.mistake("system_only", (*path, "mode"), active & T_036)
    if "session_key" in step and step.get("parallel"):
        notes.mistake("session_key_placement", (*path, "session_key"), active & since("0.49.0"))
    if "session" in step and (kind_of(step) != AGENT or any(step.get(key) for key in _KINDS)):
        notes.refuse(PLACEMENT, (*path, "session"), active & T_051)
    facets = step.get("dynamic_facets")
    if isinstance(facets, dict):
        if "max_selected" not in facets:
            notes.refuse("required", (*path, "dynamic_facets", "max_selected"), active & between("0.56.0", "0.56.0"))
        if "team_leader" in step:
            notes.refuse(PLACEMENT, (*path, "dynamic_facets"), active & between("0.56.0", "0.60.0"))
    if {"companion", "team_leader"} <= step.keys():
        notes.refuse(PLACEMENT, (*path, "companion"), active & between("0.58.0", "0.60.0"))
