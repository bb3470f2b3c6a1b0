"""The tree of a project for Qt's views: what a filter leaves of it, in the order that is wanted."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, overload

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from stepflow_gui.gui.project.row_text import row_details, tip_of
from stepflow_gui.gui.project.tree import AgentNode, TreeNode, by_health, children_of
from stepflow_gui.gui.widgets.file_names import short_names
from stepflow_gui.lint.engine.project_status import CheckedAgent, Health
from stepflow_gui.project.agent_listing import ListedFile

Index = QModelIndex | QPersistentModelIndex
Order = Literal["name", "folder", "health"]
NODE = Qt.ItemDataRole.UserRole
_ROOT = QModelIndex()


class ProjectModel(QAbstractItemModel):
    """Agents, and below each its files. `work` counts how often an agent was checked."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.agents: dict[Path, AgentNode] = {}
        self.rows: list[AgentNode] = []  # those that the filter leaves, in their order
        self.words: tuple[str, ...] = ()
        self.only_problems = False
        self.order: Order = "name"
        self.work = 0
        self._asked: set[Path] = set()  # agents whose files were asked for

    # What there is

    def show_agents(self, keys: Sequence[Path]) -> None:
        """These are the agents, and no others."""
        if self.agents.keys() == set(keys):
            self.settle()
            return
        self.agents = {key: self.agents.get(key) or AgentNode(key) for key in keys}
        self._name()
        self._fill()

    def add_agents(self, keys: Sequence[Path]) -> None:
        """There are these as well, behind all others until all are known."""
        fresh = [AgentNode(key) for key in keys if key not in self.agents]
        for at, agent in enumerate(fresh, len(self.agents)):
            agent.order = at
        self.agents |= {agent.key: agent for agent in fresh}
        shown = [agent for agent in fresh if self._leaves(agent)]
        if shown:
            self.beginInsertRows(QModelIndex(), len(self.rows), len(self.rows) + len(shown) - 1)
            self.rows += shown
            self.endInsertRows()

    def update_agents(self, examined: Iterable[CheckedAgent]) -> None:
        """More is known of some agents. They stay where they are; `settle` puts them where they belong."""
        for each in examined:
            agent = self.agents.get(each.key)
            if agent is not None:
                agent.update(each)
                self._changed(agent, files=True)

    def set_live(self, health: Mapping[Path, Health], opened: Iterable[Path]) -> None:
        """The status of the open agents, with their unsaved texts."""
        opened = set(opened)
        for agent in [each for each in self.agents.values() if each.opened or each.key in opened or each.live]:
            live = health.get(agent.key)
            if (agent.live, agent.opened) != (live, agent.key in opened):
                agent.live, agent.opened = live, agent.key in opened
                self._changed(agent, files=False)

    def settle(self) -> None:
        """Put the agents in their order, and distinguish those of one name."""
        self._name()
        if list(self.agents.values()) != self._sorted():
            self._fill()
        elif self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, 0))

    # What is shown of it

    def set_filter(self, text: str, only_problems: bool) -> None:
        """Leave what holds all words of a text, in agents or in the names of files; only what has problems."""
        words = tuple(text.casefold().split())
        if (words, only_problems) != (self.words, self.only_problems):
            self.words, self.only_problems = words, only_problems
            self._fill()

    def set_order(self, order: Order) -> None:
        """Sort the agents."""
        self.order = order
        self._fill()

    @property
    def filtered(self) -> bool:
        """Whether something may be left out."""
        return bool(self.words) or self.only_problems

    def node(self, index: Index) -> TreeNode | None:
        """The node of a row."""
        found = index.internalPointer() if index.isValid() else None
        return found if isinstance(found, TreeNode) else None

    def index_of(self, node: TreeNode) -> QModelIndex:
        """Where a node stands; an invalid index where the filter leaves it out."""
        if node.kind != "agent":
            return self.createIndex(node.row, 0, node)
        at = self._row(node.agent)
        return QModelIndex() if at is None else self.createIndex(at, 0, node)

    def find(self, key: Path, path: Path | None = None) -> QModelIndex:
        """Where an agent, or a file of it, stands."""
        agent = self.agents.get(key)
        if agent is None or self._row(agent) is None:
            return QModelIndex()
        if path is None:
            return self.index_of(agent.node)
        self.fetchMore(self.index_of(agent.node))
        waiting = list(agent.node.children)
        while waiting:
            node = waiting.pop()
            if node.path == path:
                return self.index_of(node)
            waiting += node.children
        return QModelIndex()

    # For the view

    def rowCount(self, parent: Index = _ROOT) -> int:
        if not parent.isValid():
            return len(self.rows)
        node = self.node(parent)
        return len(node.children) if node is not None else 0

    def columnCount(self, parent: Index = _ROOT) -> int:
        del parent
        return 1

    def hasChildren(self, parent: Index = _ROOT) -> bool:
        node = self.node(parent)
        if node is None or node.kind != "agent":
            return self.rowCount(parent) > 0
        short_name = node.agent.examined  # what isn't known yet may have files
        return bool(node.children) or (
            node.agent.key not in self._asked and (short_name is None or bool(node.agent.files()))
        )

    def canFetchMore(self, parent: Index) -> bool:
        node = self.node(parent)
        return node is not None and node.kind == "agent" and node.agent.key not in self._asked

    def fetchMore(self, parent: Index) -> None:
        """The files of an agent are wanted; where they aren't known yet they come when they are."""
        node = self.node(parent)
        if node is not None and self.canFetchMore(parent):
            self._asked.add(node.agent.key)
            self._give_children(self.index_of(node), node.agent)

    def index(self, row: int, column: int, parent: Index = _ROOT) -> QModelIndex:
        node = self.node(parent)
        below = [agent.node for agent in self.rows[row : row + 1]] if node is None else node.children[row : row + 1]
        return self.createIndex(row, column, below[0]) if below and column == 0 else QModelIndex()

    @overload
    def parent(self) -> QObject | None: ...

    @overload
    def parent(self, index: Index) -> QModelIndex: ...

    def parent(self, index: Index | None = None) -> QModelIndex | QObject | None:
        if index is None:
            return super().parent()
        node = self.node(index)
        return self.index_of(node.parent) if node is not None and node.parent is not None else QModelIndex()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        node = self.node(index)
        if node is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return node.title
        if role == NODE:
            return node
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_of(node)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join([node.title, *([node.agent.apart] if node.kind == "agent" else []), *row_details(node)])
        return None

    # Inside

    def _wants(self, agent: AgentNode, file: ListedFile) -> bool:
        if self.only_problems and not agent.is_troubled_file(file):
            return False
        return not self.words or agent.matches(self.words) or self._holds(file)

    def _holds(self, file: ListedFile) -> bool:
        text = str(file.path).casefold()
        return all(word in text for word in self.words)

    def _leaves(self, agent: AgentNode) -> bool:
        self.work += 1
        if self.only_problems and not agent.troubled:
            return False
        return not self.words or agent.matches(self.words) or any(map(self._holds, agent.files()))

    def _row(self, agent: AgentNode) -> int | None:
        at = bisect_left(self.rows, agent.order, key=lambda each: each.order)
        return at if at < len(self.rows) and self.rows[at] is agent else None

    def _changed(self, agent: AgentNode, files: bool) -> None:
        at, stays = self._row(agent), self._leaves(agent)
        if at is not None:
            if agent.node.children and files:
                self._take_children(at, agent)
            if not stays:
                self.beginRemoveRows(QModelIndex(), at, at)
                del self.rows[at]
                self.endRemoveRows()
                return
            index = self.index_of(agent.node)
            self._give_children(index, agent)
            self.dataChanged.emit(index, index)
        elif stays:
            agent.node.children = []
            at = bisect_left(self.rows, agent.order, key=lambda each: each.order)
            self.beginInsertRows(QModelIndex(), at, at)
            self.rows.insert(at, agent)
            self.endInsertRows()

    def _take_children(self, at: int, agent: AgentNode) -> None:
        self.beginRemoveRows(self.createIndex(at, 0, agent.node), 0, len(agent.node.children) - 1)
        agent.node.children = []
        self.endRemoveRows()

    def _give_children(self, index: QModelIndex, agent: AgentNode) -> None:
        if agent.node.children or agent.key not in self._asked:
            return
        made = children_of(agent, lambda file: self._wants(agent, file))
        if made:
            self.beginInsertRows(index, 0, len(made) - 1)
            agent.node.children = made
            self.endInsertRows()

    def _fill(self) -> None:
        self.beginResetModel()
        ordered = self._sorted()
        for at, agent in enumerate(ordered):
            agent.order = at
        self.agents = {agent.key: agent for agent in ordered}
        self._asked.clear()
        self.rows = [agent for agent in self.agents.values() if self._leaves(agent)]
        for agent in self.agents.values():
            agent.node.children = []
        self.endResetModel()

    def _sorted(self) -> list[AgentNode]:
        def place(agent: AgentNode) -> tuple[object, ...]:
            name = agent.node.title.casefold(), str(agent.key)
            first = {"name": (), "folder": (str(agent.key),), "health": by_health(agent)}[self.order]
            return (*first, *name)

        self.work += len(self.agents)
        return sorted(self.agents.values(), key=place)

    def _name(self) -> None:
        self.work += len(self.agents)
        alike: dict[str, list[AgentNode]] = {}
        for agent in self.agents.values():
            alike.setdefault(agent.node.title, []).append(agent)
        for named in alike.values():
            apart = short_names([agent.key for agent in named]) if len(named) > 1 else [""]
            for agent, short_name in zip(named, apart, strict=True):
                agent.apart = _short(short_name)


def _short(short_name: str) -> str:
    """The folder that distinguishes an agent; its file where there are two in one folder."""
    first, slash, _rest = short_name.partition("/")
    return first if slash else short_name
