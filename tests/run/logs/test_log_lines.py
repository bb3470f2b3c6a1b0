"""Lines of logs: both formats, what is cut off, odd, huge or appended later."""

import io
import json
from pathlib import Path

import pytest

from stepflow_gui.run.logs import lines
from stepflow_gui.run.logs.lines import LogLines


def values(data: bytes) -> tuple[list[object], LogLines]:
    reader = LogLines(io.BytesIO(data))
    return [line.value for line in reader], reader


def test_a_text_line_is_the_same_as_its_json() -> None:
    text = b'[2026-04-20T10:00:00.011Z] [INFO] [FlowLoop] Enter {"iteration":1,"stepId":"initial.issue"}\n'
    found, _reader = values(text)
    assert found == [
        {
            "timestamp": "2026-04-20T10:00:00.011Z",
            "level": "info",
            "message": "[FlowLoop] Enter",
            "metadata": {"iteration": 1, "stepId": "initial.issue"},
        }
    ]


@pytest.mark.parametrize(
    ("message", "text", "data"),
    [
        ("Agent failed", "Agent failed", None),
        ('said {x} and {"a": {"b": 1}}', "said {x} and", {"a": {"b": 1}}),
        ("ends with } a brace }", "ends with } a brace }", None),
        ('{"a": 1}', '{"a": 1}', None),  # no message before it
    ],
)
def test_the_data_of_a_text_line_is_its_last_part(message: str, text: str, data: object) -> None:
    found, _reader = values(f"[2026-04-20T10:00:00Z] [WARN] {message}\r\n".encode())
    (value,) = found
    assert isinstance(value, dict)
    assert (value["message"], value.get("metadata")) == (text, data)


def test_odd_lines_are_counted_and_skipped() -> None:
    deep = b"[" * 100_000
    found, reader = values(b'{"a":1}\nnot json\n\n[1]\n"text"\n' + deep + b'\n{"a":2}\n\xff\xfe\n')
    assert found == [{"a": 1}, {"a": 2}]
    assert (reader.count, reader.skipped, reader.is_cut) == (8, 5, False)


def test_a_line_that_is_too_long_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST", 40)
    long = json.dumps({"a": "x" * 200}).encode()
    found, reader = values(long + b'\n{"a":2}\n')
    assert found == [{"a": 2}]
    assert (reader.count, reader.skipped) == (2, 1)


def test_an_incomplete_last_line_is_read_once_it_is_complete(tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_bytes(b'{"a":1}\n{"a":')
    with file.open("rb") as opened:
        reader = LogLines(opened)
        assert [line.number for line in reader] == [1]
        assert reader.is_cut
        with file.open("ab") as more:
            more.write(b'2}\n{"a":3}')
        assert [(line.number, line.value) for line in reader] == [(2, {"a": 2}), (3, {"a": 3})]
        assert not reader.is_cut


def test_many_braces_cost_no_more_than_the_line_is_long() -> None:
    found, _reader = values(b"[2026-04-20T10:00:00Z] [INFO] " + b' {"' * 200_000 + b"}\n")
    assert len(found) == 1
