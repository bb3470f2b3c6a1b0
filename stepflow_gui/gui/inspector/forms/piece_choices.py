"""What can be chosen in the lines of a piece's form: movements and ends, entries of section maps, files, conditions."""

from collections.abc import Iterator

from stepflow_gui.formats.takt.detect import era_of_file
from stepflow_gui.formats.takt.eras import ENDS, INITIALS
from stepflow_gui.formats.takt.fields import REFERENCES, SECTIONS
from stepflow_gui.formats.takt.sections import sections_of
from stepflow_gui.gui.document.movements import offered
from stepflow_gui.gui.inspector.forms.form_fields import FormField
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.assist.piece_names import section_paths

CHOOSABLE = frozenset((*REFERENCES, *SECTIONS, *INITIALS))
"""Fields whose lines offer a list though their table names no words."""


def choices_of(folder: AgentFolder, line: FormField, word: str) -> Iterator[str]:
    """The possible values of a line; `word` is the field, or the list or map that the line is an element of."""
    if line.names == "step" and word == "next":
        yield from ENDS
    elif word in INITIALS:
        yield from folder.flow.steps
    elif word == "condition":
        yield from _conditions(folder, line.pointer)
    elif word in REFERENCES:
        yield from sections_of(folder.registry.root).get(REFERENCES[word], {})
    elif word in SECTIONS:
        yield from (written for written, _path in section_paths(folder, word))


def _conditions(folder: AgentFolder, pointer: str) -> Iterator[str]:
    """Aggregates where the rule is a parallel movement's own, and the form of the notation besides."""
    owner = pointer.rpartition("/rules/")[0]
    for step in folder.flow.steps.values():
        if step.pointer == owner:
            yield from offered(step)
    yield 'ai("")' if era_of_file(folder.registry.root).notation == "piece" else "when()"
