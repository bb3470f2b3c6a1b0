"""Which rule of a parallel movement holds before its sub-steps are all done: the one that it takes, whatever comes."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.formats.takt.conditions_model import Aggregate, AskedOfJudge, Condition, Label
from stepflow_gui.run.takt.machine.choosing import first_true_aggregate, settled_aggregate
from stepflow_gui.run.takt.machine.piece import Movement, PieceRule

WORDS = ("a", "b", "c")
SUBS = tuple(Movement(name, ()) for name in ("one", "two", "three"))


def movement_of(*conditions: Condition) -> Movement:
    return Movement("parent", tuple(PieceRule("x", condition, "next") for condition in conditions), SUBS)


def every(*words: str) -> Aggregate:
    return Aggregate(True, tuple(map(Label, words)))


def some(*words: str) -> Aggregate:
    return Aggregate(False, tuple(map(Label, words)))


def test_any_holds_as_soon_as_one_has_come_to_it_and_all_before_it_is_out_of_reach() -> None:
    movement = movement_of(every("a"), some("b"))
    assert settled_aggregate(movement, ["b", None, None], {1, 2}) == 1
    assert settled_aggregate(movement, ["a", None, None], {1, 2}) is None
    assert settled_aggregate(movement_of(some("c"), some("b")), ["b", None, None], {1, 2}) is None  # the first may, too
    assert settled_aggregate(movement_of(AskedOfJudge("is it?"), some("b")), ["b", None, None], {1, 2}) is None


@given(st.data())
def test_it_is_the_one_that_is_taken_whatever_the_others_come_to(data: st.DataObject) -> None:
    word = st.sampled_from(WORDS)
    aggregates = st.builds(
        Aggregate, st.booleans(), st.lists(st.builds(Label, word), min_size=1, max_size=3).map(tuple)
    )
    movement = movement_of(*data.draw(st.lists(aggregates, max_size=3)))
    known = data.draw(st.lists(st.one_of(st.none(), word), min_size=3, max_size=3))
    at_work = data.draw(st.sets(st.integers(0, 2)))
    settled = settled_aggregate(movement, known, at_work)
    others = [(*WORDS, None) if place in at_work else (taken,) for place, taken in enumerate(known)]
    taken = {first_true_aggregate(movement, list(subs)) for subs in product(*others)}
    assert settled is None or taken == {settled}
