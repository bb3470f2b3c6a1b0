"""Which rules of a step are never chosen whatever its agents and judges say, and why: without running it.

A rule is never chosen where, whenever it would hold, another holds that its release looks at first. So each combination
of what the sub-steps come to and the judge picks is tried, and of conditions over the state each combination of what
they ask for. What is not certain is left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Literal, NamedTuple

from stepflow_gui.formats.takt.conditions_model import (
    WORKFLOW_FORMS,
    Aggregate,
    Condition,
    ConditionForms,
    Label,
    LabelWhen,
    Notation,
    When,
)
from stepflow_gui.formats.takt.releases.sets import ALL, Releases, since
from stepflow_gui.formats.takt.runners import forms_of
from stepflow_gui.formats.takt.state_expression import (
    Clause,
    ComparisonExpression,
    Constant,
    Expression,
    Operator,
    Truth,
)
from stepflow_gui.messages import _

Manner = Literal["status", "stages", "state-stages", "order", "result"]
"""How a rule is chosen: by a status in a text (to 0.2), in stages (to 0.52), in the file's order (since 0.53), or by
the result of a called workflow. In stages a tag may name any rule where no all() or any() holds, whether its own
condition holds or not; `state-stages` are those since 0.36 where no tag names a rule over sub-steps or the state.
"""
Why = Literal["covered", "only-label", "interactive", "no-result", "false"]

ERROR = "error"  # what a sub-step that failed has as its result, since 0.53
_MOST_WORLDS, _MOST_ATOMS = 2_000, 8
_ANY_STATUS = "always"
_SINCE = ("0.1.1", "0.3.0", "0.3.9", "0.36.0", "0.47.0", "0.50.0", "0.53.0")  # rules are read or chosen otherwise
_OPPOSITE: Mapping[str, Operator] = {"!=": "==", ">=": "<", "<=": ">"}

Literals = frozenset[tuple[str, bool]]  # clauses over the state, in words of their own, and whether each holds
Needs = tuple[Literals, ...]  # alternatives, of which one holds
_NOTHING_MORE: Needs = (frozenset(),)


class RuleReading(NamedTuple):
    """Releases that read conditions alike and choose alike."""

    releases: Releases
    manner: Manner
    notation: Notation
    forms: ConditionForms


class RuleRead(NamedTuple):
    """A rule as a release reads it. `text`: its condition as written, which older aggregates compare."""

    text: str
    condition: Condition
    interactive: bool = False


class NeverChosen(NamedTuple):
    """Why a rule is never chosen. `by`: the rules that are chosen instead, by their places."""

    why: Why
    by: tuple[int, ...] = ()


SubRules = Sequence[RuleRead] | None  # of one sub-step; None: not known


def readings(releases: Releases) -> Iterator[RuleReading]:
    """Some releases by how they read and choose rules, the oldest first."""
    for first, after in zip(_SINCE, (*_SINCE[1:], None), strict=True):
        found = since(first) & (~since(after) if after else ALL) & releases
        if found and after is None:
            yield RuleReading(found, "order", "workflow", WORKFLOW_FORMS)
        elif found:
            yield RuleReading(found, "status" if first == _SINCE[0] else "stages", "piece", forms_of(found & -found))


def never_chosen(
    rules: Sequence[RuleRead], subs: Sequence[SubRules], manner: Manner, *, interactive: bool
) -> dict[int, NeverChosen]:
    """The rules that are never chosen, by their places, in runs with a person or without one."""
    if manner in {"status", "result"}:
        return dict(_by_text(rules, manner, interactive=interactive))
    trial = _Ordered if manner == "order" else _StateStages if manner == "state-stages" else _Stages
    return dict(trial(rules, subs, interactive=interactive).found())


def words_for(found: NeverChosen, rules: Sequence[RuleRead]) -> str:
    """Why a rule is never chosen, as the end of a sentence."""
    others = _(", ").join(_("“{condition}”").format(condition=rules[place].text) for place in found.by)
    texts = {
        "covered": _("{others} goes first whenever it would hold")
        if len(found.by) == 1
        else _("one of {others} goes first whenever it would hold"),
        "only-label": _("{others} goes first and always holds, as the judge has no other text to choose"),
        "interactive": _("it is for interactive runs only"),
        "no-result": _("no sub-step ends so that it would hold"),
        "false": _("its expression is never true"),
    }
    return texts[found.why].format(others=others)


def _by_text(rules: Sequence[RuleRead], manner: Manner, *, interactive: bool) -> Iterator[tuple[int, NeverChosen]]:
    """Where a text is looked for among the conditions, the first that is the same is chosen."""
    seen: dict[str, int] = {}
    for place, rule in enumerate(rules):
        text = rule.condition.text if isinstance(rule.condition, Label) else rule.text
        first = seen.get(text, seen.get(_ANY_STATUS) if manner == "status" else None)
        if rule.interactive and not interactive:
            yield place, NeverChosen("interactive")
        elif first is not None:
            yield place, NeverChosen("covered", (first,))
        else:
            seen[text] = place


class _Outcome(NamedTuple):
    """What a sub-step came to. `text`: what aggregates compare; None: nothing that any of them names."""

    text: str | None
    failed: bool = False


class _World(NamedTuple):
    """What may be so when a rule is chosen: the judge's label, and what the sub-steps came to."""

    label: str | None
    outcomes: tuple[_Outcome, ...]


