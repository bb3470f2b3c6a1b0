"""How each release reads the keys at the top of a file."""

from collections.abc import Callable

from stepflow_gui.formats.takt.releases.notes import Notes, Path
from stepflow_gui.formats.takt.releases.rules import hold_rules
from stepflow_gui.formats.takt.releases.sets import ALL, NONE, Releases, Row, between, row, since, value_row
from stepflow_gui.text.json.tree import JsonValue

_ROW_OF = {"subworkflow": "subworkflow.callable", "all_steps": "all_steps.rules"}
_BOTH_WORDS = between("0.34.0", "0.35.4")
PAIRS = (("max_movements", "max_steps"), ("initial_movement", "initial_step"), ("piece_config", "workflow_config"))
_CAPS = ("max_iterations", "max_movements", "max_steps")
_STRICT_CAPS = ~_BOTH_WORDS
_NEVER_READ = Row(NONE, ALL, NONE)
PREPARED = "runtime.prepare presets"


def hold_top(notes: Notes, root: dict[str, JsonValue]) -> None:
    """Note how releases read the keys at the top, and monitors; movements are checked elsewhere."""
    everywhere = since("0.1.1")
    if not isinstance(root.get("name"), str) or not root["name"]:
        notes.mistake("required", ("name",), everywhere)
    for key, value in root.items():
        if key == "workflow_config":
            _hold_workflow_config(notes, value)
            continue
        form = "max_steps: infinite" if key == "max_steps" and value == "infinite" else _ROW_OF.get(key, "")
        reading = notes.key("top", key, (key,), everywhere, form)
        by_hand = _BY_HAND.get(key)
        if key in _CAPS and not form:
            _hold_cap(notes, key, value, reading)
        elif key == "interactive_mode":
            notes.value("top.interactive_mode", value, (key,), reading)
        elif by_hand is not None:
            by_hand(notes, value, reading)
    _hold_pairs(notes, root)
    contract = root.get("subworkflow")
    if "max_steps" in root and isinstance(contract, dict) and contract.get("callable", False) is not False:
        notes.refuse("callable_cap", ("max_steps",), between("0.55.0", "0.55.1"))


def _hold_pairs(notes: Notes, root: dict[str, JsonValue]) -> None:
    """The values under the older and the newer word: releases that know both want them to agree."""
    for old, new in PAIRS:
        if old in root and new in root:
            if root[old] == root[new]:
                notes.note_repeated((old,), _BOTH_WORDS)
                notes.note_repeated((new,), _BOTH_WORDS)
            else:
                notes.refuse("alias_conflict", (new,), _BOTH_WORDS)
    if "movements" in root and "steps" in root and root["movements"] != root["steps"]:
        notes.refuse("alias_conflict", ("steps",), _BOTH_WORDS)


def _hold_cap(notes: Notes, key: str, value: JsonValue, reading: Releases) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        notes.mistake("type", (key,), reading & _STRICT_CAPS)
        notes.drop((key,), reading & _BOTH_WORDS, mistake=True)
    elif isinstance(value, float) or value < 1:
        notes.mistake("minimum", (key,), reading)


def _hold_config(notes: Notes, key: str, value: JsonValue, reading: Releases) -> None:
    if not isinstance(value, dict):
        notes.mistake("type", (key,), reading)
        return
    for inner, first in (("runtime", "0.15.0"), ("provider_options", "0.13.0")):
        if not isinstance(value.get(inner, {}), dict):
            found = row("top", f"{key}.{inner}")
            notes.mistake("type", (key, inner), reading & since(first) & (found.read if found else ALL))
    runtime = value.get("runtime")
    listed = runtime.get("prepare") if isinstance(runtime, dict) else None
    for index, item in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(item, str) and value_row(PREPARED, item) is None and not notes.around.prepare_scripts:
            notes.mistake("prepare_not_allowed", (key, "runtime", "prepare", index), reading & since("0.33.0"))


