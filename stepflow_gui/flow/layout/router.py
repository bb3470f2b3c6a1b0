"""The routes of a flow: a pure function of its merged edges and of the boxes.

In three steps, each on what the one before it gave: the path of each edge around the boxes (`paths`), lanes where
several take one channel (`lanes`), then the labels in the order of the file (`labels`).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from stepflow_gui.cancelling import checkpoint
from stepflow_gui.flow.layout.arcs import MergedEdge, arcs_of, entry_keys
from stepflow_gui.flow.layout.captions import visible
from stepflow_gui.flow.layout.dimensions import TextWidth, entry_mark, full_label, label_lines, loop
from stepflow_gui.flow.layout.edge_state import Bundle, EdgeState, Ends, Path, Walls, touch_path
from stepflow_gui.flow.layout.grid import Areas
from stepflow_gui.flow.layout.labels import LabelPlaces
from stepflow_gui.flow.layout.lanes import Lanes
from stepflow_gui.flow.layout.paths import CORNER, Key, NoLines, Obstacles, is_forward, path_between
from stepflow_gui.flow.layout.shapes import Bend, Box, Corners, EntryMark, Layout, NodeId, NodeSize, Route
from stepflow_gui.flow.layout.spots import place_boxes
from stepflow_gui.flow.layout.streets import Point
from stepflow_gui.flow.model import Flow

_SIGN = 10.0  # that lines keep from the words of an entry
_MANY = 160  # edges; of more it takes long, and single crossings can’t be seen any more
_ROUND = 10.0  # the radius of a corner
_APART = 24.0  # between edges that leave a box without ports
_CLEAR_OF_BADGE = 32.0  # of a target’s top that is left free at either end of the place where a bundle enters
_BUNDLED = 3  # edges with one target and intent from which on they share a trunk
_FAN = 6  # from a step with more edges than this, labels are at the target


class Router:
    """Routes edges incrementally: what a change doesn't affect is kept, with the result of routing all edges.

    Without labels it is enough to compare places of boxes.
    """

    def __init__(self, *, labels: bool = True) -> None:
        self._with_labels = labels
        self._width: TextWidth | None = None
        self._merged: tuple[object, list[NodeId], list[MergedEdge]] = (None, [], [])  # for what they were merged
        self._forget()

    def _forget(self) -> None:
        self._arcs: Sequence[MergedEdge] = ()
        self._boxes: Mapping[NodeId, Box] = {}
        self._sizes: Mapping[str, NodeSize] = {}
        self._edges: list[EdgeState] = []
        self._leaving: dict[NodeId, list[EdgeState]] = {}
        self._entering: dict[NodeId, list[EdgeState]] = {}
        self._obstacles = Obstacles()
        self._walls = Walls()
        self._lanes = (Lanes(1), Lanes(0))
        self._labels = LabelPlaces()
        self._bundles: dict[Bundle, list[EdgeState]] = {}

    def arcs_of(self, flow: Flow, ends: Sequence[NodeId], *, loops: bool) -> tuple[list[NodeId], list[MergedEdge]]:
        """The nodes and merged edges of a flow, the same objects for the same flow; `loops`: with those."""
        key = (flow, tuple(ends), loops)
        if self._merged[0] != key:
            nodes, arcs = arcs_of(flow, ends)
            self._merged = (key, nodes, arcs if loops else [arc for arc in arcs if arc.source != arc.target])
        return self._merged[1:]

    def route(
        self,
        arcs: Sequence[MergedEdge],
        boxes: Mapping[NodeId, Box],
        sizes: Mapping[str, NodeSize],
        marks: Sequence[EntryMark],
        width: TextWidth,
    ) -> list[Route]:
        """The routes of all edges, in their order. `sizes` have the ports of the steps; `marks` are kept clear of."""
        if width is not self._width or (len(arcs) > _MANY) != (len(self._arcs) > _MANY):
            self._forget()
            self._width = width
        gone, changed = self._set_edges(arcs)
        nodes = self._set_boxes(boxes, sizes)
        moved = self._set_ends(changed, nodes)
        routed = {edge for edge in changed | moved if edge.ends is None}
        for edge in routed:
            edge.unlabelled = _loop_route(edge.arc, boxes[edge.arc.source], width)
        touched, sides = self._set_obstacles(marks)
        paths = self._find_paths(moved - routed, gone, touched, sides=sides)
        laned = self._lay_lanes(paths | (changed | moved) - routed, gone, touched)
        for edge in laned | (changed | moved) - routed:
            checkpoint()
            edge.unlabelled = _route(edge, edge.moved[0], width)
            routed.add(edge)
        if not self._with_labels:
            return [edge.unlabelled for edge in self._edges if edge.unlabelled is not None]
        solid: dict[Key, Box] = {("mark", mark.target): mark.box for mark in marks}
        solid.update(boxes.items())
        self._labels.update(self._edges, routed, gone, solid, width)
        return [edge.route for edge in self._edges if edge.route is not None]

    def _set_edges(self, arcs: Sequence[MergedEdge]) -> tuple[list[EdgeState], set[EdgeState]]:
        """Take these edges for what is there. The result are those that are gone and those that are other or new."""
        if arcs is self._arcs:
            return [], set()
        known = {(edge.arc.source, edge.arc.target): edge for edge in self._edges}
        kept = [known[key] for arc in arcs if (key := (arc.source, arc.target)) in known]
        if any(before.number > after.number for before, after in pairwise(kept)):  # the file has another order
            self._forget()
            known = {}
        self._arcs = arcs
        changed: set[EdgeState] = set()
        self._edges, self._leaving, self._entering = [], {}, {}
        for number, arc in enumerate(arcs):
            edge = known.pop((arc.source, arc.target), None)
            if edge is None:
                edge = EdgeState(arc)
                changed.add(edge)
            elif (edge.arc.moves, edge.arc.back) != (arc.moves, arc.back):
                changed.add(edge)
            elif edge.route is not None and edge.unlabelled is not None:  # as the flow has them now
                edge.unlabelled = edge.unlabelled._replace(moves=arc.moves)
                edge.route = edge.route._replace(moves=arc.moves)
            edge.arc, edge.number = arc, number
            self._edges.append(edge)
            self._leaving.setdefault(arc.source, []).append(edge)
            self._entering.setdefault(arc.target, []).append(edge)
        changed |= self._bundle()
        for leaving in self._leaving.values():
            fan = sum(edge.arc.source != edge.arc.target for edge in leaving) > _FAN
            for edge in leaving:
                if edge.at_target != (fan or edge.is_labelled):
                    edge.at_target = fan or edge.is_labelled
                    changed.add(edge)
        return list(known.values()), changed

    def _bundle(self) -> set[EdgeState]:
        """Bundle edges that have a target and their one intent in common. The result are those that did otherwise."""
        alike: dict[tuple[NodeId, str], list[EdgeState]] = {}
        for edge in self._edges:
            intent = edge.arc.moves[0].intent
            if all(move.intent == intent for move in edge.arc.moves) and not _is_loop(edge.arc):
                alike.setdefault((edge.arc.target, intent), []).append(edge)
        self._bundles = {
            (*key, len(edges)): edges
            for key, edges in alike.items()
            if len(edges) >= _BUNDLED and all(edge.arc.source.kind == "step" for edge in edges)
        }
        bundled = {edge: (bundle, edge is edges[0]) for bundle, edges in self._bundles.items() for edge in edges}
        changed: set[EdgeState] = set()
        for edge in self._edges:
            bundle, is_labelled = bundled.get(edge, (None, False))
            if (edge.bundle, edge.is_labelled) != (bundle, is_labelled):
                edge.bundle, edge.is_labelled = bundle, is_labelled
                changed.add(edge)
        return changed

    def _set_boxes(self, boxes: Mapping[NodeId, Box], sizes: Mapping[str, NodeSize]) -> set[NodeId]:
        """The nodes whose box or ports are other."""
        nodes = {node for node, box in boxes.items() if self._boxes.get(node) != box}
        if sizes is not self._sizes:
            nodes |= {NodeId("step", name) for name, size in sizes.items() if self._sizes.get(name) != size}
            nodes |= {NodeId("step", name) for name in self._sizes if name not in sizes}
        self._boxes, self._sizes = boxes, sizes
        return nodes

    def _set_ends(self, changed: Iterable[EdgeState], nodes: Iterable[NodeId]) -> set[EdgeState]:
        """Work out where edges begin and end. The result are those that do elsewhere, loops of other boxes too."""
        sources = {edge.arc.source for edge in changed}
        moved: set[EdgeState] = set()
        for node in nodes:
            sources.update(edge.arc.source for edge in (*self._leaving.get(node, ()), *self._entering.get(node, ())))
            moved.update(edge for edge in self._leaving.get(node, ()) if _is_loop(edge.arc))
        for source in sources:
            for edge, port in _ports(self._leaving.get(source, ()), self._boxes, self._sizes).items():
                ends = (self._boxes[source], self._boxes[edge.arc.target], port)
                if edge.ends is None or edge.ends[:3] != ends or (edge.bundle is None and edge.ends[3] is not None):
                    edge.ends = (*ends, None)
                    moved.add(edge)
        for bundle in {edge.bundle for edge in (*moved, *changed) if edge.bundle is not None}:
            edges = self._bundles[bundle]
            enter = _entered_at([edge.ends for edge in edges if edge.ends is not None])
            for edge in edges:
                assert edge.ends is not None
                if edge.ends[3] != enter:
                    edge.ends = (*edge.ends[:3], enter)
                    moved.add(edge)
        return moved

    def _set_obstacles(self, marks: Sequence[EntryMark]) -> tuple[Areas, bool]:
        boxes: dict[Key, Box] = {}
        boxes.update(self._boxes.items())
        boxes.update((("mark", mark.target), _sign(mark, self._boxes[mark.target])) for mark in marks)
        for edge in self._edges:
            if edge.ends is None and edge.unlabelled is not None:
                boxes["loop", edge.arc.source] = edge.unlabelled.area
        return self._obstacles.update(boxes)

    def _find_paths(
        self, moved: Collection[EdgeState], gone: Sequence[EdgeState], touched: Areas, *, sides: bool
    ) -> set[EdgeState]:
        """The paths of edges: each by itself, then those that cross others once more, so they cross fewer.

        Returns the edges whose path changed.
        """
        due = {
            edge
            for edge in self._edges
            if edge.ends is not None
            and (edge in moved or touched.meet(edge.first_asked) or (sides and edge.first_sides))
        }
        obstacles = self._obstacles
        lines = Areas()
        for edge in gone:
            touch_path(lines, edge.first)
            touch_path(lines, edge.path)
            self._walls.remove(edge)
        other: set[EdgeState] = set()
        for edge in moved:  # what else goes to the same target is another question now
            touch_path(lines, edge.first)
            touch_path(lines, edge.path)
        for edge in due:
            checkpoint()
            assert edge.ends is not None
            obstacles.asked = edge.first_asked = Areas()
            obstacles.asked_sides = False
            path = path_between(*edge.ends, obstacles, NoLines())
            edge.first_sides = obstacles.asked_sides
            if path != edge.first:
                touch_path(lines, edge.first)
                touch_path(lines, path)
                edge.first = path
                other.add(edge)
        if len(self._edges) > _MANY:
            for edge in other:
                edge.path = edge.first
            return other
        for edge in other | (due & set(moved)):
            self._walls.set(edge)
        found: set[EdgeState] = set()
        for edge in self._edges:
            if edge.ends is not None and (
                edge in due
                or touched.meet(edge.path_asked)
                or lines.meet(edge.path_asked)
                or (sides and edge.path_sides)
            ):
                checkpoint()
                path = self._path_among_others(edge)
                if path != edge.path:
                    touch_path(lines, edge.path)
                    touch_path(lines, path)
                    edge.path = path
                    self._walls.set(edge)
                    found.add(edge)
        return found

    def _path_among_others(self, edge: EdgeState) -> Path:
        assert edge.ends is not None
        self._obstacles.asked = self._walls.asked = edge.path_asked = Areas()
        self._obstacles.asked_sides = False
        others = self._walls.for_edge(edge)
        path = path_between(*edge.ends, self._obstacles, others) if others.cross(edge.first) else edge.first
        edge.path_sides = self._obstacles.asked_sides
        return path

    def _lay_lanes(self, changed: set[EdgeState], gone: Sequence[EdgeState], touched: Areas) -> set[EdgeState]:
        """Lead edges in lanes. The result are those whose line is another."""
        for lanes in self._lanes:
            axis = lanes.axis
            due = {edge for edge in self._edges if edge in changed or touched.meet(edge.reach[axis])}
            paths = {edge: edge.path if axis == 1 else edge.moved[1] for edge in due} | {edge: [] for edge in gone}
            for edge in due | lanes.update(paths, self._obstacles):
                checkpoint()
                path = lanes.moved(edge, edge.path if axis == 1 else edge.moved[1])
                if path != edge.moved[axis]:
                    edge.moved[axis] = path
                    changed.add(edge)
        return changed - set(gone)


def _is_loop(arc: MergedEdge) -> bool:
    return arc.source == arc.target


def _sign(mark: EntryMark, box: Box) -> Box:
    """What an entry's sign takes beside its step."""
    return Box(mark.box.x - _SIGN, mark.box.y - 6, box.x - mark.box.x + _SIGN, mark.box.height + 12)


