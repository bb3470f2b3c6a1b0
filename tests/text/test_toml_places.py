"""Places in TOML: every key and value that the standard reader gives is found where it is."""

import tomllib
from typing import Any

import pytest

from stepflow_gui.text.toml_places import Path, TomlPlaces

TEXT = """\
# a comment with [brackets] = "x"
select = ["ALL", 'SF2',
  "SF301", # why, [really]
]
"quoted.key" = 1
a.b.c = { x = "}", y = [1, 2] }
long = \"\"\"
[not a table]
key = 1
\"\"\"

[severity]
SF201 = "warning"

[[per-path]]
paths = ["a/**"]
[per-path.severity]
SF301 = 'info'
[[per-path]]
paths = []
until = 2026-12-31
"""


def paths_of(value: Any, path: Path = ()) -> list[tuple[Path, Any]]:
    found = [(path, value)] if path else []
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in below:
        found += paths_of(inner, (*path, key))
    return found


def test_every_key_has_its_place() -> None:
    places = TomlPlaces(TEXT)
    for path, _value in paths_of(tomllib.loads(TEXT)):
        span = places.keys.get(path) or places.values.get(path)
        assert span is not None, path
        if isinstance(path[-1], str) and path[-1] != "quoted.key":
            assert TEXT[slice(*span)].endswith(path[-1]), path


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (("select", 1), "'SF2'"),
        (("select", 2), '"SF301"'),
        (("a", "b", "c", "x"), '"}"'),
        (("a", "b", "c", "y", 1), "2"),
        (("severity", "SF201"), '"warning"'),
        (("per-path", 0, "severity", "SF301"), "'info'"),
        (("per-path", 1, "until"), "2026-12-31"),
        (("quoted.key",), "1"),
    ],
)
def test_values_stand_where_they_are(path: Path, text: str) -> None:
    assert TEXT[slice(*TomlPlaces(TEXT).value(path))] == text


def test_what_has_no_place_of_its_own_stands_where_the_table_around_it_does() -> None:
    places = TomlPlaces(TEXT)
    assert places.key(("per-path", 1, "gone")) == places.keys["per-path", 1]
    assert places.key(("gone",)) == (0, 0)


@pytest.mark.parametrize(
    "text", ["= 1", "[", "a = [1,", "a = {b", "]", '"open', "a = \n\n}", "\r", "[[x", "a = " + "[" * 3000, "a." * 3000]
)
def test_what_is_no_toml_ends(text: str) -> None:
    TomlPlaces(text)


def test_windows_line_ends() -> None:
    text = TEXT.replace("\n", "\r\n")
    assert text[slice(*TomlPlaces(text).value(("severity", "SF201")))] == '"warning"'