class _Ordered:
    """All that can be so where one of some rules is chosen: the first that holds is."""

    labels_count = True  # else any label may be chosen at any time

    def __init__(self, rules: Sequence[RuleRead], subs: Sequence[SubRules], *, interactive: bool) -> None:
        self.rules = rules
        self._subs = subs
        self._interactive = interactive
        self.asked = [_needs_of(rule.condition) for rule in rules]  # of the state, by each rule
        self.visible = [place for place, rule in enumerate(rules) if interactive or not self.is_hidden(rule)]
        labels = (_label_of(rules[place].condition) for place in self.visible) if self.labels_count else ()
        self._labels = tuple(dict.fromkeys(label for label in labels if label is not None))

    def found(self) -> Iterator[tuple[int, NeverChosen]]:
        """Every rule that is never chosen."""
        visible = set(self.visible)
        yield from ((place, NeverChosen("interactive")) for place in range(len(self.rules)) if place not in visible)
        worlds = self._worlds()
        for place in self.visible if worlds is not None else ():
            why = self._why(place, worlds or ())
            if why is not None:
                yield place, why

    def is_hidden(self, rule: RuleRead) -> bool:
        """Whether a rule is left out in a run without a person."""
        return rule.interactive

    def may_hold(self, place: int, world: _World) -> bool:
        """Whether a rule may be chosen in a world where no other one is, with some state."""
        condition = self.rules[place].condition
        if isinstance(condition, Aggregate):
            return bool(world.outcomes) and (not _is_certain(condition) or _aggregate(condition, world.outcomes))
        label = _label_of(condition)
        return not self.labels_count or label is None or label == world.label

    def needs(self, place: int) -> Needs:
        """What of the state a rule needs to be chosen; nothing at all where that can't be."""
        return self.asked[place]

    def goes_first(self, other: int, place: int, world: _World) -> bool:
        """Whether in a world a rule is chosen rather than another one, with the state that it needs."""
        condition = self.rules[other].condition
        label = _label_of(condition)
        holds = isinstance(condition, When) or _holds_over(condition, world)
        return other < place and (holds or (label is not None and label == world.label))

    def result(self, rule: RuleRead) -> str | None:
        """What aggregates compare of a sub-step that took a rule."""
        return _label_of(rule.condition)

    def of_failure(self) -> _Outcome | None:
        """What a sub-step that fails comes to; None where the run ends then."""
        return _Outcome(ERROR, failed=True)

    def _why(self, place: int, worlds: Sequence[_World]) -> NeverChosen | None:
        needs = self.needs(place)
        if not needs:
            return NeverChosen("false")
        by: dict[int, None] = {}
        possible = False
        for world in worlds:
            if not self.may_hold(place, world):
                continue
            possible = True
            instead = self._instead(place, needs, world)
            if not instead:
                return None
            by.update(dict.fromkeys(instead))
        if not possible or self._is_wanted_by_none(place, worlds):
            return NeverChosen("no-result")
        others = tuple(sorted(by))
        only = len(self._labels) == 1 and all(isinstance(self.rules[each].condition, Label) for each in others)
        same = only and _label_of(self.rules[place].condition) is not None
        return NeverChosen("only-label" if only and not same else "covered", others)

    def _is_wanted_by_none(self, place: int, worlds: Sequence[_World]) -> bool:
        """Whether a rule is about sub-steps, and holds whatever they come to in none of the worlds."""
        about_subs = isinstance(self.rules[place].condition, Aggregate)
        return about_subs and not any(_Ordered.may_hold(self, place, world) for world in worlds)

    def _instead(self, place: int, needs: Needs, world: _World) -> tuple[int, ...]:
        """The rules of which one is chosen wherever another would be in a world; none where it may be chosen itself."""
        given = {
            other: self.asked[other]
            for other in self.visible
            if other != place and self.goes_first(other, place, world)
        }
        single = next((each for each, its in given.items() if _implied(needs, its)), None)
        if single is not None:
            return (single,)
        union = tuple(literals for its in given.values() for literals in its)
        return tuple(given) if _implied(needs, union) else ()

    def _worlds(self) -> list[_World] | None:
        """All that can be so; None for too many."""
        named = {text for rule in self.rules for text in _texts_asked(rule.condition)}
        outcomes = [self._outcomes(sub, named) for sub in self._subs]
        # The judge that is asked may choose none of several labels.
        labels = self._labels if len(self._labels) == 1 else (*self._labels, None)
        if prod(map(len, outcomes)) * len(labels) > _MOST_WORLDS:
            return None
        return [_World(label, came) for came in product(*outcomes) for label in labels]

    def _outcomes(self, sub: SubRules, named: set[str]) -> list[_Outcome]:
        """What a sub-step can come to, as far as aggregates tell it apart."""
        if sub is None:
            texts: list[str | None] = [*sorted(named), None]
        else:
            never = dict(type(self)(sub, (), interactive=self._interactive).found())
            texts = [self.result(rule) for place, rule in enumerate(sub) if place not in never] or [None]
        failed = self.of_failure()
        came = [*map(_Outcome, texts), *([failed] if failed else ())]
        return list(dict.fromkeys(each if each.text in named else each._replace(text=None) for each in came))


