"""The JSON Schemas under `resources/schemas`, made of the field tables: `python packaging/json_schemas.py` writes them.

A test fails when they are out of date.
"""

import json
from collections.abc import Callable
from pathlib import Path

from stepflow_gui.formats.climpt.agent.schema import agent_schema
from stepflow_gui.formats.climpt.registry_schema import registry_schema
from stepflow_gui.formats.json_schema import JsonSchema

FOLDER = Path(__file__).resolve().parent.parent / "resources" / "schemas"
SCHEMAS: dict[str, Callable[[], JsonSchema]] = {
    "agent.schema.json": agent_schema,
    "registry.schema.json": registry_schema,
}


def text_of(schema: JsonSchema) -> str:
    """A schema as its file holds it."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def main() -> None:
    """Write all schemas, in English."""
    FOLDER.mkdir(exist_ok=True)
    for name, make in SCHEMAS.items():
        (FOLDER / name).write_text(text_of(make()), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
