"""Every row of the table of export formats: files by each ending, the options that it takes, help and documents."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from stepflow_gui.export.formats import FORMATS

from .conftest import Ran, Run, Write

OPTIONS = {
    "scale": ["--scale", "2"],
    "theme": ["--theme", "dark"],
    "auto": ["--theme", "auto"],
    "lint": ["--lint"],
    "coverage": ["--coverage", "t.jsonl"],
    "checks": ["--no-checks"],
}


def root_tag(data: bytes) -> str:
    return ET.fromstring(data).tag


# What a file of a format is known by. A new format needs a row.
IS_OF_FORMAT: dict[str, Callable[[bytes], bool]] = {
    "svg": lambda data: root_tag(data) == "{http://www.w3.org/2000/svg}svg",
    "png": lambda data: data.startswith(b"\x89PNG\r\n") and b"IEND" in data[-12:],
    "pdf": lambda data: data.startswith(b"%PDF-") and data.rstrip().endswith(b"%%EOF"),
    "mermaid": lambda data: data.startswith(b"%% Stepflow\nflowchart TD\n") and b"initial.issue" in data,
    "dot": lambda data: data.startswith(b"// Stepflow\ndigraph ") and b"initial.issue" in data,
    "html": lambda data: data.startswith(b"<!DOCTYPE html>\n") and data.endswith(b"</html>\n"),
    "json": lambda data: json.loads(data)["stepflow-flow"] == 1 and bool(json.loads(data)["steps"]),
    "text": lambda data: data.startswith(b"# Stepflow\n") and b"\nstep initial.issue" in data,
}


def is_of(format_id: str, data: bytes) -> bool:
    assert format_id in IS_OF_FORMAT, f"add a row for {format_id!r} to IS_OF_FORMAT in tests/cli/test_export_formats.py"
    return IS_OF_FORMAT[format_id](data)


@pytest.fixture
def export(run: Run, spawn: Run, write_agent: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Export the example agent to a file of the current folder; what Qt paints in a process of its own."""
    write_agent("a")
    monkeypatch.chdir(tmp_path)
    assert run("run", "a", "--random", "1", "--trace", "t.jsonl", "--simulate", "-q").code in {0, 1}

    def exported(format_id: str, *arguments: str) -> Ran:
        if not FORMATS[format_id].painted:
            return run("export", "a", *arguments)
        pytest.importorskip("PySide6.QtWidgets", exc_type=ImportError)
        return spawn("export", "a", *arguments, cwd=tmp_path)

    return exported


@pytest.mark.parametrize(
    ("format_id", "ending"), [(format_id, ending) for format_id, each in FORMATS.items() for ending in each.endings]
)
def test_a_files_ending_means_the_format(format_id: str, ending: str, export: Run) -> None:
    for name in (f"x{ending}", f"y{ending.upper()}"):
        assert export(format_id, "-o", name) == (0, "", "")
        data = Path(name).read_bytes()
        assert is_of(format_id, data)
        assert FORMATS[format_id].mark in data


def test_no_ending_means_two_formats() -> None:
    endings = [ending for each in FORMATS.values() for ending in each.endings]
    assert sorted(endings) == sorted(set(endings))
    assert [ending for ending in endings if not ending.startswith(".") or ending != ending.lower()] == []


@pytest.mark.slow
@pytest.mark.parametrize("format_id", FORMATS)
def test_a_format_takes_the_options_of_its_row(format_id: str, export: Run) -> None:
    taken = FORMATS[format_id].takes
    for option, words in OPTIONS.items():
        done = export(format_id, "--format", format_id, "-o", "x", *words)
        takes = "takes" if option in taken else "doesn't take"
        assert done.code == (0 if option in taken else 2), f"by its row {format_id} {takes} {option!r}: {done.err}"
        if option in taken:
            assert is_of(format_id, Path("x").read_bytes())


@pytest.mark.parametrize("format_id", FORMATS)
def test_help_and_documents_name_the_format(format_id: str, run: Run, checkout: Path) -> None:
    listed = run("export", "--help").out.split("--format FORMAT", 1)[1].split("(default", 1)[0]
    assert format_id in listed.replace(",", " ").split()
    pages = [checkout / "docs/export.md", checkout / "docs/ja/export.md"]
    left = [page for page in pages if not re.search(rf"^\|[^|]*`{format_id}`", page.read_text("utf-8"), re.MULTILINE)]
    assert not left, f"no row begins with `{format_id}` in the table of {' and '.join(map(str, left))}"
