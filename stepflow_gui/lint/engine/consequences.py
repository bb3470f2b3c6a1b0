"""One slip, one finding: a finding that follows from another waits until that one is settled, and rides along with it.

What a rule takes for granted is used instead tables: the fields of a step that it reads, the place in an output schema
that it looks for. Where a value there is missing, of the wrong type or twice, its finding says nothing that is sure.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import NamedTuple

from stepflow_gui.lint.diagnostic import ERROR, INFO, RANK
from stepflow_gui.lint.engine.deduplication import SHOWN, RuleFinding
from stepflow_gui.lint.rule import Side
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join, split

_SPOILING = ("SF002", "SF004", "SF107")  # rules that say of a value that it is missing, of the wrong type or twice
_TRANSITIONS, _ALLOWED, _VARIABLES = ("transitions",), ("structuredGate", "allowedIntents"), ("uvVariables",)
_SCHEMA, _GATE = ("outputSchemaRef",), ("structuredGate",)
_PROMPT = (("c1",), ("c2",), ("c3",), ("edition",), ("adaptation",), ("address",))
_READ: Mapping[str, tuple[tuple[str, ...], ...]] = {
    **dict.fromkeys(("SF310", "SF317", "SF321"), (_TRANSITIONS,)),
    **dict.fromkeys(("SF201", "SF203", "SF204", "SF212"), (_TRANSITIONS, _ALLOWED)),
    **dict.fromkeys(("SF202", "SF217", "SF219"), (_ALLOWED,)),
    **dict.fromkeys(("SF508", "SF509", "SF510"), (_VARIABLES,)),
    **dict.fromkeys(("SF209", "SF213", "SF214", "SF701", "SF702"), (_SCHEMA,)),
    **dict.fromkeys(("SF503", "SF506", "SF514"), _PROMPT),
}
"""By rule the fields of its step that it reads."""

_PATHS = ("SF302", "SF303", "SF304", "SF815")  # rules about where runs get, by way of all transitions
_BROKEN_OFF = ("SF301", "SF306", "SF310", "SF320", "SF321")  # rules about a transition that has no target
_SAME_VALUE = frozenset({"SF004", "SF801", "SF803", "SF805", "SF806", "SF808"})  # rules about a value by itself
_OF_EMPTY = frozenset({"SF004", "SF107", "SF201", "SF208", "SF211", "SF503", "SF801", "SF806"})  # about what is missing
_IN_SCHEMA = ("SF209", "SF213", "SF214")  # rules about a place in an output schema, named by the value that they are at
_REPLACED = (  # rules about a value that nothing knows, and those about one that is missing beside it
    (("SF510", "SF509"), ("SF508",)),
    (("SF205",), ("SF202", "SF201")),
    (("SF005", "SF002"), ("SF107", "SF004", "SF208", "SF211")),
)
_LACKING = ("SF107", "SF004", "SF208", "SF211")
_KEYS = ("SF005", "SF002")
_OF_STEPS = ("SF101", "SF103", "SF301", "SF317", "SF402", "SF404", *_PATHS)  # rules that read which steps there are

_Causes = dict[int, RuleFinding]
"""By the identity of a finding the one from which it follows."""


def wait(found: list[RuleFinding], registry: ParsedFile, speaks: Callable[[RuleFinding], bool]) -> list[RuleFinding]:
    """The findings that follow from no other one, each with those that wait for it as places besides.

    Only what `speaks`, as it is going to be reported, keeps others waiting.
    """
    if len(found) < 2:
        return found
    waiting = _Waiting(found, registry)
    causes = {follower: leader for follower, leader in waiting.causes().items() if speaks(leader)}
    if not causes:
        return found
    riders: dict[int, list[RuleFinding]] = {}
    by_id = {id(each): each for each in found}
    for follower in causes:
        leader = _first(follower, causes)
        if leader is not None:
            riders.setdefault(id(leader), []).append(by_id[follower])
    gone = {id(rider) for each in riders.values() for rider in each}
    return [_with(each, riders.get(id(each), ()), registry) for each in found if id(each) not in gone]


def _first(follower: int, causes: _Causes) -> RuleFinding | None:
    """The finding at the end of the chain; None where it is a cycle."""
    seen = {follower}
    leader = causes[follower]
    while id(leader) in causes:
        if id(leader) in seen:
            return None
        seen.add(id(leader))
        leader = causes[id(leader)]
    return leader


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
    return each._replace(finding=finding._replace(sides=sides, severity=worst))


class _Place(NamedTuple):
    """Where a finding is: the document and the keys that go there."""

    document: int
    keys: tuple[str, ...]


class _Waiting:
    """Works out what waits for what."""

    def __init__(self, found: list[RuleFinding], registry: ParsedFile) -> None:
        self._registry = registry
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
            self._orphans,
        ):
            for leader, follower in pairs():
                if leader is not follower:
                    causes.setdefault(id(follower), leader)
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
        """What a rule reads of its step is told of itself."""
        spoiled: dict[str | None, list[tuple[tuple[str, ...], RuleFinding]]] = {}
        for leader in self._of(_SPOILING):
            place = self._place(leader)
            if place.document == id(self._registry) and place.keys[:1] == ("steps",) and len(place.keys) > 1:
                for keys in self._spoiled(leader, place.keys[2:]):
                    spoiled.setdefault(place.keys[1], []).append((keys, leader))
        if not spoiled:
            return
        for code, reads in (*_READ.items(), ("SF004", (_TRANSITIONS, _GATE, _SCHEMA))):
            for follower in self._by_code.get(code, ()):
                for keys, leader in spoiled.get(follower.finding.step, ()):
                    if leader.rule.code == code or (code == "SF004" and leader.rule.code != "SF107"):
                        continue
                    own = self._place(follower).keys[2:]
                    if any(_meet(keys, each) and _depends(own, keys, each, code) for each in reads):
                        yield leader, follower
                        break

    def _spoiled(self, leader: RuleFinding, keys: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        """The fields of its step that a finding is about; one about the step itself is about all that it lacks."""
        if keys:
            yield keys
            return
        value = self._value(leader)
        if isinstance(value, dict):
            named = () if "address" in value else (("c2",), ("c3",))
            for field in (_TRANSITIONS, _VARIABLES, _SCHEMA, _GATE, *named):
                if not value.get(field[0]) and value.get(field[0]) not in ([], {}):
                    yield field

    def _along_paths(self) -> Iterator[tuple[RuleFinding, RuleFinding]]:
        """Where runs get isn't sure while a transition has no target."""
        broken = [
            *filter(_breaks_off, self._of(_BROKEN_OFF)),
            *(each for each in self._of(_SPOILING) if self._is_about_transitions(each)),
        ]
        for follower in self._of(_PATHS):
            own = follower.finding.step if follower.rule.code == "SF302" else None  # the first that isn't reached
            leader = next((each for each in broken if own is None or each.finding.step != own), None)
            if leader is not None:
                yield leader, follower

    def _of_lost_steps(self) -> Iterator[tuple[RuleFinding, RuleFinding]]:
        """Of two steps under one key one is lost."""
        lost = [each for each in self._of(("SF002",)) if self._place(each).keys[:1] == ("steps",)]
        leader = next((each for each in lost if len(self._place(each).keys) == 2), None)
        yield from ((leader, follower) for follower in self._of(_OF_STEPS) if leader is not None)

    def _orphans(self) -> Iterator[tuple[RuleFinding, RuleFinding]]:
        """A step whose prompt isn't found leaves a file that no step goes to."""
        leader = next(iter(self._of(("SF106", "SF506"))), None) or next(filter(self._hides_prompt, self._found), None)
        yield from ((leader, follower) for follower in self._of(("SF513",)) if leader is not None)

    def _hides_prompt(self, each: RuleFinding) -> bool:
        keys = self._place(each).keys
        if each.rule.code not in _SPOILING or keys[:1] != ("steps",):
            return False
        return any(spoiled[:1] in _PROMPT for spoiled in self._spoiled(each, keys[2:])) or (
            each.rule.code == "SF002" and len(keys) == 2
        )

    def _is_about_transitions(self, each: RuleFinding) -> bool:
        keys = self._place(each).keys
        return keys[:1] == ("steps",) and any(spoiled[:1] == _TRANSITIONS for spoiled in self._spoiled(each, keys[2:]))

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
            leader = min(group, key=lambda each: RANK[each.severity])
            yield from ((leader, each) for each in group)

    def _is_empty(self, each: RuleFinding) -> bool:
        return bool(self._value(each) == {})

    def _replaced(self) -> Iterator[tuple[RuleFinding, RuleFinding]]:
        """An unknown value is in the place of one that is missing: as many as there are of both."""
        for odd, lacking in _REPLACED:
            groups: dict[Hashable, tuple[list[RuleFinding], list[RuleFinding]]] = {}
            for side, codes in enumerate((odd, lacking)):
                for each in (each for each in self._of(codes) if each.severity != INFO):
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
        """Places in output schemas: what is wrong on the way there, and one way that ends for several."""
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
    """Whether one of two places is in the other."""
    return all(mine == theirs for mine, theirs in zip(one, other, strict=False))


def _depends(own: tuple[str, ...], keys: tuple[str, ...], read: tuple[str, ...], code: str) -> bool:
    """Whether a finding at `own` follows from what is wrong at `keys`; one about another item of `read` doesn't."""
    if code == "SF004":
        return own == read
    return own[: len(read)] != read or _meet(own, keys)


def _keys_of_path(path: str) -> list[str]:
    return [key for part in path.split(".") for key in ("properties", part)]
