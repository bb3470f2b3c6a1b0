"""Routing again after a change gives what routing all of it gives, and looks at little."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import pytest

from stepflow_gui.export.outcome_signs import width_in
from stepflow_gui.flow.layout import Box, Layout, NodeId, NodeSize, draw, lay_out
from stepflow_gui.flow.layout.router import Router
from stepflow_gui.flow.layout.spots import Spots
from stepflow_gui.flow.model import Flow
from tests.conftest import Thin
from tests.flow.flows import Ways, flow_of
from tests.flow.test_routes import real_flows, sizes_of

EDITS = 1000
PORTS = (("next", 30.0), ("repeat", 80.0), ("handoff", 140.0), ("back", 190.0))


def same(one: Layout, other: Layout) -> bool:
    return (one.boxes, one.routes, one.entries) == (other.boxes, other.routes, other.entries)


def shifted(random: Random, corner: tuple[float, float]) -> tuple[float, float]:
    """A corner a little or far away."""
    reach = random.choice((8, 60, 400, 2000))
    return corner[0] + random.randrange(-reach, reach), corner[1] + random.randrange(-reach, reach)


@pytest.mark.slow
def test_moves_by_chance_in_real_files(corpus: Path, thin: Thin) -> None:
    """One file in sixteen with twenty moves; --full: each."""
    for file, flow in real_flows(corpus, thin, 16):
        random, sizes, width = Random(file.name), sizes_of(flow), width_in(flow)
        for loops in (False, True):
            router = Router()
            layout = lay_out(flow, sizes, width, loops=loops, router=router)
            assert same(layout, lay_out(flow, sizes, width, loops=loops)), file
            corners = layout.corners
            for _time in range(10):
                moved = random.sample(list(corners), random.choice((1, 1, min(3, len(corners)))))
                corners = {**corners, **{node: shifted(random, corners[node]) for node in moved}}
                drawn = draw(flow, sizes, corners, width, loops=loops, router=router)
                assert same(drawn, draw(flow, sizes, corners, width, loops=loops)), file


class Edits:
    """A flow that changes by chance."""

    def __init__(self, random: Random, count: int) -> None:
        self.random = random
        self.steps: dict[str, dict[str, str | dict[str, str | None] | None]] = {}
        for number in range(count):
            self.steps[f"s.{number}"] = {"next": f"s.{number + 1}" if number + 1 < count else None}
        self.made = count

    def edit(self) -> Flow:
        random, steps = self.random, self.steps
        step = random.choice(list(steps))
        match random.randrange(8):
            case 0:
                self.made += 1
                steps[f"s.{self.made}"] = {"next": step}
            case 1 if len(steps) > 10:
                del steps[step]
            case 2:
                steps[step].pop(random.choice(list(steps[step]) or [""]), None)
            case 3:
                steps[step]["handoff"] = {str(value): random.choice(list(steps)) for value in range(3)}
            case 4:
                steps[step]["repeat"] = step
            case 5:
                order = list(steps.items())
                random.shuffle(order)
                self.steps = dict(order)
            case _:
                steps[step][random.choice(("next", "handoff", "back"))] = random.choice([*steps, None, "missing"])
        return flow_of(self.steps, entry=random.choice(list(self.steps)))


@pytest.mark.slow
def test_a_thousand_edits_by_chance(full: bool) -> None:
    """Edits and moves of a small flow, forty of them without --full."""
    random, router = Random(5), Router()
    edits = Edits(random, 24)
    layout = lay_out(edits.edit(), {}, router=router)
    for number in range(EDITS if full else 40):
        flow, corners = edits.edit(), dict(layout.corners)
        node = random.choice(list(corners))
        corners[node] = shifted(random, corners[node])
        sizes = {step: NodeSize(216 + 8 * (len(step) % 3), 74, PORTS) for step in flow.steps if random.random() < 0.9}
        loops = number % 10 > 7
        layout = draw(flow, sizes, corners, router=router, loops=loops)
        assert same(layout, draw(flow, sizes, corners, loops=loops)), number


def large_flow(count: int) -> Flow:
    """A long flow with jumps forth and back."""
    random = Random(1)
    steps: dict[str, Ways] = {}
    for number in range(count):
        ways = {"next": f"s.{number + 1}" if number + 1 < count else None, "repeat": f"s.{number}"}
        if random.random() < 0.3:
            ways["handoff"] = f"s.{min(count - 1, number + random.randrange(2, 12))}"
        if random.random() < 0.1:
            ways["back"] = f"s.{max(0, number - random.randrange(1, 12))}"
        steps[f"s.{number}"] = ways
    return flow_of(steps, entry="s.0")


def drop(flow: Flow, count: int) -> float:
    """What share of a whole routing the routing after a drop takes, the least of some."""
    sizes = {step: NodeSize(216, 74, PORTS) for step in flow.steps}
    random, router = Random(2), Router()
    corners = lay_out(flow, sizes, router=router).corners
    shares = []
    for _time in range(count):
        node = NodeId("step", f"s.{random.randrange(len(flow.steps))}")
        box = Box(*shifted(random, corners[node]), 216, 74)
        spots = Spots(Box(*corner, 216, 74) for other, corner in corners.items() if other != node)
        dx, dy = spots.shift([box]) if spots.covers([box]) else (0.0, 0.0)
        corners = {**corners, node: (box.x + dx, box.y + dy)}
        after_drop = spent(partial(draw, flow, sizes, corners, router=router))
        shares.append(after_drop / spent(partial(draw, flow, sizes, corners)))
    return min(shares)


def spent(does: Callable[[], object]) -> float:
    """Seconds of the processor."""
    before = time.process_time()
    does()
    return time.process_time() - before


@pytest.mark.slow
@pytest.mark.parametrize(("count", "share"), [(200, 0.6), (1000, 0.2)])
def test_a_drop_takes_a_part_of_what_routing_everything_takes(count: int, share: float) -> None:
    assert drop(large_flow(count), 3) < share