def _ports(
    edges: Sequence[EdgeState], boxes: Mapping[NodeId, Box], sizes: Mapping[str, NodeSize]
) -> dict[EdgeState, float]:
    """Where the edges of a node leave: below the intent of their first move, else side by side by where they go."""
    ports: dict[EdgeState, float] = {}
    loose: list[tuple[float, int, EdgeState]] = []
    for edge in edges:
        arc = edge.arc
        if arc.source == arc.target:
            continue
        box = boxes[arc.source]
        port = sizes[arc.source.name].port(arc.moves[0].intent) if arc.source.name in sizes else None
        if port is None:
            loose.append((boxes[arc.target].middle, edge.number, edge))
        else:
            ports[edge] = box.x + port
    for place, (_middle, _number, edge) in enumerate(sorted(loose, key=_by_target)):
        box = boxes[edge.arc.source]
        apart = min(_APART, (box.width - 2 * CORNER) / max(len(loose) - 1, 1))
        ports[edge] = box.middle + (place - (len(loose) - 1) / 2) * apart
    return ports


def _by_target(loose: tuple[float, int, EdgeState]) -> tuple[float, int]:
    return loose[:2]


def _route(edge: EdgeState, path: Sequence[Point], width: TextWidth) -> Route:
    arc, bundle = edge.arc, edge.bundle
    full = full_label(*arc[:3])
    shown = full if bundle is None else [f"{visible(bundle[1])} ×{bundle[2]}"] if edge.is_labelled else []
    return Route(
        *(arc.source, arc.target, arc.moves, arc.target.kind, arc.back, _bends(path)),
        *("\n".join(full), label_lines(shown, width), None, bundle[2] if bundle is not None else 0),
    )  # fmt: skip


