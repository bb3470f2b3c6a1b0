"""Two agents or pieces compared: the flow, and agent.json, schemas, prompts and facets around it."""

import os
from collections import Counter
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple

from stepflow_gui.flow.comparison.flows import FlowComparison, compare_flows
from stepflow_gui.flow.comparison.values import FieldChange, compare_values
from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.detect import detect
from stepflow_gui.formats.read import read_flow
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.finding.locate import AGENT
from stepflow_gui.text.document import AnyDocument, ParsedFile
from stepflow_gui.text.files.presence import is_file
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.json.tree import JsonTree, JsonValue
from stepflow_gui.text.source import Source

Role = Literal["registry", "agent", "schema", "prompt", "file"]
Kind = Literal["added", "removed", "changed"]


class FileDifference(NamedTuple):
    """A file that differs. JSON has its fields, other text how many lines have come and gone.

    `path` is from the agent's folder, with `/`; `../` goes outside it.
    """

    path: str
    role: Role
    kind: Kind
    fields: tuple[FieldChange, ...] = ()
    lines: tuple[int, int] | None = None


class AgentComparison(NamedTuple):
    """What differs. `flow` is None where neither side is a registry: then `files` has the one file compared.

    `formatting`: the texts differ but have the same values; `unsound` names the files of either side that aren't valid
    JSON, or can't be read, as those that lie outside the project: they are compared as far as they can be.
    """

    flow: FlowComparison | None
    files: tuple[FileDifference, ...]
    formatting: bool
    unsound: tuple[Path, ...]

    @property
    def same(self) -> bool:
        """Whether nothing differs but how files are written."""
        return (self.flow is None or self.flow.same) and not self.files


def compare_agents(old: AgentFolder | None, new: AgentFolder | None) -> AgentComparison:
    """Compare two readings of an agent with the files around the registry; None: there was, or is, no such agent."""
    flow = _compared(old.flow if old else _nothing(new), new.flow if new else _nothing(old))
    before, after = _files(old) if old else {}, _files(new) if new else {}
    unread = {path for side in (before, after) for path, found in side.items() if found.content is None}
    both = [(before[path].content, after[path].content) for path in before.keys() & after.keys() - unread]
    registries = _registry(old), _registry(new)
    contents = [*registries, *(found.content for side in (before, after) for found in side.values())]
    shut = [found.at for side in (before, after) for found in side.values() if found.content is None]
    return AgentComparison(
        flow,
        tuple(_file_changes(before, after, unread)),
        any(_differ(*pair) for pair in (registries, *both)),
        tuple(dict.fromkeys((*_unsound(contents), *shut))),
    )


class TextDifference(NamedTuple):
    """A file of two readings whose text differs; "" on a side that has no such file."""

    path: Path
    before: str
    after: str


def differing_texts(old: AgentFolder | None, new: AgentFolder | None) -> list[TextDifference]:
    """The texts that differ between two readings of an agent, the registry's first; None: there was, or is, none."""
    sides = [_texts(agent) if agent is not None else {} for agent in (old, new)]
    before, after = sides
    found = []
    for name in dict.fromkeys((*after, *before)):
        paths = [side[name] for side in (after, before) if name in side]
        one, other = (side[name].text if name in side else "" for side in (before, after))
        if one != other:
            found.append(TextDifference(paths[0].path, one, other))
    return found


class _Text(NamedTuple):
    path: Path
    text: str


def _texts(agent: AgentFolder) -> dict[str, _Text]:
    found = {"": _Text(agent.registry.path, agent.registry.source.text)}
    for name, beside in _files(agent).items():
        if beside.content is not None:
            found[name] = _Text(beside.at, beside.content.source.text)
    return found


def compare_documents(old: ParsedFile | None, new: ParsedFile | None) -> AgentComparison:
    """Compare two readings of one JSON file, as flows where it is a registry; None: there was, or is, no such file."""
    found = next((detect(document) for document in (new, old) if document and detect(document)), None)
    formatting, unsound = _differ(old, new), tuple(_unsound([old, new]))
    if found is None:
        name = next((document.path.name for document in (new, old) if document), "")
        change = _file_change(name, "file", old, new)
        return AgentComparison(None, (change,) if change else (), formatting, unsound)
    flows = [read_flow(document, detect(document) or found) if document else None for document in (old, new)]
    flow = _compared(flows[0] or _empty(new), flows[1] or _empty(old))
    return AgentComparison(flow, (), formatting, unsound)


def _compared(old: Flow, new: Flow) -> FlowComparison:
    if {old.format, new.format} != {"takt"}:
        return compare_flows(old, new)
    from stepflow_gui.formats.takt.renames import same_words  # registries are of other formats

    before, after = (flow.document.root.value if flow.document.root else None for flow in (old, new))
    return compare_flows(old, new, words=same_words(before, after))


