"""What every release of TAKT loads, refuses and drops is what its own loader did."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.takt.detect import is_piece
from stepflow_gui.formats.takt.releases import sets
from stepflow_gui.formats.takt.releases.loading import HeldAgainstReleases, held_against_releases
from stepflow_gui.formats.takt.releases.notes import GIVEN_TWICE, Surroundings
from stepflow_gui.formats.takt.releases.table import GENERATIONS, KEYS, RELEASES, VALUES
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import read_yaml_tree

_STATUSES = {"used": "read", "ignored": "dropped", "refused": "refused", "n/a": ""}
_HERE = Surroundings(option_files=frozenset())  # the tree around the cases has none


@pytest.fixture(scope="module")
def versions(conformance: Path) -> Path:
    folder = conformance / "takt" / "versions"
    if not folder.is_dir():
        pytest.skip("no cases by release there")
    return folder


def _label(key: str) -> str:
    """A key of the recorded table as our rows name it: without the remarks in brackets."""
    if key.endswith(("(unknown key)", ".(unknown)")):
        return key.replace("(unknown key)", "*").replace("(unknown)", "*")
    if "when(…):" in key:
        return key.partition(":")[0]
    return key if "only starts with" in key else key.partition(" (")[0]


def _facts(versions: Path) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads((versions / "versions.json").read_text(encoding="utf-8"))
    return facts


def test_releases_and_generations_are_those_known(versions: Path) -> None:
    facts = _facts(versions)
    assert [each["version"] for each in facts["releases"]] == list(RELEASES)
    known = {each["id"]: each["from"] for each in facts["generations"] if each["from"] in RELEASES}
    assert known == GENERATIONS


def test_the_rows_are_what_loaders_did(versions: Path) -> None:
    wrong, seen = [], set()
    for each in _facts(versions)["keys"]:
        expected: dict[str, int] = defaultdict(int)
        for run in each["runs"]:
            expected[_STATUSES[run["status"]]] |= sets.between(run["from"], run["to"])
        seen.add((each["level"], _label(each["key"])))
        found = sets.row(each["level"], _label(each["key"]))
        if found != (expected["read"], expected["dropped"], expected["refused"]):
            wrong.append((each["level"], each["key"], found))
    assert not wrong
    assert seen == {(level, key) for level, rows in KEYS.items() for key in rows}


def test_the_values_are_what_loaders_took(versions: Path) -> None:
    facts = _facts(versions)["enums"]
    assert {key: set(values) for key, values in facts.items()} == {key: set(values) for key, values in VALUES.items()}
    for key, values in facts.items():
        for value, ranges in values.items():
            found = sets.value_row(key, value)
            taken = 0
            for first, last in ranges:
                taken |= sets.between(first, last)
            assert found is not None
            assert found.read == taken, (key, value)


def _written(path: tuple[str | int, ...]) -> str:
    parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in path]
    return "".join(parts).removeprefix(".")


def _dropped(held: HeldAgainstReleases) -> dict[str, int]:
    """By place: the releases that load the file and drop what is there. Not keys in a group without effect."""
    found: dict[str, int] = defaultdict(int)
    for note in held.dropped:
        if note.reason in {"dropped", GIVEN_TWICE}:  # of two that say the same either can go
            found[_written(note.path)] |= note.releases & held.loads
    return {path: releases for path, releases in found.items() if releases}


def _differences(case: dict[str, Any]) -> list[str]:
    held = held_against_releases(read_yaml_tree(Source(case["yaml"])), _HERE)
    loads = 0
    dropped: dict[str, int] = defaultdict(int)
    for each in case["by_release"]:
        releases = sets.between(each["from"], each["to"])
        loads |= releases if each["loads"] else 0
        for path in each.get("dropped", ()):
            dropped[path] |= releases
    wrong = []
    if held.loads != loads:
        too_many, missing = sets.written(held.loads & ~loads), sets.written(loads & ~held.loads)
        wrong.append(f"{case['id']}: loads in [{too_many}] too many, is left out of [{missing}]")
    found = _dropped(held)
    wrong += [
        f"{case['id']}: {path} dropped by [{sets.written(found.get(path, 0))}], not [{sets.written(dropped[path])}]"
        for path in sorted({*found, *dropped})
        if found.get(path, 0) != dropped[path]
    ]
    return wrong


def test_every_case_loads_and_drops_in_every_release_as_recorded(versions: Path) -> None:
    cases = [
        case
        for path in sorted((versions / "cases").glob("*.json"))
        for case in json.loads(path.read_text(encoding="utf-8"))
    ]
    wrong = [difference for case in cases for difference in _differences(case)]
    assert not wrong, "\n".join(wrong)
    assert cases


def test_upstreams_own_files_load_in_the_release_that_they_came_with(corpus: Path) -> None:
    everything = Surroundings(mcp_servers=True, command_gates=True)
    wrong, seen = [], 0
    for folder, release in (("seed-era", "0.8.0-alpha.1"), ("head", "head")):
        for path in sorted((corpus / "takt" / folder / "builtins").rglob("*.yaml")):
            tree = read_yaml_tree(Source(path.read_text(encoding="utf-8-sig")))
            if tree.root is None or not is_piece(tree.root.value):
                continue
            seen += 1
            refused = held_against_releases(tree, everything).refusals_by(sets.between(release, release))
            wrong += [f"{path}: {note.reason} at {note.path}" for note in refused]
    assert not wrong, "\n".join(wrong)
    assert seen