def _entered_at(ends: Sequence[Ends]) -> float | None:
    """The x at which edges of a bundle enter their target from above: that of their middle port."""
    ports = sorted(port for source, target, port, _enter in ends if is_forward(source, target))
    if not ports:
        return None
    target, middle = ends[0][1], ports[len(ports) // 2]
    free = min(_CLEAR_OF_BADGE, target.width / 2)
    return min(max(middle, target.x + free), target.right - free)


def _loop_route(arc: MergedEdge, box: Box, width: TextWidth) -> Route:
    full = full_label(*arc[:3])
    lines = label_lines(full, width)
    bends, label_box = loop(box, lines, width)
    return Route(arc.source, arc.target, arc.moves, "loop", False, bends, "\n".join(full), lines, label_box)


def _bends(path: Sequence[Point]) -> tuple[Bend, ...]:
    """The bends of a path with round corners."""
    headings = [_heading(a, b) for a, b in pairwise(path)]
    bends = [Bend(*path[0], *headings[0])]
    for at in range(1, len(path) - 1):
        x, y = path[at]
        (in_x, in_y), (out_x, out_y) = headings[at - 1], headings[at]
        before, after = _length(path[at - 1], path[at]), _length(path[at], path[at + 1])
        radius = min(_ROUND, before / 2, after / 2)
        bends.append(Bend(x - in_x * radius, y - in_y * radius, in_x, in_y))
        bends.append(Bend(x + out_x * radius, y + out_y * radius, out_x, out_y))
    bends.append(Bend(*path[-1], *headings[-1]))
    return tuple(dict.fromkeys(bends))


def _heading(a: Point, b: Point) -> tuple[int, int]:
    if a[0] == b[0]:
        return (0, 1 if b[1] >= a[1] else -1)
    return (1 if b[0] > a[0] else -1, 0)


def _length(a: Point, b: Point) -> float:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def place_all(
    *, flow: Flow, sizes: Mapping[str, NodeSize], corners: Corners, width: TextWidth, loops: bool, router: Router | None
) -> Layout:
    """See `draw` of the package."""
    router = router or Router()
    nodes, arcs = router.arcs_of(flow, [node for node in corners if node.kind == "end"], loops=loops)
    return _drawn(flow, sizes, place_boxes(nodes, arcs, sizes, corners), arcs, width, router)


def draw_boxes(
    *,
    flow: Flow,
    sizes: Mapping[str, NodeSize],
    boxes: dict[NodeId, Box],
    width: TextWidth,
    loops: bool,
    router: Router | None,
) -> Layout:
    """The layout of a flow all of whose boxes are known."""
    router = router or Router()
    _nodes, arcs = router.arcs_of(flow, [node for node in boxes if node.kind == "end"], loops=loops)
    return _drawn(flow, sizes, boxes, arcs, width, router)


def _drawn(
    flow: Flow,
    sizes: Mapping[str, NodeSize],
    boxes: dict[NodeId, Box],
    arcs: Sequence[MergedEdge],
    width: TextWidth,
    router: Router,
) -> Layout:
    marks = [entry_mark(tuple(keys), node, boxes[node], width) for node, keys in entry_keys(flow).items()]
    return Layout(boxes, router.route(arcs, boxes, sizes, marks, width), marks)