def _nothing(other: AgentFolder | None) -> Flow:
    return _empty(other.registry if other else None)


def _empty(other: ParsedFile | None) -> Flow:
    """The flow of a file that doesn't exist."""
    return Flow(ParsedFile(other.path if other else Path(), JsonTree(Source(""), None, (), False)), "")


def _registry(agent: AgentFolder | None) -> ParsedFile | None:
    return agent.registry if agent else None


class _Beside(NamedTuple):
    """A file around a registry; without content where it is there and can't be read."""

    role: Role
    at: Path
    content: AnyDocument | None


_Found = dict[str, _Beside]  # by their path from the agent's folder


def _files(agent: AgentFolder) -> _Found:
    found: _Found = {}
    if agent.format == "takt":
        for path in _named(agent):
            _add(found, agent, "file", agent.text(path))
        return found
    about = agent.agent_document or agent.document(agent.folder / AGENT)
    _add(found, agent, "agent", about)
    for schema in agent.schema_files():
        _add(found, agent, "schema", schema)
    for path in dict.fromkeys(_prompts(agent)):
        _add(found, agent, "prompt", agent.text(path))
    return found


def _add(found: _Found, agent: AgentFolder, role: Role, content: AnyDocument | ReadProblem) -> None:
    path = Path(os.path.normpath(content.path))
    if not isinstance(content, ReadProblem):
        found.setdefault(_shown(path, agent), _Beside(role, path, content))
    elif content.kind != "missing" and (content.kind != "outside" or _is_outside_link(path, agent)):
        found.setdefault(_shown(path, agent), _Beside(role, path, None))


def _is_outside_link(path: Path, agent: AgentFolder) -> bool:
    """Whether a file of the project is a link to one outside."""
    return path.is_relative_to(agent.root) and is_file(path)


def _prompts(agent: AgentFolder) -> Iterator[Path]:
    """The prompts of the steps, and all others of the agent's folder: those of failures are named by no step."""
    for step in agent.flow.steps.values():
        there = (path for path in agent.prompt_candidates(step) if agent.exists(path) or _is_outside_link(path, agent))
        yield from (Path(os.path.normpath(path)) for path in islice(there, 1))
    for folder in agent.prompt_folders():
        if folder != agent.root and folder.is_relative_to(agent.folder):
            yield from sorted(path for path in agent.files_below(folder) if path.suffix == ".md")


def _named(agent: AgentFolder) -> list[Path]:
    """The files that a piece names."""
    from stepflow_gui.project.piece_files import files_of_piece  # only pieces need it

    there = (path for path, _by in files_of_piece(agent) if agent.exists(path) or _is_outside_link(path, agent))
    return list(dict.fromkeys(Path(os.path.normpath(path)) for path in there))


def _shown(path: Path, agent: AgentFolder) -> str:
    return Path(os.path.relpath(path, agent.folder)).as_posix()


def _file_changes(old: _Found, new: _Found, unread: AbstractSet[str]) -> Iterator[FileDifference]:
    for path in sorted((old.keys() | new.keys()) - unread, key=lambda path: (path != AGENT, path)):
        before, after = old.get(path), new.get(path)
        shown = after or before
        assert shown is not None
        change = _file_change(path, shown.role, before.content if before else None, after.content if after else None)
        if change is not None:
            yield change


def _file_change(path: str, role: Role, old: AnyDocument | None, new: AnyDocument | None) -> FileDifference | None:
    if old is None and new is None:
        return None
    if old is None or new is None:
        kind: Kind = "added" if old is None else "removed"
        return FileDifference(path, role, kind)
    if isinstance(old, ParsedFile) and isinstance(new, ParsedFile):
        fields = compare_values(_value(old), _value(new))
        return FileDifference(path, role, "changed", tuple(fields)) if fields else None
    before, after = (Counter(side.source.text.splitlines()) for side in (old, new))
    if old.source.text == new.source.text:
        return None
    return FileDifference(path, role, "changed", lines=((after - before).total(), (before - after).total()))


def _value(document: ParsedFile) -> JsonValue:
    return document.root.value if document.root else None


def _differ(old: AnyDocument | None, new: AnyDocument | None) -> bool:
    return (
        old is not None
        and new is not None
        and (old.source.text, old.source.bom)
        != (
            new.source.text,
            new.source.bom,
        )
    )


def _unsound(documents: "list[AnyDocument | None]") -> Iterator[Path]:
    for document in documents:
        if isinstance(document, ParsedFile) and not document.tree.valid and document.source.text.strip():
            yield document.path
