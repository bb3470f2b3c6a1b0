"""The page `docs/configuration.md`, made of the field table: `python packaging/config_docs.py` writes it.

A test tells when it is out of date.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.formats.climpt.eras import ERAS
from stepflow_gui.formats.climpt.vocabulary import REGISTRY_FORMATS
from stepflow_gui.formats.fields import Shape
from stepflow_gui.lint.config_fields import CONFIG, PER_PATH, SUPPRESS

FILE = Path(__file__).resolve().parent.parent / "docs" / "configuration.md"
_INTRODUCTION = """\
# Configuration

The keys of `stepflow.toml` and `.stepflow.toml`, and of the table `[tool.stepflow]` of a `pyproject.toml`. The nearest
of these files upward from a registry counts, alone; in one folder they go before each other in the order
`.stepflow.toml`, `stepflow.toml`, `pyproject.toml`.

Rules are named by codes (`SF201`), beginnings of codes (`SF2`), names (`enum-transition-mismatch`) and `ALL`. Where one
list turns a rule on and another turns it off, the closer name counts: a code before a beginning, a longer beginning
before a shorter one, `ALL` last; between equals the rule is off. The command line goes before the file: `--select`
starts anew, but what `[[per-path]]` turns off stays off.

Patterns are those of `.gitignore`, counted from the file's folder. What is set for a path holds for the findings in
that file, and for all findings of that registry.

A key that means nothing, a value that it can't have and a rule that isn't there are reported with their line, and the
run ends with exit code 2; the rest of the file holds."""


def page() -> str:
    """The page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield _INTRODUCTION
    for heading, shape in (("Keys", CONFIG), ("`[[per-path]]`", PER_PATH), ("`[[suppress]]`", SUPPRESS)):
        yield from ("", f"## {heading}", "", "| key | value | default | meaning |", "|---|---|---|---|")
        for field in shape.fields:
            default = "required" if field.need == "load" else _default(field.default)
            yield f"| `{field.name}` | {_value(field.shape)} | {default} | {field.meaning()} |"
    yield from ("", "## Runners", "", ", ".join(f"`{era}`" for era in ERAS))
    yield from ("", "## Formats", "", ", ".join(f"`{each}`" for each in REGISTRY_FORMATS))


def _default(value: object) -> str:
    return "–" if value is None else f"`{json.dumps(value)}`"


def _value(shape: Shape) -> str:
    if shape.kind == "either":
        return " or ".join(map(_value, shape.either))
    if shape.choices:
        named = {tuple(ERAS): "a runner", REGISTRY_FORMATS: "a format"}.get(shape.choices)
        return named or ", ".join(f"`{choice}`" for choice in shape.choices)
    if shape.kind == "list" and shape.of:
        return "tables" if shape.of.kind == "object" else "list of texts"
    if shape.kind == "map" and shape.of:
        return f"table of {_value(shape.of)}"
    return {"string": "text", "boolean": "`true` or `false`", "any": "day"}[shape.kind]


def write() -> None:
    """Write the page."""
    FILE.write_text(page(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write()