class _Stages(_Ordered):
    """All that can be so up to 0.52, where all() and any() go first; else any rule may be chosen by a tag."""

    labels_count = False

    def is_hidden(self, rule: RuleRead) -> bool:
        return rule.interactive and not isinstance(rule.condition, Aggregate)

    def may_hold(self, _place: int, _world: _World) -> bool:
        return True

    def needs(self, _place: int) -> Needs:
        return _NOTHING_MORE

    def goes_first(self, other: int, place: int, world: _World) -> bool:
        its = self.rules[other].condition
        if isinstance(its, When):
            return other < place and not _is_always(its)  # `true` waits until nothing else holds
        behind = other > place and _holds_over(self.rules[place].condition, world)
        return _holds_over(its, world) and not behind

    def result(self, rule: RuleRead) -> str | None:
        return rule.text

    def of_failure(self) -> _Outcome | None:
        return None


class _StateStages(_Stages):
    """The same since 0.36 where every tag names a rule that was asked about: none over sub-steps or the state."""

    def may_hold(self, place: int, world: _World) -> bool:
        return _Ordered.may_hold(self, place, world)

    def needs(self, place: int) -> Needs:
        return _Ordered.needs(self, place)

    def goes_first(self, other: int, place: int, world: _World) -> bool:
        its, condition = self.rules[other].condition, self.rules[place].condition
        if isinstance(its, When) and not isinstance(condition, When):
            return False  # the state may be such that it doesn't hold
        always = isinstance(its, When) and _is_always(its)
        if always and isinstance(condition, When) and _is_always(condition):
            return other < place
        return super().goes_first(other, place, world)


