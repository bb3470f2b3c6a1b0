"""An agent.json as rules see it: values at their places in today's layout, positions as in the file."""

from collections.abc import Callable, Iterable

from stepflow_gui.formats.climpt.agent.agent_file import Layout, layout_of
from stepflow_gui.formats.climpt.agent.check import AgentProblem, check_complete, check_raw
from stepflow_gui.formats.climpt.agent.layouts import modern
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rule import Finding, Proposal, Side
from stepflow_gui.text.document import ParsedFile, Place
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import parent, split
from stepflow_gui.text.source import Span

_Check = Callable[[dict[str, JsonValue], Era], list[AgentProblem]]


class AgentFile:
    """The file, read by its own layout. All pointers are those of the layout of today but `in_file`'s answer."""

    __slots__ = ("_modern", "_problems", "document", "layout")

    def __init__(self, document: ParsedFile, layout: Layout, value: dict[str, JsonValue]) -> None:
        self.document = document
        self.layout = layout
        self._modern = modern(value, flat=layout == "flat")
        self._problems: dict[tuple[_Check, str, bool], list[AgentProblem]] = {}

    @property
    def today(self) -> dict[str, JsonValue]:
        """The agent in the layout of today."""
        return self._modern.value

    @property
    def left(self) -> dict[str, JsonValue]:
        """What has no place today, by its pointer in the file."""
        return self._modern.left

    def raw_problems(self, era: Era) -> list[AgentProblem]:
        """What a runner's own check objects to in the file as it stands."""
        return self._checked(check_raw, era)

    def complete_problems(self, era: Era) -> list[AgentProblem]:
        """What that check objects to with the defaults filled in."""
        return self._checked(check_complete, era)

    def _checked(self, check: _Check, era: Era) -> list[AgentProblem]:
        """Several rules ask for the same; of an era the checks heed these two."""
        key = (check, era.name, era.checks_parameters)
        if key not in self._problems:
            self._problems[key] = check(self.today, era)
        return self._problems[key]

    def falsy_fields(self, era: Era) -> list[str]:
        """Pointers of the fields that the runner misses although it has filled in its defaults: absent, or falsy."""
        kinds = ("required", "param_missing_type")
        return [problem.pointer for problem in self.complete_problems(era) if problem.kind in kinds]

    def value(self, pointer: str) -> JsonValue:
        """The value at a pointer; None where there is none."""
        at: JsonValue = self.today
        for key in split(pointer):
            if isinstance(at, dict):
                at = at.get(key)
            elif isinstance(at, list) and key.isdecimal() and int(key) < len(at):
                at = at[int(key)]
            else:
                return None
        return at

    def written(self, pointer: str) -> JsonValue:
        """The value as the file has it, under the names of its own layout."""
        node = self.document.tree.at(self.in_file(pointer))
        return node.value if node else None

    def text(self, pointer: str) -> str | None:
        """The string at a pointer; None for anything else and if it contains a template's placeholder."""
        value = self.value(pointer)
        return value if isinstance(value, str) and "{{" not in value else None

    def in_file(self, pointer: str) -> str:
        """The place in the file of what is at a pointer today."""
        return self._modern.in_file(pointer)

    def name_in_file(self, pointer: str) -> str:
        """The name of a field in messages: its keys in the file, with dots between."""
        return ".".join(split(self.in_file(pointer)))

    def place(self, pointer: str) -> Place:
        """The value, else the key of the innermost holder that is there, else the file's beginning."""
        where = self.in_file(pointer)
        node = self.document.tree.at(where)
        if node:
            return Place(self.document, where, node.span)
        while where:
            where = parent(where)
            key = self.document.tree.key_span(where)
            if key:
                return Place(self.document, where, key)
        root = self.document.root
        return Place(self.document, "", Span(root.start, root.start + 1) if root else Span(0, 0))

    def finding(
        self,
        message: str,
        pointer: str,
        severity: Severity | None = None,
        sides: Iterable[Side] = (),
        proposals: Iterable[Proposal] = (),
        *,
        misspelt: bool = False,
    ) -> Finding:
        """A finding at a place of the file."""
        place = self.place(pointer)
        return Finding(
            message,
            place.span,
            place.pointer,
            document=self.document,
            severity=severity,
            sides=tuple(sides),
            proposals=proposals,
            misspelt=misspelt,
        )

    def side(self, pointer: str, message: str) -> Side:
        """A place of the file beside another."""
        place = self.place(pointer)
        return Side(self.document, place.span, place.pointer, message)


def agent_file(document: ParsedFile | None) -> AgentFile | None:
    """The file of a document; None where it doesn't exist, holds mistakes or no object."""
    root = document.root if document else None
    if document is None or root is None or not document.tree.valid or not isinstance(root.value, dict):
        return None
    return AgentFile(document, layout_of(root), root.value)
