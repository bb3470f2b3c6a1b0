"""Which files a piece names: those of its section maps and references, and the steps that it shares (takt.md 4)."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.flow.model import Flow, Step, Text
from stepflow_gui.formats.takt.sections import entries_of, is_path, references_of, sections_of
from stepflow_gui.text.pointer import join

# What the maps and fields were called before the names of the guide.
_OLDER_MAPS = ("agents", "stances")
_OLDER_FIELDS = ("agent", "stance")


class NamedFile(NamedTuple):
    """A path of a Markdown file in the piece, where it stands and the step it stands in, if any."""

    text: Text
    step: str | None


def named_files(flow: Flow) -> Iterator[NamedFile]:
    """Every path that a piece names: entries of section maps first, then what steps and judges name themselves."""
    root = flow.document.root
    for entry in entries_of(root):
        if entry.value is not None and is_path(entry.value.value):
            yield NamedFile(entry.value, None)
    for name in _OLDER_MAPS:
        holder = root.get(name) if root is not None else None
        for member in holder.members() if holder else ():
            if isinstance(member.value.value, str) and is_path(member.value.value):
                yield NamedFile(Text(member.value.value, member.value.span, join("", name, member.key)), None)
    sections = sections_of(root)
    for reference in references_of(flow):
        if reference.is_path and reference.text.value not in sections.get(reference.section, {}):
            yield NamedFile(reference.text, reference.step.id)
    for step in _all_steps(flow):
        for field in (*_OLDER_FIELDS, "instruction_template"):
            value = step.node.get(field)
            if value is not None and isinstance(value.value, str) and is_path(value.value):
                yield NamedFile(Text(value.value, value.span, join(step.pointer, field)), step.id)


def path_of(named: str, flow: Flow) -> Path:
    """The file that a path in the piece leads to: from the folder of the YAML."""
    expanded = Path(named).expanduser() if named.startswith("~") else Path(named)
    return Path(os.path.normpath(flow.document.path.parent / expanded))


def files_of_piece(flow: Flow) -> set[Path]:
    """Every file that what is said of a piece may depend on, there or not."""
    return {path_of(each.text.value, flow) for each in named_files(flow)}


def _all_steps(flow: Flow) -> Iterator[Step]:
    for step in flow.steps.values():
        yield step
        yield from (sub for sub in step.subs if sub.pointer.startswith(step.pointer + "/"))
    for monitor in flow.monitors:
        if monitor.judge is not None:
            yield monitor.judge
