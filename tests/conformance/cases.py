"""Reads case files: one case per line in `cases`, with the versions it holds for."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt import eras
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.formats.climpt.registry import read_registry
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source

Case = dict[str, Any]

# The data's names of the upstream commits.
ERA_OF = {
    "1.14": eras.CLIMPT_1_14,
    "HEAD": eras.CLIMPT_2026_04_20,
    "0408": eras.CLIMPT_2026_04_08,
    "001": eras.CLIMPT_2026_04_01,
    "000": eras.CLIMPT_2026_03_14,
    "002": eras.CLIMPT_2026_01_18,
    "003": eras.CLIMPT_2026_01_09,
}


def case_file(folder: Path, name: str, data_set: str = "climpt") -> dict[str, Any]:
    """A case file of the climpt data, or of another set; skips where it is absent."""
    path = folder / data_set / name
    if not path.is_file():
        pytest.skip(f"no {name} in {folder}")
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def each_version(data: Case) -> Iterator[tuple[str, Era, Case]]:
    """Every case once for each version that it names and that we know: label, era, case."""
    for case in data["cases"]:
        versions = case["version"] if isinstance(case["version"], list) else [case["version"]]
        for version in versions:
            if version in ERA_OF:
                yield f"{case['id']} at {version}", ERA_OF[version], case


def flow_of(registry: dict[str, Any], era: Era) -> Flow:
    """A registry as the product reads it."""
    document = ParsedFile.read(Path("steps_registry.json"), Source(json.dumps(registry)))
    if era.entry_pairs:
        return read_registry(document, "adt-kind-address")
    return read_registry(document, "closing" if era.kinds else "complete")


def report(subtests: pytest.Subtests, observations: Iterable[tuple[str, Case, Callable[[], Any]]]) -> None:
    """Each case as a row of its own: what is observed of it is what it expects.

    A `quirk` case may fail in another form than upstream, or not at all; where upstream gives a result, so must we.
    """
    for label, case, observe in observations:
        with subtests.test(label, tag=case.get("tag", case.get("name"))):
            expected, observed = case["expect"], observe()
            excused = case.get("quirk") and "error" in expected
            assert excused or observed == expected
