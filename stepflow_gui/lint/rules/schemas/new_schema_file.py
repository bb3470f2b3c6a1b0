"""The fix for a schema file that isn't there: the file, with as much of each schema as the gates say."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from stepflow_gui.flow.model import Step
from stepflow_gui.lint.rule import DocumentEdits, Later, Proposal
from stepflow_gui.messages import _
from stepflow_gui.text.document import Document
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source


def new_schema_file(path: Path, steps: Iterable[Step]) -> Proposal:
    """Write the file at a path; it is an edit of an empty text."""
    named = [(step.schema_ref.schema.value, step) for step in steps if step.schema_ref and step.schema_ref.schema]
    title = _("Write “{file}” with what the gates say").format(file=path.name)
    words = [word for name, step in named for word in (name, *_words(step))]

    def edits() -> DocumentEdits:
        content: dict[str, Any] = {}
        for name, step in named:
            _put(content, name, _schema(step))
        text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
        return ((Document.read(path, Source("")), TextEdit(0, 0, text)),)

    return Proposal(title, Later(edits, words, [path]))


def _words(step: Step) -> Iterator[str]:
    """What the step's schema will have of the gate."""
    if step.gate and step.gate.intent_field and step.gate.intent_field.value:
        yield step.gate.intent_field.value
        yield from (intent.value for intent in step.gate.intents)


def _put(content: dict[str, Any], name: str, schema: dict[str, Any]) -> None:
    bare = name.removeprefix("#")
    *holders, last = bare.removeprefix("/").split("/") if bare.startswith("/") else [bare]
    for holder in holders:
        content = content.setdefault(holder, {})
    content.setdefault(last, schema)


def _schema(step: Step) -> dict[str, Any]:
    gate = step.gate
    if gate is None or gate.intent_field is None or not gate.intent_field.value:
        return {"type": "object", "properties": {}}
    inner: dict[str, Any] = {"type": "string", "enum": [intent.value for intent in gate.intents]}
    for key in reversed(gate.intent_field.value.split(".")):
        inner = {"type": "object", "required": [key], "properties": {key: inner}}
    return inner
