"""A name in a file at the caret or the mouse."""

from typing import Literal, NamedTuple

from stepflow_gui.text.document import AnyDocument, ParsedFile
from stepflow_gui.text.source import Span

TargetKind = Literal[
    "step",
    "validation-step",
    "intent",
    "case",  # a value of a conditional transition
    "validator",
    "failure-pattern",
    "schema",
    "schema-file",
    "schema-reference",  # a pointer to what a schema file holds
    "enum",  # a pointer to the intents in the output schema
    "prompt",  # a part of the address of a step's prompt
    "file",  # a path from the agent's folder
    "variable",
    "verdict",
    "section-entry",  # of a TAKT file: a persona, a policy and so on, by its key
]


class CursorTarget(NamedTuple):
    """A name where it is: `span` with its quotes, between `head` and `tail` where it is a part of a string.

    `step` is the step that an intent, a case, an enum or a prompt belongs to.
    """

    kind: TargetKind
    name: str
    file: AnyDocument
    pointer: str
    span: Span
    step: str | None = None
    head: str = ""
    tail: str = ""

    @property
    def is_of_json(self) -> bool:
        """Whether it is in a JSON text, in quotes."""
        return isinstance(self.file, ParsedFile)
