"""Reports: code frames that line up, lines that nothing in a file can forge, JSON of the promised shape."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.lint.diagnostic import Range
from stepflow_gui.lint.engine.outcome import LintOutcome, judge
from stepflow_gui.lint.report.full import FullReport, frame
from stepflow_gui.lint.report.json import json_report
from stepflow_gui.lint.report.printable import printable, width
from stepflow_gui.text.source import Source

from .conftest import Open

STEP = "/steps/initial.issue"


def marked(text: str, what: str, context: int = 0) -> list[str]:
    source = Source(text)
    start = text.index(what)
    where = Range(source.position(start), source.position(start + len(what)))
    return [line.text for line in frame(source, where, context=context)]


def test_carets_stand_below_what_is_meant() -> None:
    assert marked('{"a": 1}', '"a"') == ['{"a": 1}', " ^^^"]


def test_full_width_and_combining_characters_keep_the_carets_in_line() -> None:
    assert marked('{"名前": 1, "b": 2}', '"b"') == ['{"名前": 1, "b": 2}', " " * 12 + "^^^"]
    assert marked('{"e\u0301": 1, "b": 2}', '"b"')[1] == " " * 9 + "^^^"
    assert marked('{"名前": 1}', '"名前"')[1] == " ^^^^^^"


def test_tabs_are_shown_as_blanks() -> None:
    assert marked('\t\t"a": 1', '"a"') == ['        "a": 1', "        ^^^"]


def test_of_a_long_line_the_part_around_the_place_is_shown() -> None:
    text = "[" + "1, " * 1000 + '"here"' + ", 2" * 1000 + "]"
    shown, carets = marked(text, '"here"')
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert len(shown) < 120
    assert shown[carets.index("^") : carets.rindex("^") + 1] == '"here"'


def test_of_a_place_over_several_lines_the_first_is_marked() -> None:
    assert marked('{\n  "a": [\n    1\n  ]\n}', "[\n    1\n  ]") == ['  "a": [', "       ^"]


def test_the_lines_around_are_shown() -> None:
    assert marked('{\n  "a": 1,\n  "b": 2\n}', '"a"', context=1) == ["{", '  "a": 1,', "  ^^^", '  "b": 2']


def test_the_end_of_a_text_can_be_marked() -> None:
    source = Source("{\n")
    end = source.position(2)
    assert [line.text for line in frame(source, Range(end, end), context=0)] == ["", "^"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb", "a\\nb"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\x85", "\\x85"),
        ("\u2028", "\\u2028"),
        ("\u202eabc", "\\u202eabc"),
        ("\ud800", "\\ud800"),
        ("日本語 “é” 👍", "日本語 “é” 👍"),
    ],
)
def test_nothing_in_a_text_moves_the_cursor(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_width() -> None:
    assert [width(text) for text in ("abc", "日本", "ｱ", "e\u0301", "")] == [3, 4, 1, 1, 0]


FORGED = "x\nregistry.json:1:1: error SF000: forged\x1b[2K"


def test_names_in_a_file_forge_no_line(open_example: Open) -> None:
    agent = open_example({f"{STEP}/transitions/next/target": FORGED, f"/steps/{FORGED}": 7})
    lines = list(FullReport(judge([agent]), agent.root).lines())
    assert not any(line.startswith("registry.json") for line in lines)
    assert not any("\x1b" in line for line in lines)


def test_colours_are_there_where_they_are_wanted(open_example: Open) -> None:
    agent = open_example({"/entryStep": "gone"})
    outcome = judge([agent])
    colored = "\n".join(FullReport(outcome, agent.root, color=True).lines())
    assert "\x1b[1;31merror SF402\x1b[0m" in colored
    assert "\x1b" not in "\n".join(FullReport(outcome, agent.root).lines())


def test_the_sum_names_what_there_is(open_example: Open) -> None:
    agent = open_example({"/entryStep": "gone", f"{STEP}/name": 7, f"{STEP}/fallbackKey": "aB"})
    assert list(FullReport(judge([agent]), agent.root).lines())[-1] == "1 error, 1 warning, 1 info in 1 file"
    assert list(FullReport(judge([]), agent.root).lines())[-1] == "No problems in 0 files"


# JSON


def report(outcome: LintOutcome, folder: Path) -> dict[str, Any]:
    found = json.loads(json_report(outcome, folder).encode("utf-8"))
    assert isinstance(found, dict)
    return found


def keys(value: Any) -> Any:
    """The shape of a JSON value: its keys in order, at all levels; of lists the first element's."""
    if isinstance(value, dict):
        return {key: keys(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [keys(value[0])] if value else []
    return type(value).__name__


PLACE = {"line": "int", "column": "int", "offset": "int"}
RANGE = {"start": PLACE, "end": PLACE}


def test_the_shape_is_the_promised_one(open_example: Open) -> None:
    agent = open_example(
        {f"{STEP}/transitions/next/target": "continuation.isue", "/validationSteps": {"continuation.isue": {}}}
    )
    assert keys(report(judge([agent]), agent.root)) == {
        "version": "int",
        "files": ["str"],
        "diagnostics": [
            {
                "code": "str",
                "name": "str",
                "severity": "str",
                "message": "str",
                "file": "str",
                "format": "str",
                "pointer": "str",
                "step": "str",
                "range": RANGE,
                "related": [{"file": "str", "pointer": "str", "range": RANGE, "message": "str"}],
                "fixes": [
                    {
                        "title": "str",
                        "safe": "bool",
                        "guess": "bool",
                        "edits": [{"file": "str", "range": RANGE, "text": "str"}],
                    }
                ],
            }
        ],
        "summary": {"errors": "int", "warnings": "int", "infos": "int", "suppressed": "int", "files": "int"},
    }


def test_places_count_code_points_without_the_byte_order_mark(open_example: Open) -> None:
    agent = open_example()
    data = agent.registry.path.read_bytes().replace(b'"agentId": "issue-flow"', '"agentId": "👍", "c2": 1'.encode())
    data = data.replace(b'"version": "1.0.0"', b'"version": ""').replace(b"\n", b"\r\n")
    agent.registry.path.write_bytes(b"\xef\xbb\xbf" + data)
    text = data.decode("utf-8")
    found = report(judge([agent.reread([agent.registry.path])]), agent.root)["diagnostics"]
    empty = next(each for each in found if each["pointer"] == "/version")
    offset = text.index('""')
    assert empty["range"]["start"] == {"line": 3, "column": 14, "offset": offset}
    assert empty["range"]["end"] == {"line": 3, "column": 16, "offset": offset + 2}


def test_paths_are_relative_inside_the_folder_and_absolute_outside(open_example: Open, tmp_path: Path) -> None:
    agent = open_example({"/entryStep": "gone"})
    inside = report(judge([agent]), tmp_path)
    assert inside["files"] == [".agent/issue-flow/steps_registry.json"]
    assert inside["diagnostics"][0]["file"] == inside["files"][0]
    outside = report(judge([agent]), tmp_path / "elsewhere")
    assert outside["files"] == [agent.registry.path.as_posix()]


def test_what_no_encoding_holds_is_written_as_an_escape(open_example: Open) -> None:
    agent = open_example({f"{STEP}/transitions/next/target": "\ud800é"})
    found = [each for each in report(judge([agent]), agent.root)["diagnostics"] if each["code"] == "SF301"]
    assert "\ud800é" in found[0]["message"]


def test_clean_files_are_listed(open_example: Open) -> None:
    agent = open_example()
    found = report(judge([agent]), agent.root)
    assert found["diagnostics"] == []
    assert found["summary"] == {"errors": 0, "warnings": 0, "infos": 0, "suppressed": 0, "files": 1}
    assert len(found["files"]) == 1
