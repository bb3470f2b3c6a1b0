"""Each file that a release of TAKT loads, taken to others: they load it, or it is said what they refuse."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.takt.migrating.migration import Migration, MigrationRefusal, migrated
from stepflow_gui.formats.takt.releases.loading import held_against_releases
from stepflow_gui.formats.takt.releases.sets import Releases, between, names
from stepflow_gui.formats.takt.releases.table import GENERATIONS, RELEASES
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import read_yaml_tree

LASTS = [RELEASES[RELEASES.index(first) - 1] for first in list(GENERATIONS.values())[1:]] + [RELEASES[-2]]


def _single(name: str) -> Releases:
    return between(name, name)


@pytest.fixture(scope="module")
def cases(conformance: Path) -> list[dict[str, Any]]:
    files = sorted((conformance / "takt/versions/cases").glob("*.json"))
    return [case for file in files for case in json.loads(file.read_text("utf-8"))]


@pytest.mark.slow
def test_a_file_goes_to_every_generation(cases: list[dict[str, Any]], full: bool) -> None:
    """One case in six; --full: each."""
    wrong = []
    for case in cases if full else cases[::6]:
        source = Source(case["yaml"])
        loads = held_against_releases(read_yaml_tree(source)).loads
        for name in LASTS:
            release = _single(name)
            found = migrated(source, release)
            if isinstance(found, MigrationRefusal):
                wrong += [(case["id"], name, found.message)] if loads & release else []
                continue
            after = held_against_releases(read_yaml_tree(Source(found.text))).loads
            if bool(after & release) == bool(found.refused) or (loads & release and not after & release):
                wrong.append((case["id"], name, str(found.refused)))
    assert wrong == []


def test_there_and_back_between_neighbours_is_the_same_text(cases: list[dict[str, Any]]) -> None:
    """Where nothing is reported on the one side, the other side goes back."""
    tried = 0
    wrong = []
    for case in cases:
        source = Source(case["yaml"])
        held = held_against_releases(read_yaml_tree(source))
        own = names(held.reads_all)
        if not own:
            continue
        start, later = _single(own[-1]), RELEASES.index(own[-1]) + 1
        if later >= len(RELEASES):
            continue
        there = migrated(source, _single(RELEASES[later]), start)
        if not isinstance(there, Migration) or there.left or there.refused or there.text == source.text:
            continue
        back = migrated(Source(there.text), start, _single(RELEASES[later]))
        assert isinstance(back, Migration)
        if back.left:
            continue  # a change that can't be taken back, such as that of reports
        tried += 1
        if back.text not in (source.text, there.text):  # some releases read both words
            wrong.append((case["id"], own[-1], RELEASES[later], back))
    assert wrong == []
    assert tried > 3
