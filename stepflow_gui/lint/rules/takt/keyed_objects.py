"""The objects of a TAKT file with the keys that its runner knows there."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from stepflow_gui.formats.fields import ANY, Shape, list_of
from stepflow_gui.formats.takt.fields import (
    CONTRACTS,
    JUDGE,
    JUDGE_RULE,
    MONITOR,
    MOVEMENT,
    PIECE_FILE,
    REPORT,
    SUB,
    TEAM_LEADER,
)
from stepflow_gui.formats.takt.fields import RULE as RULE_SHAPE
from stepflow_gui.formats.takt.newer_fields import (
    ARPEGGIO,
    OF_STEP,
    OF_WORKFLOW,
    OLDER_REPORT,
    PROVIDER,
    RUNTIME,
    SELECTION,
    TRANSITION,
)
from stepflow_gui.formats.takt.release_fields import LEVELS
from stepflow_gui.formats.takt.releases.sets import Releases, before, between
from stepflow_gui.formats.takt.renames import JUDGE as JUDGE_NAMES
from stepflow_gui.formats.takt.renames import REMOVED_FROM_STEPS, REMOVED_FROM_TOP, STEP, TOP
from stepflow_gui.lint.closest_name import is_slip
from stepflow_gui.lint.rules.prelude import RuleContext
from stepflow_gui.lint.rules.takt.release_words import wanted_releases
from stepflow_gui.text.json.tree import Member, Node
from stepflow_gui.text.pointer import join

OWN_MARKS = ("x-", "_", "$", "//")
_NONE: Mapping[str, str] = {}
_WITHIN = frozenset({"team_leader", "provider_options", "quality_gates", *OF_STEP, *OF_WORKFLOW})
_INSIDE: tuple[tuple[str, str, Shape], ...] = (
    ("parallel", "selection", SELECTION),
    ("workflow_config", "runtime", RUNTIME),
    ("piece_config", "runtime", RUNTIME),
)
"""Objects in objects whose own keys are looked at elsewhere."""
_OF_SOME = (
    ("transitions", list_of(TRANSITION), before("0.3.0")),
    ("report", OLDER_REPORT, between("0.3.0", "0.7.1")),
    ("provider", PROVIDER, between("0.29.0", "0.59.1")),
)


class KeyedObject(NamedTuple):
    """An object whose keys are known; `strict` where unknown ones are refused."""

    node: Node
    pointer: str
    shape: Shape
    names: Mapping[str, str]
    strict: bool
    removed: tuple[str, ...] = ()

    def known(self, notation: str) -> set[str]:
        """The keys that a runner of files so written reads."""
        return {field.name for field in self.shape.fields if field.known_in(notation)}

    @property
    def is_silent(self) -> bool:
        """Whether runners are known to drop other keys without a word; of what is new in 0.36 and later it isn't."""
        return self.level is not None or self.shape.of is not ANY or self.shape in (TEAM_LEADER, ARPEGGIO)

    @property
    def level(self) -> str | None:
        """The level of the tables of releases whose rows its keys have; None where they don't look."""
        return next((level for shape, level in LEVELS if shape is self.shape), None)

    def unread(self, notation: str) -> Iterator[Member]:
        """The members under other keys, without those that mark themselves as the author's own."""
        known = self.known(notation)
        for member in self.node.members():
            if self.passes_over(member.key) or member.key in known:
                continue
            if self.strict or not member.key.startswith(OWN_MARKS):
                yield member

    def passes_over(self, key: str) -> bool:
        """Whether the object takes any key, and this one is not a slip for one that it hasn't."""
        return self.shape.of is ANY and not self.missing_like(key)

    def missing_like(self, key: str) -> list[str]:
        """The keys of any notation that the object hasn't, and that only a slip parts from this one."""
        names = {*(field.name for field in self.shape.fields), *self.names, *self.removed}
        return sorted(name for name in names if is_slip(key, name) and self.node.member(name) is None)


