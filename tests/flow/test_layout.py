"""The places of steps and edges in a layout."""

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from stepflow_gui.flow.layout import Bend, Layout, NodeId, NodeSize, Route, curves, lay_out, polyline
from stepflow_gui.flow.layout.arcs import arcs_of
from stepflow_gui.flow.layout.captions import label_width
from stepflow_gui.flow.layout.measure import boxes_crossed, boxes_overlapping, crossings, labels_overlapping
from stepflow_gui.flow.model import Flow
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.conftest import Thin
from tests.flow.flows import chain, flow_of, read

ISSUE = flow_of(
    {
        "initial.issue": {"next": "continuation.issue", "repeat": "initial.issue"},
        "continuation.issue": {
            "next": "continuation.issue",
            "repeat": "continuation.issue",
            "handoff": "closure.issue",
        },
        "closure.issue": {"closing": None, "repeat": "closure.issue"},
        "section.context": {},
    },
    entries={"poll:state": "initial.issue"},
)


def step(name: str) -> NodeId:
    return NodeId("step", name)


def route(layout: Layout, source: str, target: NodeId) -> Route:
    return next(one for one in layout.routes if one.source == step(source) and one.target == target)


def registries(corpus: Path) -> list[Path]:
    found = sorted(corpus.glob("climpt/**/steps_registry.json"))
    assert len(found) > 100
    return found


def test_the_main_path_is_one_straight_line_from_top_to_bottom() -> None:
    layout = lay_out(ISSUE, {"continuation.issue": NodeSize(300, 74)})
    column = [layout.steps[name] for name in ("initial.issue", "continuation.issue", "closure.issue")]
    assert len({round(box.middle, 3) for box in column}) == 1
    assert all(upper.bottom < lower.y for upper, lower in pairwise(column))
    for one in layout.routes:
        if one.kind != "loop":
            assert len({round(bend.x, 3) for bend in one.bends}) == 1, one.label


def test_moves_between_the_same_steps_are_one_edge_with_a_line_each() -> None:
    loop = route(lay_out(ISSUE, {}, loops=True), "continuation.issue", step("continuation.issue"))
    assert loop.lines == ("next", "repeat")
    assert [move.intent for move in loop.moves] == ["next", "repeat"]
    assert loop.kind == "loop"


def test_a_loop_stands_at_the_right_side_with_its_label_outside() -> None:
    layout = lay_out(ISSUE, {}, loops=True)
    loop = route(layout, "initial.issue", step("initial.issue"))
    box = layout.steps["initial.issue"]
    assert loop.bends[0].x == loop.bends[-1].x == box.right
    assert loop.label_box is not None
    assert loop.label_box.x > max(bend.x for bend in loop.bends)


def test_sections_stand_apart_and_entries_are_marked_at_the_left() -> None:
    layout = lay_out(ISSUE, {}, loops=True)
    section = layout.steps["section.context"]
    flow = [box for name, box in layout.steps.items() if name != "section.context"]
    assert section.x > max(box.right for box in flow) or section.y > max(box.bottom for box in flow)
    (mark,) = layout.entries
    assert mark.label == "poll:state"
    assert mark.box.right < mark.dot[0] < layout.steps["initial.issue"].x


def test_conditional_transitions_carry_their_value_and_dangling_ones_go_to_a_ghost() -> None:
    layout = lay_out(flow_of({"a": {"handoff": {"yes": "b", "no": "lost"}}, "b": {}}), {})
    assert route(layout, "a", step("b")).label == "handoff: yes"
    dangling = route(layout, "a", NodeId("ghost", "lost"))
    assert (dangling.kind, dangling.label) == ("ghost", "handoff: no")
    assert layout.boxes[NodeId("ghost", "lost")].y > layout.steps["a"].bottom


def test_an_entry_that_names_no_step_still_has_its_mark() -> None:
    layout = lay_out(flow_of({"a": {}}, entry="lost"), {})
    assert [(mark.keys, mark.target) for mark in layout.entries] == [((None,), NodeId("ghost", "lost"))]


def test_each_sub_flow_has_one_end_and_a_place_of_its_own() -> None:
    layout = lay_out(flow_of({"a": {"next": "b", "closing": None}, "b": {"closing": None}, "c": {"closing": None}}), {})
    ends = [node for node in layout.boxes if node.kind == "end"]
    assert ends == [NodeId("end", "a"), NodeId("end", "c")]
    assert boxes_overlapping(layout) == 0


def test_an_edge_back_leaves_at_the_bottom_and_enters_at_the_left() -> None:
    layout = lay_out(flow_of({"a": {"next": "b"}, "b": {"next": "c"}, "c": {"repeat": "a"}}), {})
    back = route(layout, "c", step("a"))
    assert back.back
    assert (back.bends[0].dy, back.bends[-1].dx) == (1, 1)
    assert min(bend.x for bend in back.bends) < min(box.x for box in layout.steps.values())
    assert boxes_crossed(layout) == crossings(layout) == 0


