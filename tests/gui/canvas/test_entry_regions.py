"""Several entries are distinguished by the colour under the steps that only one of them reaches."""

from typing import Any

from stepflow_gui.flow.entry_regions import regions

from .conftest import ShowView, flow_of, step

TWO: dict[str, Any] = {
    "initial.a": step("initial", "A", next="continuation.a"),
    "continuation.a": step("continuation", "A on", handoff="closure.both"),
    "initial.b": step("initial", "B", handoff="closure.both"),
    "closure.both": step("closure", "Both", closing=None),
}
MAPPING = {"poll:state": "initial.a", "count:iteration": "initial.b"}


def test_steps_that_one_entry_alone_reaches_stand_on_its_ground(show: ShowView) -> None:
    view = show(flow_of(TWO, entryStepMapping=MAPPING))
    of = view.graph.regions.region_of
    assert of("initial.a") == of("continuation.a") is not None
    assert of("initial.b") is not None
    assert of("initial.b") != of("initial.a")
    assert of("closure.both") is None
    item = view.graph.regions.item
    assert item is not None
    for name in ("initial.a", "initial.b"):
        node = view.graph.step_item(name)
        assert node is not None
        assert item.boundingRect().contains(node.frame)


def test_one_entry_needs_no_ground(show: ShowView) -> None:
    view = show(flow_of(TWO, entryStep="initial.a"))
    assert view.graph.regions.item is None
    assert regions(flow_of(TWO, entryStep="initial.a"), view.graph.entries) == {}


def test_the_ground_goes_with_a_moved_step_and_with_the_entry(show: ShowView) -> None:
    view = show(flow_of(TWO, entryStepMapping=MAPPING))
    view.set_layout_positions({"initial.b": (900.0, 700.0)})
    item, node = view.graph.regions.item, view.graph.step_item("initial.b")
    assert item is not None
    assert node is not None
    assert item.boundingRect().contains(node.frame)
    view.show_flow(flow_of(TWO, entryStepMapping={"poll:state": "initial.a"}), keep_positions=True, verdict=None)
    assert view.graph.regions.item is None
