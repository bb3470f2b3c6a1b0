"""The instructions of a piece, wherever they are written: in a movement, in the section map, in a file."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.takt.files import facet_path, path_of
from stepflow_gui.formats.takt.sections import SectionEntry, is_path, is_word, sections_of
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.prelude import RuleContext, Step, _
from stepflow_gui.lint.rules.takt.reading import all_steps, judges
from stepflow_gui.text.document import AnyDocument
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

_SECTION = "instructions"


class InstructionText(NamedTuple):
    """An instruction: the text of a span. `pointer` is None in a file of its own, and `named` then where it is named.

    `step` is the first that it belongs to, None for that of a judge; `in_judge` whether a judge is asked with it.
    """

    document: AnyDocument
    span: Span
    pointer: str | None
    step: str | None
    in_judge: bool
    named: Text | None = None

    def sides(self, context: RuleContext) -> list[Side]:
        """Where the piece names its file."""
        if self.named is None:
            return []
        return [Side(context.registry, self.named.span, self.named.pointer, _("the piece names the file here"))]


def templates(context: RuleContext) -> list[InstructionText]:
    """Every instruction that can be read, each once."""
    found: dict[tuple[Path, int], InstructionText] = {}
    entries = sections_of(context.registry.root).get(_SECTION, {})
    owned = [(place.step, (place.parent or place.step).id) for place in all_steps(context)]
    for step, owner in [*owned, *((judge, None) for judge in judges(context))]:
        for each in _of(step, owner, entries, context):
            key = each.document.path, each.span.start
            first = found.setdefault(key, each)
            if each.in_judge and not first.in_judge:
                found[key] = first._replace(in_judge=True)
    return list(found.values())


def _of(
    step: Step, owner: str | None, entries: dict[str, SectionEntry], context: RuleContext
) -> Iterator[InstructionText]:
    for key in ("instruction_template", "instruction"):
        node = step.node.get(key)
        if node is None or not isinstance(node.value, str):
            continue
        text = Text(node.value, node.span, join(step.pointer, key))
        entry = entries.get(text.value) if key == "instruction" else None
        if entry is not None and entry.value is not None and entry.value.value:
            text = entry.value
        if is_path(text.value):
            yield from _file(path_of(text.value, context.flow), text, owner, context)
        elif key == "instruction" and entry is None and is_word(text.value):
            if context.takt.facets:
                yield from _file(facet_path(text.value, _SECTION, context.flow), text, owner, context)
        else:
            yield InstructionText(context.registry, text.span, text.pointer, owner, owner is None)


def _file(path: Path, named: Text, owner: str | None, context: RuleContext) -> Iterator[InstructionText]:
    """A file's text; T014 and SF707 speak of those that aren't there or lie outside."""
    document = context.folder.text(path) if context.folder.exists(path) else None
    if document is not None and not isinstance(document, ReadProblem):
        yield InstructionText(document, Span(0, len(document.source.text)), None, owner, owner is None, named)
