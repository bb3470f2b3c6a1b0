"""Names in a TAKT file: of movements, and of entries of section maps, wherever they stand."""

import os
from collections.abc import Iterator

from stepflow_gui.formats.takt.changes.places import mentions
from stepflow_gui.formats.takt.fields import SECTIONS
from stepflow_gui.formats.takt.files import called_workflows, path_of
from stepflow_gui.formats.takt.sections import is_path, references_of, sections_of
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.assist.cursor_target import CursorTarget
from stepflow_gui.project.assist.variables import VariablePlace
from stepflow_gui.text.document import AnyDocument, TextFile
from stepflow_gui.text.pointer import join, split
from stepflow_gui.text.source import Span

_SHOWN = 80  # characters of a text


def piece_target_at(agent: AgentFolder, file: AnyDocument, offset: int) -> CursorTarget | None:
    """The movement or entry that is named at an offset."""
    if file.path != agent.registry.path:
        return None
    piece = agent.registry  # the file may have come as plain text
    pointer = piece.tree.pointer_at(offset)
    keys = split(pointer)
    key = piece.tree.key_span(pointer)
    if key is not None and key.start <= offset <= key.end:
        entry = len(keys) == 2 and keys[0] in SECTIONS
        return CursorTarget("section-entry", keys[1], piece, pointer, key) if entry else None
    node = piece.tree.at(pointer)
    if node is None or not isinstance(node.value, str) or not node.start <= offset <= node.end:
        return None
    found = CursorTarget("step", node.value, piece, pointer, Span(node.start, node.end))
    if any(pointer == join(step.pointer, "name") for step in agent.flow.steps.values()):
        return found
    if any(each.pointer == pointer for each in mentions(agent.flow)):
        return found
    if keys[-1:] == ["call"]:
        return _called(agent, found)
    return found._replace(kind="section-entry") if entry_of(agent, found) is not None else None


def _called(agent: AgentFolder, subject: CursorTarget) -> CursorTarget | None:
    """The workflow that a step calls, by its path from the folder of the piece; None where it isn't in the project."""
    file = next(filter(agent.exists, called_workflows(subject.name, agent.registry.path)), None)
    return None if file is None else subject._replace(kind="file", name=os.path.relpath(file, agent.folder))


def entry_of(agent: AgentFolder, subject: CursorTarget) -> str | None:
    """The pointer of the entry that a subject names; None where no section map has it."""
    keys = split(subject.pointer)
    if len(keys) == 2 and keys[0] in SECTIONS:
        return subject.pointer
    sections = sections_of(agent.registry.root)
    for each in references_of(agent.flow):
        if each.text.pointer == subject.pointer:
            found = sections.get(each.section, {}).get(each.text.value)
            return found.pointer if found is not None else None
    return None


def entry_defined(agent: AgentFolder, subject: CursorTarget) -> Iterator[VariablePlace]:
    """The entry; of the entry itself the file that it names."""
    pointer = entry_of(agent, subject)
    span = agent.registry.tree.key_span(pointer) if pointer else None
    if pointer is None or span is None:
        return
    node = agent.registry.tree.at(pointer)
    if pointer == subject.pointer and node is not None and isinstance(node.value, str) and is_path(node.value):
        path = path_of(node.value, agent.flow)
        file = agent.text(path) if agent.exists(path) else None
        if isinstance(file, TextFile):
            yield VariablePlace(file, Span(0, 0))
            return
    yield VariablePlace(agent.registry, span, pointer)


def entry_uses(agent: AgentFolder, subject: CursorTarget) -> Iterator[VariablePlace]:
    """The entry, and every place that refers to it."""
    pointer = entry_of(agent, subject)
    span = agent.registry.tree.key_span(pointer) if pointer else None
    if pointer is None or span is None:
        return
    yield VariablePlace(agent.registry, span, pointer)
    section, key = split(pointer)
    for each in references_of(agent.flow):
        if (each.section, each.text.value) == (section, key):
            yield VariablePlace(agent.registry, each.text.span, each.text.pointer)


def movement_uses(agent: AgentFolder, name: str) -> Iterator[VariablePlace]:
    """Every place that names a movement, its own name aside."""
    tree = agent.registry.tree
    for each in mentions(agent.flow):
        node = tree.at(each.pointer)
        if each.name == name and node is not None:
            yield VariablePlace(agent.registry, node.span, each.pointer)


def entry_hover(agent: AgentFolder, subject: CursorTarget) -> Iterator[str]:
    """What an entry means, and how often it is used."""
    pointer = entry_of(agent, subject)
    node = agent.registry.tree.at(pointer) if pointer else None
    if pointer is None or node is None:
        return
    yield _("Entry of {section}").format(section=split(pointer)[0])
    if isinstance(node.value, str):
        text = " ".join(node.value.split())
        yield text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
    uses = sum(1 for _each in entry_uses(agent, subject)) - 1
    yield ngettext("{count} reference", "{count} references", uses).format(count=uses)
