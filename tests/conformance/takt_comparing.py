"""Cases recorded from TAKT, compared with what was made of them."""

import json
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

Case = dict[str, Any]


def case_file(conformance: Path, name: str) -> Case:
    """A case file, such as `seed/tags.json`; skips where it is absent."""
    path = conformance / "takt" / name
    if not path.is_file():
        pytest.skip(f"no {name} in {path.parent.parent}")
    data: Case = json.loads(path.read_text(encoding="utf-8"))
    return data


def recorded(conformance: Path, name: str) -> list[Case]:
    """The cases of one file, without upstream's accidents (`quirk`)."""
    return [case for case in case_file(conformance, name)["cases"] if not case.get("quirk")]


def files_beside(conformance: Path, name: str) -> dict[str, str]:
    """The files that the cases of one file lie beside: path → text."""
    files: dict[str, str] = case_file(conformance, name).get("files", {})
    return files


def report(subtests: pytest.Subtests, cases: Iterable[Case], observe: Callable[[Case], Case]) -> None:
    """Each case as a row: its expected keys were observed as they are; keys of ours beside them don't count."""
    each_row(subtests, cases, partial(_compare, observe))


def _compare(observe: Callable[[Case], Case], case: Case) -> None:
    expected, found = case["expect"], observe(case)
    assert {key: found.get(key) for key in expected} == expected


def each_row(subtests: pytest.Subtests, cases: Iterable[Case], check: Callable[[Case], None]) -> None:
    """Each case as a row of its own, whatever becomes of the others."""
    for case in cases:
        with subtests.test(case["id"]):
            check(case)
