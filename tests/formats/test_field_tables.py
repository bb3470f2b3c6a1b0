"""What each row of a field table needs: a meaning in every language, formats that exist, a default of its own shape."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest

import catalogue
from stepflow_gui.formats.checks.fields import REGISTRY as CHECKS
from stepflow_gui.formats.climpt.agent.fields import AGENT
from stepflow_gui.formats.climpt.agent.flat_fields import AGENT_FLAT
from stepflow_gui.formats.climpt.eras import ERAS
from stepflow_gui.formats.climpt.fields import REGISTRY
from stepflow_gui.formats.climpt.vocabulary import REGISTRY_FORMATS
from stepflow_gui.formats.fields import BOOLEAN, STRING, Field, Shape, list_of, object_of
from stepflow_gui.formats.shape_check import misfits
from stepflow_gui.formats.takt.fields import PIECE_FILE
from stepflow_gui.lint.config.fields import CONFIG


class Table(NamedTuple):
    """A table, where it and its Japanese are written, and the names allowed in `Field.formats`."""

    file: str
    po: str
    shape: Shape
    formats: tuple[str, ...]


TABLES = (
    Table("stepflow_gui/formats/climpt/fields.py", "format_fields.po", REGISTRY, REGISTRY_FORMATS),
    Table("stepflow_gui/formats/checks/fields.py", "shapes.po", CHECKS, ("checks",)),
    Table("stepflow_gui/formats/climpt/agent/fields.py", "agent.po", AGENT, tuple(ERAS)),
    Table("stepflow_gui/formats/climpt/agent/flat_fields.py", "agent.po", AGENT_FLAT, tuple(ERAS)),
    Table("stepflow_gui/formats/takt/fields.py", "takt_fields.po", PIECE_FILE, ("piece", "workflow", "other-releases")),
    Table("stepflow_gui/lint/config/fields.py", "lint_config.po", CONFIG, ("config",)),
)
ENTRIES = ".venv/bin/python packaging/catalogue.py missing prints the entry; then: make catalogue"


def objects(shape: Shape, where: str = "", above: tuple[int, ...] = ()) -> Iterator[tuple[str, Shape]]:
    """Each shape with fields below a shape, and the pointer of its values."""
    if id(shape) in above:
        return  # a verdict may hold verdicts
    around = (*above, id(shape))
    if shape.fields:
        yield where, shape
    for alternative in shape.either:
        yield from objects(alternative, where, around)
    if shape.of:
        yield from objects(shape.of, f"{where}/*", around)
    for field in shape.fields:
        yield from objects(field.shape, f"{where}/{field.name}", around)


def fields(shape: Shape) -> Iterator[tuple[str, Field]]:
    """Every field below a shape, and its pointer."""
    for where, holder in objects(shape):
        for field in holder.fields:
            yield f"{where}/{field.name}", field


def problems(table: Table) -> Iterator[str]:
    """What is wrong with the rows of a table, or missing for them."""
    japanese, _wrong = catalogue.translations("ja")
    lacking: set[str] = set()
    for where, holder in objects(table.shape):
        for field in holder.fields:
            place = f"{table.file}: {where}/{field.name}"
            meaning = field.meaning()
            if not meaning or meaning.endswith("."):
                yield f"{place}: its meaning is to be a phrase without a full stop, not {meaning!r}"
            entry = japanese.get(meaning)
            if (entry is None or not entry.string) and meaning not in lacking:
                lacking.add(meaning)  # objects that stand in more than one place share their rows
                yield f"{place}: {meaning!r} has no Japanese in resources/locale/ja/{table.po}. {ENTRIES}"
            for unknown in set(field.formats) - set(table.formats):
                yield f"{place}: {unknown!r} is none of {', '.join(table.formats)}"
            known_in = field.formats or table.formats
            if field.default is not None:
                wrong = [each.pointer for each in misfits(field.default, field.shape, known_in[0])]
                if wrong:
                    yield f"{place}: its default isn't of its shape at {wrong}"
        for format_id in table.formats:
            names = Counter(field.name for field in holder.fields if field.known_in(format_id))
            for name in (name for name, count in names.items() if count > 1):
                yield f"{table.file}: {where}/{name} stands there more than once for {format_id}"


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.file)
def test_a_field_has_all_that_it_needs(table: Table) -> None:
    found = list(problems(table))
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("field", "problem"),
    [
        (Field("a", STRING, lambda: ""), "/a: its meaning"),
        (Field("a", STRING, lambda: "Display name."), "/a: its meaning"),
        (Field("a", STRING, lambda: "Weight of nothing"), "/a: 'Weight of nothing' has no Japanese"),
        (Field("a", STRING, lambda: "Display name", formats=("clossing",)), "/a: 'clossing' is none of closing"),
        (Field("a", BOOLEAN, lambda: "Display name", default="yes"), "/a: its default"),
        (Field("b", list_of(BOOLEAN), lambda: "Display name", formats=("closing",)), "/b stands there more than once"),
    ],
)
def test_what_a_field_lacks_is_reported(field: Field, problem: str) -> None:
    table = Table("fields.py", "fields.po", object_of(Field("b", STRING, lambda: "Display name"), field), ("closing",))
    assert any(f"fields.py: {problem}" in line for line in problems(table))
