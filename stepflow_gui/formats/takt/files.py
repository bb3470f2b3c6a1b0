"""Which files a piece names: those of its section maps and references, and the steps that it shares (takt.md 4)."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.flow.model import Flow, Step, Text
from stepflow_gui.formats.takt.detect import era_of_file
from stepflow_gui.formats.takt.fields import REFERENCES
from stepflow_gui.formats.takt.sections import entries_of, is_path, is_word, of_step, references_of, sections_of
from stepflow_gui.text.pointer import join

# What maps were called before the names of the guide; then the fields that hold paths, older ones among them.
_OLDER_MAPS = ("agents", "stances")
_PATH_FIELDS = {"agent": "personas", "stance": "policies", "instruction_template": "instructions"}
WORKFLOW_ENDINGS = (".yaml", ".yml")
MOST_OPEN = 5  # workflows that call each other, the one that a run begins with among them (takt.md 13.2)
NEWER_FACETS = "facets"  # the folder of facets in `.takt`, since 0.22.0
# In which folder of facets the files of a section lie that newer workflows name by a word alone.
FACETS = {section: section for section in REFERENCES.values()} | {"report_formats": "output-contracts"}


class NamedFile(NamedTuple):
    """A path of a Markdown file in the piece, its place and the step it belongs to, if any."""

    text: Text
    step: str | None


class Facet(NamedTuple):
    """A file that a step is put together with: as it is called there, of which section map, and whether by its path.

    One that is called by a word alone may lie elsewhere: among the user's own facets, or those that TAKT ships.
    """

    section: str
    name: str
    path: Path
    by_path: bool


def facets_of(step: Step, flow: Flow) -> Iterator[Facet]:
    """The files that a step or judge names, itself or through the section maps; those of its sub-steps are theirs."""
    sections = sections_of(flow.document.root)
    words = era_of_file(flow.document.root).facets
    for reference in of_step(step):
        name = reference.text.value
        entry = sections.get(reference.section, {}).get(name)
        value = entry.value.value if entry is not None and entry.value is not None else name
        if is_path(value):
            yield Facet(reference.section, name, path_of(value, flow), by_path=True)
        elif words and entry is None and is_word(value):
            yield Facet(
                reference.section, name, facet_path(value, reference.section, flow, NEWER_FACETS), by_path=False
            )
    for field, section in _PATH_FIELDS.items():
        node = step.node.get(field)
        if node is not None and isinstance(node.value, str) and is_path(node.value):
            yield Facet(section, node.value, path_of(node.value, flow), by_path=True)


def facet_homes(path: Path) -> list[Path]:
    """The `.takt` folders of a piece's project and of the user, in which files of facets are looked for."""
    project = next((each.parent for each in path.parents if each.name in {"pieces", "workflows"}), path.parent)
    return list(dict.fromkeys((project, Path.home() / ".takt")))


def called_workflows(name: str, caller: Path) -> list[Path]:
    """Where a workflow may lie that a file calls, by a path from there, or by its name in the project or the user's.

    What TAKT ships isn't among them.
    """
    if not name or "\0" in name or "\n" in name:
        return []
    if is_workflow_path(name):
        return [_named_from(caller, name)]
    homes = facet_homes(caller)
    return [home / "workflows" / f"{name}{ending}" for home in homes for ending in WORKFLOW_ENDINGS]


def is_workflow_path(name: str) -> bool:
    """Whether a call names a path, and no workflow by its name."""
    return name.startswith(("/", "~", "./", "../")) or name.endswith(WORKFLOW_ENDINGS)


def facet_path(word: str, section: str, flow: Flow, *folders: str) -> Path:
    """Where a workflow's own project has the file that a word names; `folders`: of facets, in `.takt`."""
    path, kind = flow.document.path, era_of_file(flow.document.root).file_kind
    folder = next((each for each in path.parents if each.name == kind), path.parent)
    return folder.parent.joinpath(*folders) / FACETS[section] / f"{word}.md"


def new_facet_text(path: Path) -> str:
    """What a facet that doesn't exist would begin with: its name as a heading."""
    title = path.stem.replace("-", " ").replace("_", " ").strip()
    return f"# {title[:1].upper()}{title[1:]}\n"


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
    for step in all_steps(flow):
        for field in _PATH_FIELDS:
            value = step.node.get(field)
            if value is not None and isinstance(value.value, str) and is_path(value.value):
                yield NamedFile(Text(value.value, value.span, join(step.pointer, field)), step.id)


def path_of(named: str, flow: Flow) -> Path:
    """The file for a path in the piece: from the folder of the YAML."""
    return _named_from(flow.document.path, named)


def _named_from(file: Path, named: str) -> Path:
    expanded = Path(named).expanduser() if named.startswith("~") else Path(named)
    return Path(os.path.normpath(file.parent / expanded))


def files_of_piece(flow: Flow) -> set[Path]:
    """Every file that the checks of a piece may depend on, whether it exists or not."""
    named = {path_of(each.text.value, flow) for each in named_files(flow)}
    return named | {facet.path for step in all_steps(flow) for facet in facets_of(step, flow)}


def all_steps(flow: Flow) -> Iterator[Step]:
    """The movements in the file with their sub-steps, and the judges of loop monitors."""
    for step in flow.steps.values():
        yield step
        yield from (sub for sub in step.subs if sub.pointer.startswith(step.pointer + "/"))
    for monitor in flow.monitors:
        if monitor.judge is not None:
            yield monitor.judge
