"""YAML read as the values of JSON, with lines."""

import pytest

from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.yaml.values import YamlProblem, YamlValues, read_yaml


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("a: [1, 0x1f, 0o17, -3, 1_000]", {"a": [1, 31, 15, -3, 1000]}),
        ("a: [true, false, ~, null, yes, 'true']", {"a": [True, False, None, None, "yes", "true"]}),
        ("a: [1.5, 1e3, 2026-01-02, 007]", {"a": [1.5, 1000.0, "2026-01-02", 7]}),
        ("1: x", {"1": "x"}),
        ("a: &x {b: 1}\nc: *x", {"a": {"b": 1}, "c": {"b": 1}}),
        ("a: |\n  one\n  two\n", {"a": "one\ntwo\n"}),
    ],
)
def test_values(text: str, value: JsonValue) -> None:
    found = read_yaml(text)
    assert isinstance(found, YamlValues), found
    assert found.value == value


def test_lines() -> None:
    found = read_yaml("a:\n  - 1\n  - b/c: 2\n")
    assert isinstance(found, YamlValues)
    assert [found.line_of(pointer) for pointer in ("", "/a", "/a/0", "/a/1/b~1c", "/none")] == [1, 2, 2, 3, 1]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: b: c", YamlProblem("syntax", 1)),
        ("\na: [", YamlProblem("syntax", 2)),
        ("a: 1\n---\nb: 2", YamlProblem("syntax", 2)),
        ("a: *x", YamlProblem("syntax", 1)),
        ("? [1]\n: 2", YamlProblem("key", 1)),
        ("a: .nan", YamlProblem("number", 1)),
        ("a: &a [*a]", YamlProblem("nested", 1)),
        ("[" * 3000, YamlProblem("syntax", 1)),
    ],
)
def test_problems(text: str, problem: YamlProblem) -> None:
    assert read_yaml(text) == problem


def test_aliases_that_make_many_out_of_few_end_early() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    found = read_yaml("\n".join(lines))
    assert isinstance(found, YamlProblem)
    assert found.kind == "nested"