@pytest.mark.parametrize("name", ["", "x" * 300, "日本語" * 40, "a\u0000b\n\u202ec", "\ud800"])
def test_odd_ids_are_laid_out(name: str) -> None:
    layout = lay_out(flow_of({name: {"next": name, name: "b"}, "b": {name: "gone" + name}}, entry=name), {})
    assert boxes_overlapping(layout) == 0
    assert all(label_width(line) <= 220 for one in layout.routes for line in one.lines)


def test_a_registry_without_steps_gives_an_empty_layout() -> None:
    layout = lay_out(read("{}"), {})
    assert (layout.boxes, layout.routes, layout.bounds.width) == ({}, [], 0)


def test_every_real_registry_is_drawn_without_lines_over_boxes(corpus: Path, thin: Thin) -> None:
    """One in three; --full: each."""
    worst = 0
    for path in thin(registries(corpus), 3):
        layout = lay_out(read(path.read_text("utf-8")), {})
        assert boxes_crossed(layout) == 0, path
        assert boxes_overlapping(layout) == 0, path
        assert labels_overlapping(layout) == 0, path
        worst = max(worst, crossings(layout))
    assert worst <= 4


def test_the_iterator_has_at_most_four_crossings(corpus: Path) -> None:
    text = (corpus / "climpt/iterator/031-06e570d/steps_registry.json").read_text("utf-8")
    layout = lay_out(read(text), {})
    assert len(layout.steps) == 21
    assert crossings(layout) <= 4


SCRIPT = """
import sys
from stepflow_gui.flow.layout import lay_out
from tests.flow.flows import read
layout = lay_out(read(sys.stdin.read()), {})
print(sorted(layout.boxes.items()), layout.routes, layout.entries)
"""


def test_the_layout_is_the_same_in_every_process(corpus: Path, checkout: Path) -> None:
    text = (corpus / "climpt/iterator/031-06e570d/steps_registry.json").read_text("utf-8")
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            input=text,
            capture_output=True,
            text=True,
            check=True,
            cwd=checkout,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(outputs) == 1


def test_networkx_is_loaded_only_to_lay_out(checkout: Path) -> None:
    code = "import sys, stepflow_gui.flow.layout, stepflow_gui.flow.reach; print('networkx' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=checkout)
    assert run.stdout.strip() == "False"


def grid_flow(side: int) -> Flow:
    """Steps in rows, each with transitions to those below it on both sides and back up: dense, with long edges."""
    names = {(row, column): f"initial.r{row}c{column}" for row in range(side) for column in range(side)}
    return flow_of(
        {
            name: {
                "next": names.get((row + 1, column)),
                "handoff": names.get((row + 1, column + 1)),
                "jump": names.get((row + 4, column)),
                "repeat": names.get((row - 1, column), name),
            }
            for (row, column), name in names.items()
        },
        entry=names[0, 0],
    )


@pytest.mark.slow
def test_a_thousand_steps_are_laid_out_without_lines_over_boxes() -> None:
    layout = lay_out(grid_flow(31), {})
    assert len(layout.steps) == 961
    assert boxes_crossed(layout) == 0
    assert boxes_overlapping(layout) == 0


@pytest.mark.slow
def test_a_long_chain_is_laid_out_without_recursion() -> None:
    layout = lay_out(chain(3_000), {})
    assert len({box.x for box in layout.steps.values()}) == 12  # columns


def test_more_long_edges_than_fit_into_the_layers_are_led_around() -> None:
    names = [f"initial.{number}" for number in range(260)]
    flow = flow_of(
        {
            name: {
                "next": names[number + 1] if number < 259 else None,
                "jump": names[259 - number // 2],
                "handoff": names[(number * 97 + 31) % 260],
            }
            for number, name in enumerate(names)
        },
        entry=names[0],
    )
    layout = lay_out(flow, {})
    assert boxes_crossed(layout) == 0


def test_curves_pass_all_bends_and_stay_between_them() -> None:
    bends = (Bend(0, 0, 0, 1), Bend(100, 60, 0, 1), Bend(100, 160, 0, 1), Bend(40, 200, -1, 0))
    drawn = curves(bends)
    assert [curve.start for curve in drawn] + [drawn[-1].end] == [(bend.x, bend.y) for bend in bends]
    assert all(0 <= x <= 100 and 0 <= y <= 200 for x, y in polyline(bends))
    assert all(x == 100 for x, y in polyline(bends) if 60 <= y <= 160)


def test_what_no_entry_leads_to_has_no_end_of_its_own(tmp_path: Path) -> None:
    rules = "    rules:\n      - condition: done\n        next: {target}\n"
    steps = [("plan", "COMPLETE"), ("lonely", "COMPLETE"), ("other", "ABORT")]
    text = "name: p\nmovements:\n" + "".join(
        f"  - name: {name}\n    instruction: a\n{rules.format(target=target)}" for name, target in steps
    )
    file = tmp_path / "p.yaml"
    file.write_text(text, "utf-8")
    agent = open_agent(file)
    assert isinstance(agent, AgentFolder)
    laid = lay_out(agent.flow, {})
    ends = [node for node in laid.boxes if node.kind == "end"]
    assert sorted((node.name, node.word) for node in ends) == [("plan", "ABORT"), ("plan", "COMPLETE")]
    assert [node for node in arcs_of(agent.flow, [])[0] if node.kind == "end"] == ends
