"""Cases recorded from TAKT, compared with what was made of them."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def recorded(conformance: Path, name: str) -> list[dict[str, Any]]:
    """The cases of one file, such as `seed/tags.json`, without upstream's accidents (`quirk`)."""
    recorded = json.loads((conformance / "takt" / name).read_text(encoding="utf-8"))
    return [case for case in recorded["cases"] if not case.get("quirk")]


def files_beside(conformance: Path, name: str) -> dict[str, str]:
    """The files that the cases of one file lie beside: path → text."""
    whole = json.loads((conformance / "takt" / name).read_text(encoding="utf-8"))
    files: dict[str, str] = whole.get("files", {})
    return files


def report(observed: Iterable[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    """Fail with every case whose expected keys were observed otherwise; keys of ours beside them don't count."""
    seen, wrong = 0, []
    for case, found in observed:
        seen += 1
        expected = case["expect"]
        if {key: found.get(key) for key in expected} != expected:
            wrong.append(f"{case['id']}: expected {expected}, got {found}")
    assert seen, "no case was compared"
    assert not wrong, "\n".join(wrong)
