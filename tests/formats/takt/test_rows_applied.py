"""Every key of the table of releases is looked for where it stands in a file, and has the results of its row there."""

from collections.abc import Iterator
from typing import Any

import pytest

from stepflow_gui.formats.takt.releases.loading import HeldAgainstReleases, hold_root
from stepflow_gui.formats.takt.releases.notes import Notes, Path, Surroundings
from stepflow_gui.formats.takt.releases.places import row_within
from stepflow_gui.formats.takt.releases.sets import before, between, row, since, written
from stepflow_gui.formats.takt.releases.table import KEYS

ALLOWED = Surroundings(mcp_servers=True, command_gates=True, prepare_scripts=True)
LISTS = {"steps": before("0.4.0") | since("0.34.0"), "movements": between("0.4.0", "0.33.2")}
IN_MONITORS = before("0.7.0-alpha.1")  # which drop the monitors as a whole
OBJECTS = ("team_leader", "arpeggio")
VALUES: dict[str, Any] = {
    **dict.fromkeys(("threshold", "max_iterations", "max_movements", "max_steps", "max_parts"), 3),
    **dict.fromkeys(("edit", "pass_previous_response", "allow_git_commit"), True),
    **dict.fromkeys(("requires_user_input", "interactive_only"), True),
    **{key: {} for key in ("mcp_servers", "team_leader", "arpeggio", "piece_config", "workflow_config", "runtime")},
    **{key: [] for key in ("loop_monitors", "transitions", "rules", "allowed_tools")},
    **dict.fromkeys(("initial_step", "initial_movement"), "plan"),
    "interactive_mode": "persona",
    "required_permission_mode": "edit",
    "permission_mode": "edit",
    "session": "continue",
    "provider": "claude",
    "provider_options": {"claude": {}},
    "parallel": [{"name": "a"}],
    "quality_gates": ["x"],
    "ignore_steps": ["plan"],
    "on_no_status": "stay",
}
BY_WHAT_IS_BESIDE = {  # refused for another reason in a file as small as these
    *(("top", each) for each in ("steps", "movements", "auto_routing")),
    ("step", "overrides"),
    ("sub", "step"),
}


def _rows() -> Iterator[tuple[str, str]]:
    """Those of a key whatever its value."""
    for level, keys in KEYS.items():
        for key in keys:
            parts = key.split(".")
            is_key = all(part.isidentifier() or part in {"*", "$ref"} for part in parts)
            if is_key and (level, key) not in BY_WHAT_IS_BESIDE:
                yield level, key


def _file(level: str, word: str) -> tuple[dict[str, Any], dict[str, Any], Path]:
    """A small file, an object of a level in it, and its place."""
    rule = {"condition": "a", "next": "COMPLETE"}
    step: dict[str, Any] = {"name": "plan", "instruction": "x", "rules": [dict(rule)]}
    sub: dict[str, Any] = {"name": "a", "rules": [dict(rule)]}
    judge: dict[str, Any] = {"rules": [dict(rule)]}
    monitor: dict[str, Any] = {"cycle": ["plan", "plan"], "judge": judge}
    root: dict[str, Any] = {"name": "f", word: [step]}
    if level in {"sub", "sub_rule", "parent"}:
        step["parallel"] = [sub]
    if level in {"monitor", "judge"}:
        root["loop_monitors"] = [monitor]
    if level in OBJECTS:
        step[level] = {}
    here: dict[str, tuple[dict[str, Any], Path]] = {
        "top": (root, ()),
        **dict.fromkeys(("step", "parent"), (step, (word, 0))),
        "rule": (step["rules"][0], (word, 0, "rules", 0)),
        "sub": (sub, (word, 0, "parallel", 0)),
        "sub_rule": (sub["rules"][0], (word, 0, "parallel", 0, "rules", 0)),
        "monitor": (monitor, ("loop_monitors", 0)),
        "judge": (judge, ("loop_monitors", 0, "judge")),
        **{each: (step.get(each, {}), (word, 0, each)) for each in OBJECTS},
    }
    return root, *here[level]


@pytest.mark.parametrize(("level", "key"), [*_rows()])
def test_a_key_has_the_results_of_its_row(level: str, key: str) -> None:
    expected = row(level, key)
    assert expected is not None
    parts = tuple("zzz" if part == "*" else part for part in key.split("."))
    for word, reading in LISTS.items():
        root, holder, place = _file(level, word)
        for part in parts[:-1]:
            holder = holder.setdefault(part, {})
        holder[parts[-1]] = VALUES.get(parts[-1], "x")
        notes = Notes(ALLOWED)
        hold_root(notes, root)
        held = HeldAgainstReleases(notes.refused, notes.dropped)
        dropped, refused = 0, 0
        for length in range(len(place) + (level not in OBJECTS), len(place) + len(parts) + 1):
            path = (*place, *parts)[:length]
            dropped, refused = dropped | held.dropping(path), refused | held.refusing(path)
        elsewhere = IN_MONITORS if level in {"monitor", "judge"} else 0
        looked_at = reading & ~elsewhere
        assert written(dropped & looked_at) == written(expected.dropped & looked_at), word
        assert written(refused & looked_at) == written(expected.refused & looked_at), word


def test_the_row_of_a_setting_inside_another_is_found_by_its_place() -> None:
    inside = ("steps", 0, "provider_options", "claude", "allowed_tools")
    assert row_within(inside) == row("step", "provider_options.claude.allowed_tools")
    assert row_within(("movements", 1, "parallel", 0, *inside[2:])) == row_within(inside)
    assert row_within(("workflow_config", "model")) == row("top", "workflow_config.model")
    assert row_within((*inside[:-1], "other")) is None