def keyed_objects(root: Node, context: RuleContext) -> Iterator[KeyedObject]:
    """All of them, from the top down."""
    era = context.takt
    strict = era.refuses_unknown
    notation = era.notation
    yield KeyedObject(root, "", PIECE_FILE, TOP[notation], strict, REMOVED_FROM_TOP if strict else ())
    yield from _within(PIECE_FILE, root, "")
    removed = REMOVED_FROM_STEPS if strict else ()
    for item, pointer in _items(root.get(era.steps), join("", era.steps)):
        yield KeyedObject(item, pointer, MOVEMENT, STEP[notation], False, removed)
        yield from _rules(item, pointer, strict)
        yield from _contracts(item, pointer)
        yield from _within(MOVEMENT, item, pointer)
        yield from _of_some(item, pointer, wanted_releases(context))
        parallel = item.get("parallel")
        where = join(pointer, "parallel")
        lists = [(parallel, where)]
        if parallel is not None and parallel.kind == "object":
            lists = [(parallel.get(key), join(where, key)) for key in ("fixed", "pool")]
        for listed, place in lists:
            for sub, below in _items(listed, place):
                yield KeyedObject(sub, below, SUB, STEP[notation], False, removed)
                yield from _within(SUB, sub, below)
                yield from _rules(sub, below, strict)
                yield from _contracts(sub, below)
    for item, pointer in _items(root.get("loop_monitors"), "/loop_monitors"):
        yield KeyedObject(item, pointer, MONITOR, _NONE, False)
        judge = item.get("judge")
        if judge is not None and judge.kind == "object":
            where = join(pointer, "judge")
            yield KeyedObject(
                judge, where, JUDGE, JUDGE_NAMES[notation], False, ("instruction_template",) if strict else ()
            )
            for rule, below in _items(judge.get("rules"), join(where, "rules")):
                yield KeyedObject(rule, below, JUDGE_RULE, _NONE, strict)


def unread_nodes(context: RuleContext) -> Iterator[Node]:
    """What stands below keys that nothing knows, but at the top, and lists in place of the object of contracts.

    What is written there is meant: once the key is right, it refers to sections, and writes reports.
    """
    root = context.registry.root
    if root is None or root.kind != "object":
        return
    for each in keyed_objects(root, context):
        yield from (member.value for member in each.unread(context.takt.notation) if each.pointer)
        contracts = each.node.get("output_contracts")
        if contracts is not None and contracts.kind != "object":
            yield contracts


def _within(holder: Shape, node: Node, pointer: str) -> Iterator[KeyedObject]:
    """The objects below those fields of a step, or of the file, whose keys are all known and any other passes."""
    for field in holder.fields:
        if field.name in _WITHIN and (value := node.get(field.name)) is not None:
            yield from _below(field.shape, value, join(pointer, field.name))
    for outer, inner, shape in _INSIDE:
        around = node.get(outer)
        found = around.get(inner) if around is not None and around.kind == "object" else None
        if found is not None:
            yield from _below(shape, found, join(pointer, outer, inner))


def _below(shape: Shape, node: Node, pointer: str) -> Iterator[KeyedObject]:
    if shape.kind == "object" and node.kind == "object":
        yield KeyedObject(node, pointer, shape, _NONE, False)
        for field in shape.fields:
            if (value := node.get(field.name)) is not None:
                yield from _below(field.shape, value, join(pointer, field.name))
    elif shape.kind == "map" and shape.of:
        for member in node.members() if node.kind == "object" else ():
            yield from _below(shape.of, member.value, join(pointer, member.key))
    elif shape.kind == "list" and shape.of:
        of_items = next((each for each in shape.of.either if each.kind == "object"), shape.of)
        for item, place in _items(node, pointer):
            yield from _below(of_items, item, place)


def _of_some(step: Node, pointer: str, wanted: Releases) -> Iterator[KeyedObject]:
    """What only some releases read in a step, where they are spoken of."""
    for key, shape, reading in _OF_SOME:
        value = step.get(key)
        if value is not None and wanted & reading:
            yield from _below(shape, value, join(pointer, key))


def _rules(step: Node, pointer: str, strict: bool) -> Iterator[KeyedObject]:
    rules, where = step.get("rules"), join(pointer, "rules")
    lists = [(rules, where)]
    if rules is not None and rules.kind == "object" and step.member("uses"):  # of a step and its sub-steps elsewhere
        of_subs = rules.get("parallel")
        lists = [(rules.get("self"), join(where, "self"))]
        if of_subs is not None and of_subs.kind == "object":
            lists += [(each.value, join(where, "parallel", each.key)) for each in of_subs.members()]
    for listed, place in lists:
        for rule, below in _items(listed, place):
            yield KeyedObject(rule, below, RULE_SHAPE, _NONE, strict)


def _contracts(step: Node, pointer: str) -> Iterator[KeyedObject]:
    """A report's entry is one of labels as long as nothing in it is like “name”: then all keys are right."""
    contracts = step.get("output_contracts")
    if contracts is None or contracts.kind != "object":
        return
    where = join(pointer, "output_contracts")
    yield KeyedObject(contracts, where, CONTRACTS, _NONE, False)
    for report, below in _items(contracts.get("report"), join(where, "report")):
        keys = [member.key for member in report.members()]
        if "name" in keys or ("format" in keys and any(is_slip(key, "name") for key in keys)):
            yield KeyedObject(report, below, REPORT, _NONE, False)


def _items(node: Node | None, pointer: str) -> Iterator[tuple[Node, str]]:
    for index, item in enumerate(node.items() if node is not None else ()):
        if item.kind == "object":
            yield item, join(pointer, index)
