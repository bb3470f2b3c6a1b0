"""What the start check of each release refuses: names that are nowhere, and names given twice."""

from stepflow_gui.formats.takt.releases.notes import T_051, Notes, Path
from stepflow_gui.formats.takt.releases.sets import Releases, between, row, since
from stepflow_gui.text.json.tree import JsonValue

_ENDS = {"COMPLETE", "ABORT"}
_INITIAL = {
    "initial_step": since("0.1.1") & ~between("0.4.0", "0.33.2"),
    "initial_movement": between("0.4.0", "0.35.4"),
}
_MONITORS = since("0.7.0-alpha.1")


def hold_graph(notes: Notes, root: dict[str, JsonValue], steps: list[JsonValue], path: Path, active: Releases) -> None:
    """Note references to steps that don't exist, for releases that read the list of steps."""
    objects = [(index, step) for index, step in enumerate(steps) if isinstance(step, dict)]
    names = [step["name"] if "name" in step else step.get("uses") for _index, step in objects]
    known = {name for name in names if isinstance(name, str)}
    targets = known | _ENDS
    for key, reading in _INITIAL.items():
        if key in root and not _is_one_of(root[key], known):
            notes.mistake("initial_unknown", (key,), reading & active)
    for index, step in objects:
        of_transitions = step.get("transitions")
        for key, target, reading in (
            ("rules", "next", active & since("0.3.0")),
            ("transitions", "next_step", active & ~since("0.3.0")),
        ):
            listed = of_transitions if key == "transitions" else step.get("rules")
            for at, rule in enumerate(listed if isinstance(listed, list) else ()):
                name = rule.get(target) if isinstance(rule, dict) else None
                if isinstance(name, str) and name not in targets:
                    notes.mistake("target_unknown", (*path, index, key, at, target), reading)
        _hold_subs(notes, step, (*path, index), active)
    seen: set[str] = set()
    for index, step in objects:
        name = step.get("name")
        if isinstance(name, str):
            if name in seen:
                notes.refuse("duplicate_step", (*path, index, "name"), active & since("0.55.0"))
            seen.add(name)
    monitors = root.get("loop_monitors")
    for index, monitor in enumerate(monitors if isinstance(monitors, list) else ()):
        if isinstance(monitor, dict):
            _hold_monitor(notes, monitor, known, ("loop_monitors", index), active & _MONITORS)


def _hold_subs(notes: Notes, step: dict[str, JsonValue], path: Path, active: Releases) -> None:
    subs = step.get("parallel")
    seen: set[str] = set()
    for at, sub in enumerate(subs if isinstance(subs, list) else ()):
        name = sub.get("name") if isinstance(sub, dict) else None
        if isinstance(name, str):
            if name in seen:
                notes.refuse("duplicate_sub_step", (*path, "parallel", at, "name"), active & T_051)
            seen.add(name)


def _hold_monitor(notes: Notes, monitor: dict[str, JsonValue], known: set[str], path: Path, active: Releases) -> None:
    cycle = monitor.get("cycle")
    ends = row("monitor", "cycle naming COMPLETE/ABORT")
    for at, name in enumerate(cycle if isinstance(cycle, list) else ()):
        if _is_one_of(name, _ENDS):
            notes.refuse("cycle_end", (*path, "cycle", at), active & (ends.refused if ends else 0))
        elif not _is_one_of(name, known):
            notes.mistake("cycle_unknown", (*path, "cycle", at), active)
    ignored = monitor.get("ignore_steps")
    for at, name in enumerate(ignored if isinstance(ignored, list) else ()):
        if not _is_one_of(name, known):
            notes.mistake("ignore_unknown", (*path, "ignore_steps", at), active & since("0.55.0"))
    judge = monitor.get("judge")
    rules = judge.get("rules") if isinstance(judge, dict) else None
    for at, rule in enumerate(rules if isinstance(rules, list) else ()):
        name = rule.get("next") if isinstance(rule, dict) else None
        if isinstance(name, str) and name not in known and name not in _ENDS:
            notes.mistake("judge_target_unknown", (*path, "judge", "rules", at, "next"), active)


def _is_one_of(value: JsonValue, names: set[str]) -> bool:
    return isinstance(value, str) and value in names
