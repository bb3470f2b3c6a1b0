"""The project as a tree: agents, the folders and files below them, and what of it a filter leaves. Knows no Qt."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal

from stepflow_gui.lint.diagnostic import ERROR, RANK, WARNING, Severity
from stepflow_gui.lint.engine.project_status import CheckedAgent, Health
from stepflow_gui.project.agent_listing import ListedFile
from stepflow_gui.text.document import YAML_ENDINGS

Kind = Literal["agent", "folder", "file"]
Wanted = Callable[[ListedFile], bool]
_FIRST = ("registry", "agent")  # of the files, by role


class TreeNode:
    """A row of the tree. `missing` counts the files that don't exist, in it or as itself, where that is a problem."""

    __slots__ = ("agent", "children", "file", "health", "kind", "missing", "parent", "path", "row", "title")

    def __init__(self, kind: Kind, title: str, path: Path, agent: "AgentNode", parent: "TreeNode | None") -> None:
        self.kind: Kind = kind
        self.title = title
        self.path = path
        self.agent = agent
        self.parent = parent
        self.row = 0  # below its parent
        self.children: list[TreeNode] = []
        self.health = Health()
        self.missing = 0
        self.file: ListedFile | None = None

    @property
    def there(self) -> bool:
        """Whether it is on the disk."""
        return self.file is None or self.file.there

    @property
    def worst(self) -> Severity | None:
        """The worst severity of it."""
        lacking = (self.agent.missing(node.path) for node in files_in(self) if node.missing) if self.missing else ()
        return min(filter(None, (self.health.worst, *lacking)), key=RANK.__getitem__, default=None)


class AgentNode:
    """An agent of the project: its key, and what is known of it. `live` is the status of its open texts."""

    __slots__ = ("apart", "examined", "key", "live", "node", "opened", "order")

    def __init__(self, key: Path) -> None:
        self.key = key
        self.examined: CheckedAgent | None = None
        self.live: Health | None = None
        self.opened = False
        self.apart = ""  # what distinguishes it from others of its name
        self.order = 0  # its place among all agents
        named = key.stem if key.suffix in YAML_ENDINGS else key.parent.name  # until more is known
        self.node = TreeNode("agent", named, key, self, None)

    @property
    def health(self) -> Health | None:
        """Its status; None where that isn't known yet."""
        return self.live or (self.examined.health if self.examined else None)

    @property
    def troubled(self) -> bool:
        """Whether it has errors or warnings, lacks files, or can't be read."""
        health, report = self.health, self.examined
        lacks = report is not None and (report.problem is not None or any(map(is_trouble, report.missing.values())))
        return lacks or (health is not None and is_trouble(health.worst))

    @property
    def lacking(self) -> int:
        """How many files it asks for that don't exist, where that is a problem."""
        return sum(map(is_trouble, self.examined.missing.values())) if self.examined else 0

    def missing(self, path: Path) -> Severity | None:
        """How bad it is that a file doesn't exist."""
        return self.examined.missing.get(path) if self.examined else None

    def update(self, examined: CheckedAgent) -> None:
        """More is known of it."""
        self.examined = examined
        if examined.listing is not None:
            self.node.title = examined.listing.name

    def files(self) -> tuple[ListedFile, ...]:
        """Its files, as far as they are known."""
        return self.examined.listing.files if self.examined and self.examined.listing else ()

    def is_troubled_file(self, file: ListedFile) -> bool:
        """Whether there is a problem in a file, or it is one that it doesn't exist."""
        if self.examined is None:
            return False
        found = self.examined.files.get(file.path)
        return is_trouble(self.examined.missing.get(file.path)) or (found is not None and is_trouble(found.worst))

    def matches(self, words: Iterable[str]) -> bool:
        """Whether name and path hold all these words (lower case)."""
        text = f"{self.node.title}\n{self.key}".casefold()
        return all(word in text for word in words)


def is_trouble(severity: Severity | None) -> bool:
    """Whether a severity is an error's or a warning's."""
    return severity in {ERROR, WARNING}


def children_of(agent: AgentNode, wanted: Wanted) -> list[TreeNode]:
    """The wanted files of an agent in their folders; a folder that holds nothing but one other is one with it."""
    examined = agent.examined
    if examined is None or examined.listing is None:
        return []
    top = TreeNode("folder", "", examined.listing.folder, agent, None)
    folders: dict[tuple[str, ...], TreeNode] = {(): top}
    for file in examined.listing.files:
        if wanted(file):
            *above, name = _parts(file.path, examined.listing.folder)
            node = TreeNode("file", name, file.path, agent, None)
            node.file = file
            node.health = examined.files.get(file.path, Health())
            node.missing = int(not file.there and is_trouble(examined.missing.get(file.path)))
            _folder(folders, tuple(above), top).children.append(node)
    _finish(top)
    for child in top.children:
        child.parent = agent.node
    return top.children


def files_in(node: TreeNode) -> Iterable[TreeNode]:
    """The files in a node, itself where it is one."""
    if node.kind == "file":
        yield node
    for child in node.children:
        yield from files_in(child)


def _parts(path: Path, folder: Path) -> list[str]:
    return list(Path(os.path.relpath(path, folder)).parts)


def _folder(folders: dict[tuple[str, ...], TreeNode], parts: tuple[str, ...], top: TreeNode) -> TreeNode:
    found = folders.get(parts)
    if found is None:
        above = _folder(folders, parts[:-1], top)
        path = Path(os.path.normpath(above.path / parts[-1]))
        found = folders[parts] = TreeNode("folder", parts[-1], path, top.agent, None)
        above.children.append(found)
    return found


def _finish(node: TreeNode) -> None:
    for child in node.children:
        if child.kind == "folder":
            while len(child.children) == 1 and child.children[0].kind == "folder":
                only = child.children[0]
                child.title, child.path, child.children = f"{child.title}/{only.title}", only.path, only.children
            _finish(child)
            child.health = Health(*(sum(each.health[at] for each in child.children) for at in range(3)))
            child.missing = sum(each.missing for each in child.children)
    node.children.sort(key=_place)
    for row, child in enumerate(node.children):
        child.row, child.parent = row, node


def _place(node: TreeNode) -> tuple[int, str, str]:
    role = node.file.role if node.file else ""
    rank = _FIRST.index(role) if role in _FIRST else 2 if node.kind == "folder" else 3
    return rank, node.title.casefold(), node.title


def by_health(agent: AgentNode) -> tuple[int, int, int, int]:
    """The worst agents first; those of which nothing is known yet behind all others."""
    health, report = agent.health, agent.examined
    if report is not None and report.problem is not None:
        return 0, 0, 0, 0
    if health is None:
        return 9, 0, 0, 0
    rank = RANK[health.worst] if health.worst else 5
    return 1 + (min(rank, 1) if agent.lacking else rank), -health.errors, -health.warnings, -agent.lacking