def _hold_piece_config(notes: Notes, value: JsonValue, reading: Releases) -> None:
    _hold_config(notes, "piece_config", value, reading)
    inside = value if isinstance(value, dict) else {}
    rows = {inner: row("top", f"piece_config.{inner}") or _NEVER_READ for inner in inside}
    notes.options(rows, ("piece_config",), reading)


def _hold_subworkflow(notes: Notes, value: JsonValue, reading: Releases) -> None:
    found = row("top", "subworkflow.returns/params/visibility")
    for inner in value if isinstance(value, dict) else ():
        if inner in {"returns", "params", "visibility"} and found is not None:
            notes.refuse(inner, ("subworkflow", inner), found.refused & reading)


def _hold_workflow_config(notes: Notes, value: JsonValue) -> None:
    reading = since("0.34.0")
    notes.drop(("workflow_config",), since("0.1.1") & ~reading)
    _hold_config(notes, "workflow_config", value, reading)
    inside = value if isinstance(value, dict) else {}
    rows = {inner: row("top", f"workflow_config.{inner}") or row("top", "workflow_config.*") for inner in inside}
    notes.options({inner: found for inner, found in rows.items() if found is not None}, ("workflow_config",), reading)


def _hold_routing(notes: Notes, value: JsonValue, reading: Releases) -> None:
    if not isinstance(value, dict):
        notes.mistake("type", ("auto_routing",), reading)
        return
    for inner, active in (
        ("strategy", reading),
        ("router", reading),
        ("candidates", reading),
        ("candidate_pools", reading & since("0.53.0")),
        ("default_pool", reading & since("0.53.0")),
    ):
        if inner not in value:
            notes.refuse("required", ("auto_routing", inner), active)


def _hold_finding_contract(notes: Notes, value: JsonValue, reading: Releases) -> None:
    if not isinstance(value, dict):
        return
    for inner in ("ledger_path", "raw_findings_path"):
        if inner in value:
            notes.refuse("unknown", ("finding_contract", inner), reading & since("0.56.0"))
        else:
            notes.refuse("required", ("finding_contract", inner), reading & ~since("0.56.0"))


def _hold_monitors(notes: Notes, monitors: JsonValue, reading: Releases) -> None:
    if not isinstance(monitors, list):
        notes.mistake("type", ("loop_monitors",), reading)
        return
    for index, monitor in enumerate(monitors):
        path: Path = ("loop_monitors", index)
        if not isinstance(monitor, dict):
            notes.mistake("type", path, reading)
            continue
        cycle, threshold, judge = monitor.get("cycle"), monitor.get("threshold", 3), monitor.get("judge")
        if not isinstance(cycle, list) or len(cycle) < 2:
            notes.mistake("minimum", (*path, "cycle"), reading)
        if not isinstance(threshold, int) or threshold < 1:
            notes.mistake("minimum", (*path, "threshold"), reading)
        for key in monitor:
            if key not in {"cycle", "judge"}:
                notes.key("monitor", key, (*path, key), reading)
        if not isinstance(judge, dict):
            notes.mistake("required", (*path, "judge"), reading)
            continue
        for key in judge:
            if key != "rules":
                notes.key("judge", key, (*path, "judge", key), reading)
        rules = judge.get("rules")
        if not isinstance(rules, list) or not rules:
            notes.mistake("minimum", (*path, "judge", "rules"), reading)
        else:
            where = (*path, "judge", "rules")
            hold_rules(notes, rules, "judge", where, reading, callable_file=False, calls=False)


_BY_HAND: dict[str, Callable[[Notes, JsonValue, Releases], None]] = {
    "piece_config": _hold_piece_config,
    "subworkflow": _hold_subworkflow,
    "auto_routing": _hold_routing,
    "finding_contract": _hold_finding_contract,
    "loop_monitors": _hold_monitors,
}
