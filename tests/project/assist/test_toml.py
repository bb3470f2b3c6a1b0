"""Completion and help in a TOML configuration, also while it is half written."""

import tomllib

import pytest

from stepflow_gui.lint.config.fields import CONFIG
from stepflow_gui.project.assist.names import Name
from stepflow_gui.project.assist.toml_completion import TomlTable, toml_about, toml_completions
from stepflow_gui.project.assist.toml_context import toml_context_at


def words(path: tuple[str | int, ...]) -> list[Name]:
    return [Name("SF301", "target-unknown"), Name("SF201")] if path[0] in {"select", "ignore", "severity"} else []


TABLE = TomlTable(CONFIG, (), words)
IN_PYPROJECT = TomlTable(CONFIG, ("tool", "stepflow"), words)


def completed(marked: str, table: TomlTable = TABLE) -> dict[str, str]:
    """What a text becomes, by the label taken at the |."""
    offset = marked.index("|")
    text = marked.replace("|", "", 1)
    found = toml_completions(table, text, offset)
    return {item.label: text[: found.span.start] + item.text + text[found.span.end :] for item in found.items}


@pytest.mark.parametrize(
    ("marked", "expects", "path", "typed"),
    [
        ("|", "key", (), ""),
        ("sel|ect = []", "key", (), "sel"),
        ("select = |", "value", ("select",), ""),
        ('select = ["SF|"]', "value", ("select", 0), "SF"),
        ('select = ["SF1", |]', "value", ("select", 0), ""),
        ('select = [\n  "SF1", # why\n  |\n]', "value", ("select", 0), ""),
        ("[sev|]", "header", (), "sev"),
        ("[severity]\n|", "key", ("severity",), ""),
        ("[[suppress]]\ncode = |", "value", ("suppress", 0, "code"), ""),
        ("[tool.st|]", "header", ("tool",), "st"),
        ("runtime = { clo|", "key", ("runtime",), "clo"),
        ("strict = true |", "nothing", (), ""),
        ("# strict |", "nothing", (), ""),
        ('a = """\n[x]\n|', "nothing", (), ""),
    ],
)
def test_where_a_caret_stands(marked: str, expects: str, path: tuple[str | int, ...], typed: str) -> None:
    found = toml_context_at(marked.replace("|", "", 1), marked.index("|"))
    assert (found.expects, found.path, found.typed) == (expects, path, typed)


def test_keys_come_with_their_value_begun() -> None:
    after = completed("strict = true\n|")
    assert "strict" not in after
    assert after["select"] == "strict = true\nselect = []"
    assert after["baseline"] == 'strict = true\nbaseline = ""'
    for text in after.values():
        tomllib.loads(text)


def test_a_key_that_has_its_value_keeps_it() -> None:
    assert completed("ign| = []")["ignore"] == "ignore = []"


def test_rules_and_choices_are_offered_in_the_quotes_that_are_there() -> None:
    assert completed('select = ["SF|"]') == {"SF301": 'select = ["SF301"]', "SF201": 'select = ["SF201"]'}
    assert completed("select = ['SF3|']") == {"SF301": "select = ['SF301']"}
    assert completed("select = [SF3|]") == {"SF301": 'select = ["SF301"]'}
    assert "closing" in completed("format = |")
    assert completed("strict = t|") == {"true": "strict = true"}
    assert completed("[severity]\nSF3|")["SF301"] == '[severity]\nSF301 = ""'
    assert completed('[severity]\nSF301 = "w|"')["warning"] == '[severity]\nSF301 = "warning"'


def test_tables_are_offered_by_their_whole_names() -> None:
    assert completed("[sev|]") == {"severity": "[severity]"}
    assert completed("[[sup|")["suppress"] == "[[suppress]]"
    assert "suppress" not in completed("[sup|")
    assert completed("[tool.|]", IN_PYPROJECT)["stepflow.severity"] == "[tool.stepflow.severity]"
    assert "code" in completed("[[tool.stepflow.suppress]]\n|", IN_PYPROJECT)
    assert completed("[tool.ruff]\n|", IN_PYPROJECT) == {}


def test_what_a_key_is_for_is_reported() -> None:
    text = "[[suppress]]\nreason = 'x'\nother = 1\n"
    told = toml_about(TABLE, text, text.index("reason") + 2)
    assert told is not None
    assert "SF093" in told.lines[0]
    assert toml_about(TABLE, text, text.index("other") + 2) is None
