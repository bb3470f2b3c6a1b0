"""The fix for a schema file that isn't there: the file, with as much of each schema as the gates say."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from stepflow_gui.formats.climpt.new_texts import schema_text
from stepflow_gui.lint.rule import DocumentEdits, Later, Proposal
from stepflow_gui.lint.rules.prelude import Step, _
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source


def new_schema_file(path: Path, steps: Iterable[Step]) -> Proposal:
    """Write the file at a path; it is an edit of an empty text."""
    named = [(step.schema_ref.schema.value, step) for step in steps if step.schema_ref and step.schema_ref.schema]
    title = _("Write “{file}” with what the gates say").format(file=path.name)
    words = [word for name, step in named for word in (name, *_words(step))]

    def edits() -> DocumentEdits:
        return ((ParsedFile.read(path, Source("")), TextEdit(0, 0, schema_text([step for _name, step in named]))),)

    return Proposal(title, Later(edits, words, [path]))


def _words(step: Step) -> Iterator[str]:
    """What the step's schema will have of the gate."""
    if step.gate and step.gate.intent_field and step.gate.intent_field.value:
        yield step.gate.intent_field.value
        yield from (intent.value for intent in step.gate.intents)
