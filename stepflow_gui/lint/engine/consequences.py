"""One slip, one finding: a finding that follows from another waits until that one is settled, and rides along with it.

What a rule takes for granted is in `readings`, the place in an output schema that it looks for in the finding. Where a
value there is missing, of the wrong type or twice, its finding says nothing that is sure.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from stepflow_gui.lint.diagnostic import ERROR, INFO, RANK
from stepflow_gui.lint.engine.deduplication import SHOWN, RuleFinding
from stepflow_gui.lint.engine.readings import READINGS, VALUES
from stepflow_gui.lint.rule import Finding, Side
from stepflow_gui.lint.step_identity import unused_copies
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join, split

_PATHS = ("SF302", "SF303", "SF304", "SF815")  # rules about where runs get, by way of all transitions
_BROKEN_OFF = ("SF301", "SF306", "SF310", "SF320", "SF321")  # rules about a transition that has no target
_SAME_VALUE = frozenset(
    {"SF004", "SF402", "SF407", "SF408", "SF801", "SF803", "SF805", "SF806", "SF808"}
)  # rules about a value by itself
_OF_EMPTY = frozenset(  # rules about what is missing
    ("SF004", "SF107", "SF201", "SF208", "SF211", "SF503", "SF801", "SF806", "SF902", "SF908")
)
_IN_SCHEMA = ("SF209", "SF213", "SF214")  # rules about a place in an output schema, named by the value that they are at
_REPLACED = (  # rules about a value that nothing knows, and those about one that is missing beside it
    (("SF510",), ("SF508",)),
    (("SF510", "SF509"), ()),
    (("SF508",), ("SF509",)),  # what a list has and a run gives is no slip: the name in the prompt is
    (("SF205",), ("SF202", "SF201")),
    (("SF005", "SF002"), ("SF107", "SF004", "SF208", "SF211")),
)
_LACKING = ("SF107", "SF004", "SF208", "SF211")
_KEYS = ("SF005", "SF002")
_OF_STEPS = ("SF101", "SF103", "SF301", "SF317", "SF402", "SF404", *_PATHS)  # rules that read which steps there are

_ONWARD = (("steps", "*", "transitions"), ("steps", "*", "check"))  # what says where a run goes
_ANY = ("*", "@", "=")  # keys of a place that aren't known before a finding reads it

_COPIED = ("SF101", "SF302", "SF111")  # what tells best that a step is a copy

_Causes = dict[int, RuleFinding]
"""By the identity of a finding the one from which it follows."""


def wait(found: list[RuleFinding], folder: AgentFolder, speaks: Callable[[RuleFinding], bool]) -> list[RuleFinding]:
    """The findings that follow from no other one, each with those that wait for it as places besides.

    Only what `speaks`, as it is going to be reported, keeps others waiting.
    """
    if len(found) < 2:
        return found
    waiting, registry = _Waiting(found, folder), folder.registry
    causes = {follower: leader for follower, leader in waiting.causes().items() if speaks(leader)}
    if not causes:
        return found
    riders: dict[int, list[RuleFinding]] = {}
    by_id = {id(each): each for each in found}
    for follower in causes:
        riders.setdefault(id(_first(follower, causes)), []).append(by_id[follower])
    gone = {id(rider) for each in riders.values() for rider in each}
    return [_with(each, riders.get(id(each), ()), registry) for each in found if id(each) not in gone]


def _first(follower: int, causes: _Causes) -> RuleFinding:
    """The finding at the end of the chain."""
    leader = causes[follower]
    while id(leader) in causes:
        leader = causes[id(leader)]
    return leader


def _follows(each: RuleFinding, other: RuleFinding, causes: _Causes) -> bool:
    """Whether a finding is the other one, or waits for it at last."""
    while each is not other and id(each) in causes:
        each = causes[id(each)]
    return each is other


def _with(each: RuleFinding, riders: Iterable[RuleFinding], registry: ParsedFile) -> RuleFinding:
    waiting = sorted(riders, key=lambda rider: RANK[rider.severity])
    if not waiting:
        return each
    finding = each.finding
    sides = list(finding.sides)
    places = {(finding.document or registry, finding.span)} | {(side.document, side.span) for side in sides}
    for rider in waiting[:SHOWN]:
        document, span = rider.finding.document or registry, rider.finding.span
        if (document, span) not in places or rider.severity == ERROR:  # what the runner does mustn't get lost
            places.add((document, span))
            sides.append(Side(document, span, rider.finding.pointer, rider.finding.message))
    worst = min((each.severity, waiting[0].severity), key=RANK.__getitem__)
    proposals = [*finding.proposals] or [
        proposal for rider in waiting if _is_at(rider.finding, finding) for proposal in rider.finding.proposals
    ]
    return each._replace(finding=finding._replace(sides=sides, severity=worst, proposals=proposals))


def _is_at(one: Finding, other: Finding) -> bool:
    """Whether both are about the same value, so that what mends one mends the other."""
    return one.pointer is not None and (one.document, one.pointer) == (other.document, other.pointer)


class _Place(NamedTuple):
    """Where a finding is: the document and the keys that go there."""

    document: int
    keys: tuple[str, ...]


class _Waiting:
    """Works out what waits for what."""

    def __init__(self, found: list[RuleFinding], folder: AgentFolder) -> None:
        self._registry = folder.registry
        self._agent = folder.agent_document
        self._flow = folder.flow
        self._by_code: dict[str, list[RuleFinding]] = {}
        for each in found:
            self._by_code.setdefault(each.rule.code, []).append(each)
        self._found = found

    def causes(self) -> _Causes:
        """Every rule of waiting in turn; the first that applies to a finding counts."""
        causes: _Causes = {}
        for pairs in (
            self._in_schemas,
            self._replaced,
            self._at_one_place,
            self._read,
            self._along_paths,
            self._of_lost_steps,
            self._of_copies,
        ):
            for leader, follower in pairs():
                if id(follower) not in causes and not _follows(leader, follower, causes):
                    causes[id(follower)] = leader
        return causes

    def _of(self, codes: Iterable[str]) -> list[RuleFinding]:
        return [each for code in codes for each in self._by_code.get(code, ())]

    def _place(self, each: RuleFinding) -> _Place:
        document = each.finding.document or self._registry
        return _Place(id(document), tuple(split(each.finding.pointer or "")))

    def _value(self, each: RuleFinding) -> JsonValue:
        """The value at the place of a finding; None where that is not a place of a file of values."""
        document = each.finding.document or self._registry
        node = document.tree.at(each.finding.pointer or "") if isinstance(document, ParsedFile) else None
        return node.value if node is not None else None

    def _read(self) -> Iterator[tuple[RuleFinding, RuleFinding]]:
        """The rule's own reading decides."""
        for reading in READINGS:
            followers = self._of(reading.followers)
            leaders = self._of(reading.leaders) if followers else []
            for written in reading.places if leaders else ():
                yield from self._reading(written, leaders, followers, reading.within)

    def _reading(
        self, written: str, leaders: list[RuleFinding], followers: list[RuleFinding], within: bool
    ) -> Iterator[tuple[RuleFinding, RuleFinding]]:
        _before, of_agent, keys = written.rpartition("agent:")
        document = self._agent if of_agent else self._registry
        place = tuple(keys.split("/"))
        spoilt: dict[str | None, list[tuple[tuple[str, ...], RuleFinding]]] = {}
        for leader in leaders:
            at = self._place(leader)
            if at.document == id(document) and self._spoils(leader, at.keys, place):
                spoilt.setdefault(at.keys[1] if len(at.keys) > 1 else None, []).append((at.keys, leader))
        for follower in followers if spoilt else ():
            read = self._meant(place, follower)
            own = self._place(follower)
            if own.document == id(document) and read[: len(own.keys)] == own.keys and follower.finding.lacks:
                continue  # it is about other fields, or about this one itself
            inside = own.document == id(document) and len(own.keys) >= len(read) and _meet(read, own.keys)
            if (within and not inside) or follower.finding.misspelt:  # a slip is a cause by itself
                continue
            name = own.keys[1] if inside and len(own.keys) > 1 else read[1] if len(read) > 1 else "*"
            groups = spoilt.values() if name == "*" else (spoilt.get(name, ()), spoilt.get(None, ()))
            found = (
                leader
                for group in groups
                for keys, leader in group
                if leader.rule.code != follower.rule.code and (not inside or _meet(own.keys, keys))
            )
            yield from ((first, follower) for first in islice(found, 1))

    def _meant(self, place: tuple[str, ...], follower: RuleFinding) -> tuple[str, ...]:
        """A place with the names that a finding puts into it; one that names none reads no such place."""
        if "@" in place:
            return tuple((follower.finding.step or "") if key == "@" else key for key in place)
        if "=" in place:
            value = self._value(follower)
            named = value if isinstance(value, str) else ""
            if place[0] == "steps" and named not in self._flow.steps:
                named = named.rpartition(".")[0]  # of what an input reads
            return tuple(named if key == "=" else key for key in place)
        return place

    def _spoils(self, leader: RuleFinding, keys: tuple[str, ...], place: tuple[str, ...]) -> bool:
        """Whether a finding puts the value at a place in doubt: it is about it, its contents, or what it lacks."""
        if leader.finding.is_read or not _meet(place, keys):
            return False
        inner = place[len(keys) :]
        value = self._value(leader) if inner else None
        if not isinstance(value, dict):
            return True
        if leader.finding.lacks and value:
            return inner[0] in leader.finding.lacks
        for key in inner:
            if not isinstance(value, dict):
                return True
            if key in _ANY:
                return not value
            value = value.get(key)
        return not value and value not in ([], {})

    def _along_paths(self) -> Iterator[tuple[RuleFinding, RuleFinding]]:
        """Where runs get isn't sure while a transition has no target."""
        followers = self._of(_PATHS)
        broken = [*filter(_breaks_off, self._of(_BROKEN_OFF))] if followers else []
        if followers:
            broken += [
                each
                for each in self._of(VALUES)
                if self._place(each).document == id(self._registry)
                and any(self._spoils(each, self._place(each).keys, onward) for onward in _ONWARD)
            ]
        for follower in followers:
            own = follower.finding.step if follower.rule.code == "SF302" else None  # the first that isn't reached
            leader = next((each for each in broken if own is None or each.finding.step != own), None)
            if leader is not None:
                yield leader, follower

    def _of_lost_steps(self) -> Iterator[tuple[RuleFinding, RuleFinding]]:
        """Of two steps under one key one is lost."""
        lost = [each for each in self._of(("SF002",)) if self._place(each).keys[:1] == ("steps",)]
        leader = next((each for each in lost if len(self._place(each).keys) == 2), None)
        yield from ((leader, follower) for follower in self._of(_OF_STEPS) if leader is not None)

    def _of_copies(self) -> Iterator[tuple[RuleFinding, RuleFinding]]:
        """A copy to which nothing goes yet has the faults of its original, and those of not being finished."""
        copies = unused_copies(self._flow)
        leaders: dict[str, RuleFinding] = {}
        for leader in self._of(_COPIED) if copies else ():
            leaders.setdefault(leader.finding.step or "", leader)
        for follower in self._found if leaders else ():
            if follower.finding.step in copies and follower.finding.step in leaders:
                yield leaders[follower.finding.step], follower

    def _at_one_place(self) -> Iterator[tuple[RuleFinding, RuleFinding]]:
        """Several rules about one value, or about all that is missing in an empty object."""
        groups: dict[Hashable, list[RuleFinding]] = {}
        for each in self._found:
            place = self._place(each)
            if each.rule.code in _SAME_VALUE:
                groups.setdefault((place, each.finding.span), []).append(each)
            if each.rule.code in _OF_EMPTY and self._is_empty(each):
                groups.setdefault(("empty", place), []).append(each)
        for group in groups.values():
            codes = {each.rule.code for each in group}
            leader = min(group, key=lambda each: (bool(codes & {*each.rule.defers_to}), RANK[each.severity]))
            # A pair of steps in a file of no version, and a side that it lacks, are two mistakes.
            yield from ((leader, each) for each in group if not leader.rule.code == each.rule.code == "SF407")

    def _is_empty(self, each: RuleFinding) -> bool:
        return bool(self._value(each) == {})

    def _replaced(self) -> Iterator[tuple[RuleFinding, RuleFinding]]:
        """An unknown value is in the place of one that is missing: as many as there are of both."""
        for odd, lacking in _REPLACED:
            groups: dict[Hashable, tuple[list[RuleFinding], list[RuleFinding]]] = {}
            for side, codes in enumerate((odd, lacking)):
                for each in (each for each in self._of(codes) if each.severity != INFO):
                    if side and each.rule.code == "SF508" and each.severity == ERROR and not each.finding.misspelt:
                        continue  # nothing gives it whatever the list says
                    groups.setdefault(self._holder(each, odd), ([], []))[side].append(each)
            for unknown, missing in groups.values():
                places = {self._place(each): each for each in reversed(unknown)}
                yield from zip(reversed(places.values()), missing, strict=False)
                firsts = ((places[self._place(each)], each) for each in unknown)
                yield from ((first, each) for first, each in firsts if first.rule.code != each.rule.code)

    def _holder(self, each: RuleFinding, odd: tuple[str, ...]) -> Hashable:
        """Where both would be: the step, or the object for keys."""
        if odd == _KEYS:
            place = self._place(each)
            if each.rule.code in _LACKING and not self._lacks(each):
                return id(each)
            return place._replace(keys=place.keys[:-1]) if each.rule.code in odd else place
        return each.finding.step

    def _lacks(self, each: RuleFinding) -> bool:
        """Whether a finding is about what an object lacks, and not about a value."""
        return isinstance(self._value(each), dict)

    def _in_schemas(self) -> Iterator[tuple[RuleFinding, RuleFinding]]:
        """Places in output schemas: what is wrong on the path there, and one path that ends for several."""
        wanted: dict[Hashable, RuleFinding] = {}
        invalid = {self._place(each): each for each in reversed(self._of(("SF703",)))}
        for follower in self._of(_IN_SCHEMA):
            way = self._way(follower)
            if way is None:
                continue
            document, keys, lost = way
            places = (_Place(id(document), keys[:count]) for count in range(len(keys) + 1))
            leader = next((invalid[place] for place in places if place in invalid), None)
            if leader is not None:
                yield leader, follower
            elif lost is not None:
                first = wanted.setdefault((id(document), lost), follower)
                if first is not follower:
                    yield first, follower

    def _way(self, each: RuleFinding) -> tuple[ParsedFile, tuple[str, ...], tuple[str, ...] | None] | None:
        """The document and the place in it that a finding misses, and how far the way there goes that doesn't."""
        written = self._value(each)
        schema = next((side for side in each.finding.sides if side.document is not self._registry), None)
        if schema is None or schema.pointer is None or not isinstance(schema.document, ParsedFile):
            return None
        if not isinstance(written, str):
            return None
        inner = split(written[1:]) if written.startswith("#/") else _keys_of_path(written)
        keys = (*split(schema.pointer), *inner)
        for count in range(len(split(schema.pointer)), len(keys) + 1):
            if schema.document.tree.at(join("", *keys[:count])) is None:
                return schema.document, keys, keys[:count]
        return schema.document, keys, None


def _breaks_off(each: RuleFinding) -> bool:
    """Whether a run that takes the transition gets no further: it is followed, and there is no other case."""
    if each.severity == INFO:
        return False
    if each.rule.code == "SF320":
        return (each.finding.pointer or "").endswith("/default")
    return each.rule.code != "SF301" or each.severity == ERROR


def _meet(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether one of two places is in the other; the first may leave keys open."""
    return all(mine == theirs or mine in _ANY for mine, theirs in zip(one, other, strict=False))


def _keys_of_path(path: str) -> list[str]:
    return [key for part in path.split(".") for key in ("properties", part)]
