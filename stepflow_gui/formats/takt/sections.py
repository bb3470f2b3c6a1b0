"""The section maps of a TAKT file, and what refers to them (takt.md 4)."""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.flow.model import Flow, Step, Text
from stepflow_gui.formats.takt.fields import REFERENCES, SECTIONS
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

ENDING = ".md"


class SectionEntry(NamedTuple):
    """An entry of a section map; `value` is None where it is not a text."""

    section: str
    key: str
    key_span: Span
    value: Text | None
    pointer: str


class SectionReference(NamedTuple):
    """Where a step, or the judge of a loop monitor, names an entry, a path or a text."""

    field: str
    section: str
    text: Text
    step: Step

    @property
    def is_word(self) -> bool:
        """Whether it is one word, as keys are: no path, and no text of several words."""
        return is_word(self.text.value)

    @property
    def is_path(self) -> bool:
        """Whether it is the path of a file."""
        return is_path(self.text.value)


def is_word(value: str) -> bool:
    """Whether a reference can only be meant as a key."""
    return bool(value) and not any(char.isspace() or char in "/\\{}" for char in value) and not is_path(value)


def is_path(value: str) -> bool:
    """Whether a reference is read as the path of a file if there is no such key."""
    return value.endswith(ENDING) and "\n" not in value


def entries_of(root: Node | None) -> Iterator[SectionEntry]:
    """Every entry of every section map, in the order of the table of sections."""
    for section in SECTIONS:
        holder = root.get(section) if root is not None else None
        for member in holder.members() if holder else ():
            pointer = join("", section, member.key)
            value = (
                Text(member.value.value, member.value.span, pointer) if isinstance(member.value.value, str) else None
            )
            yield SectionEntry(section, member.key, member.key_span, value, pointer)


def sections_of(root: Node | None) -> dict[str, dict[str, SectionEntry]]:
    """The entries by section and key; a section map that doesn't exist has none."""
    found: dict[str, dict[str, SectionEntry]] = {}
    for entry in entries_of(root):
        found.setdefault(entry.section, {})[entry.key] = entry
    return found


def references_of(flow: Flow) -> Iterator[SectionReference]:
    """Every reference in the file itself, in its order: fragments speak for themselves."""
    for step in flow.steps.values():
        yield from of_step(step)
        for sub in step.subs:
            if _is_own(sub, step):
                yield from of_step(sub)
    for monitor in flow.monitors:
        if monitor.judge is not None:
            yield from of_step(monitor.judge)


def of_step(step: Step) -> Iterator[SectionReference]:
    """The references of one step, not of its sub-steps."""
    node = step.node
    for field in ("persona", "policy", "knowledge", "instruction"):
        value = node.get(field)
        if value is not None:
            for text in _texts(value, join(step.pointer, field)):
                yield SectionReference(field, REFERENCES[field], text, step)
    for item, pointer in reports_of(step):
        for field in ("format", "order"):
            value = item.get(field) if item.get("name") is not None else None
            if value is not None and isinstance(value.value, str):
                yield SectionReference(
                    field, REFERENCES[field], Text(value.value, value.span, join(pointer, field)), step
                )


def reports_of(step: Step) -> Iterator[tuple[Node, str]]:
    """The entries of a step's `output_contracts.report` that are objects, with their pointers."""
    contracts = step.node.get("output_contracts")
    reports = contracts.get("report") if contracts else None
    for index, item in enumerate(reports.items() if reports else ()):
        if item.kind == "object":
            yield item, join(step.pointer, "output_contracts", "report", index)


def report_names(step: Step) -> Iterator[Text]:
    """The file names of a step's reports, in either form."""
    for item, pointer in reports_of(step):
        if item.get("name") is not None:
            members = [member for member in item.members() if member.key == "name"]
        else:
            members = item.members()
        for member in members:
            if isinstance(member.value.value, str) and member.value.value:
                yield Text(member.value.value, member.value.span, join(pointer, member.key))


def resolved(text: str, section: str, sections: dict[str, dict[str, SectionEntry]]) -> str:
    """The value of a reference before files are read: the entry's value, else itself."""
    entry = sections.get(section, {}).get(text)
    return entry.value.value if entry and entry.value and entry.value.value else text


def _texts(value: Node, pointer: str) -> Iterator[Text]:
    if isinstance(value.value, str):
        yield Text(value.value, value.span, pointer)
    for index, item in enumerate(value.items()):
        if isinstance(item.value, str):
            yield Text(item.value, item.span, join(pointer, index))


def _is_own(sub: Step, step: Step) -> bool:
    return sub.pointer.startswith(step.pointer + "/")