def _is_certain(aggregate: Aggregate) -> bool:
    """Whether it depends on nothing but what the sub-steps came to, as far as its texts go."""
    return all(isinstance(each, Label) for each in aggregate.wanted)


def _holds_over(condition: Condition, world: _World) -> bool:
    """Whether a condition is about sub-steps and surely holds in a world, with the state that it needs."""
    return isinstance(condition, Aggregate) and _is_certain(condition) and _aggregate(condition, world.outcomes)


def _aggregate(aggregate: Aggregate, outcomes: Sequence[_Outcome]) -> bool:
    texts = [each.text for each in aggregate.wanted if isinstance(each, Label)]
    came = [each.text for each in outcomes]
    if not aggregate.every:
        return any(text in texts for text in came if text is not None)
    if aggregate.positional:
        return came == texts
    return bool(came) and all(text == texts[0] for text in came)


def _texts_asked(condition: Condition) -> Iterator[str]:
    for each in condition.wanted if isinstance(condition, Aggregate) else ():
        if isinstance(each, Label):
            yield each.text
        elif isinstance(each, LabelWhen):
            yield each.label.text


def _label_of(condition: Condition) -> str | None:
    if isinstance(condition, LabelWhen):
        return condition.label.text
    return condition.text if isinstance(condition, Label) else None


def _is_always(condition: When) -> bool:
    return condition.text.strip() == "true"


def _needs_of(condition: Condition) -> Needs:
    """What a condition asks of the state; nothing at all where that can't be."""
    if isinstance(condition, When):
        return tuple(_alternatives(condition.expression))
    if isinstance(condition, LabelWhen | Aggregate) and condition.when is not None:
        return tuple(_alternatives(condition.when.expression))
    return _NOTHING_MORE


def _alternatives(expression: Expression) -> Iterator[Literals]:
    for clauses in expression.alternatives:
        constants = [each.of.value for each in clauses if isinstance(each, Truth) and isinstance(each.of, Constant)]
        if False in constants:
            continue
        literals = frozenset(
            _literal(each) for each in clauses if not (isinstance(each, Truth) and isinstance(each.of, Constant))
        )
        if not any((clause, not holds) in literals for clause, holds in literals):
            yield literals


def _literal(clause: Clause) -> tuple[str, bool]:
    """A clause, and whether it must hold: of opposite comparisons one stands for both."""
    opposite = _OPPOSITE.get(clause.operator) if isinstance(clause, ComparisonExpression) else None
    if isinstance(clause, ComparisonExpression) and opposite is not None:
        return repr(clause._replace(operator=opposite)), False
    return repr(clause), True  # in which true isn't 1


def _implied(needs: Needs, given: Needs) -> bool:
    """Whether one of some alternatives holds wherever one of others does."""
    if all(any(each <= literals for each in given) for literals in needs):
        return True
    asked = {literal for literals in given for literal in literals}
    if not any((clause, not holds) in asked for clause, holds in asked):
        return False  # together they say no more than each alone
    atoms = list(dict.fromkeys(clause for literals in (*needs, *given) for clause, _holds in literals))
    if len(atoms) > _MOST_ATOMS:
        return False
    for values in product((True, False), repeat=len(atoms)):
        state = frozenset(zip(atoms, values, strict=True))
        if any(each <= state for each in needs) and not any(each <= state for each in given):
            return False
    return True
