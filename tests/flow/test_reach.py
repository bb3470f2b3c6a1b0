"""Reachability, cycles and islands, held against networkx on graphs of all kinds."""

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.flow.reach import circle, islands, knots, reached, turned

Graph = dict[int, list[int]]

NODES = 8


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Edges go to nodes of the graph only, also to themselves and twice."""
    size = draw(st.integers(0, NODES))
    if not size:
        return {}
    ways = st.lists(st.integers(0, size - 1), max_size=4)
    return {node: draw(ways) for node in draw(st.permutations(range(size)))}


def as_networkx(graph: Graph) -> "nx.DiGraph[int]":
    made: nx.DiGraph[int] = nx.DiGraph()
    made.add_nodes_from(graph)
    made.add_edges_from((node, other) for node, others in graph.items() for other in others)
    return made


@given(graphs())
def test_what_is_reached(graph: Graph) -> None:
    made = as_networkx(graph)
    for node in graph:
        assert set(reached([node], graph)) == nx.descendants(made, node) | {node}
        assert set(reached([node], turned(graph))) == nx.ancestors(made, node) | {node}


@given(graphs())
def test_knots_are_the_strongly_connected_parts_each_after_those_it_reaches(graph: Graph) -> None:
    parts = knots(graph)
    assert {frozenset(part) for part in parts} == set(
        map(frozenset, nx.strongly_connected_components(as_networkx(graph)))
    )
    order = {node: at for at, part in enumerate(parts) for node in part}
    assert all(order[other] <= order[node] for node, others in graph.items() for other in others)
    rank = list(graph)
    assert all(part == sorted(part, key=rank.index) for part in parts)


@given(graphs())
def test_islands_are_the_weakly_connected_parts(graph: Graph) -> None:
    parts = islands(graph)
    assert {frozenset(part) for part in parts} == set(
        map(frozenset, nx.weakly_connected_components(as_networkx(graph)))
    )
    rank = list(graph)
    assert [part[0] for part in parts] == sorted((part[0] for part in parts), key=rank.index)


@given(graphs())
def test_a_circle_is_a_shortest_one(graph: Graph) -> None:
    made = as_networkx(graph)
    for node, others in graph.items():
        found = circle(node, graph)
        back = [nx.shortest_path_length(made, other, node) for other in others if nx.has_path(made, other, node)]
        assert len(found) == (min(back) + 1 if back else 0)
        assert all(after in graph[before] for before, after in zip(found, found[1:] + found[:1], strict=True))
        assert found[:1] == [node][: len(found)]


def test_a_transition_out_of_the_graph_is_followed_and_has_no_successors() -> None:
    graph = {"a": ["b"]}
    assert list(reached(["a", "c"], graph)) == ["a", "c", "b"]
    assert knots(graph) == [["b"], ["a"]]
    assert islands(graph) == [["a"]]


def test_long_graphs_need_no_recursion() -> None:
    size = 50_000
    graph = {node: [(node + 1) % size, node] for node in range(size)}
    assert len(reached([0], graph)) == len(knots(graph)[0]) == len(islands(graph)[0]) == size
    assert circle(1, {**graph, 1: [2]}) == [*range(1, size), 0]
