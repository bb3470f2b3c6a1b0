"""The run that goes on as long as it can, up to the limit of iterations."""

from stepflow_gui.flow.reach import knots
from stepflow_gui.run.exploring.answer_options import AnswerOption
from stepflow_gui.run.exploring.places import Places
from stepflow_gui.run.exploring.playing import PlayablePath, Player
from stepflow_gui.run.exploring.search import Graph
from stepflow_gui.run.machine.state import Outcome

_LONGEST = 10_000  # iterations that are played
COUNTED = frozenset({"count:iteration", "count:check"})  # verdicts that hold after so many iterations


def lasting(graph: Graph) -> tuple[Outcome, PlayablePath] | None:
    """How a run ends that its limit ends, if one can go on so long; None where none can or it is too long."""
    machine = graph.machine
    if not graph.nodes or machine.config.limit > _LONGEST:
        return None
    breath = _breath(graph)
    places = Places(graph.free, graph.caps)
    player = Player(machine, graph.start)
    while not player.over:
        node = graph.node_at(places, player.state, player.visits)
        last: AnswerOption | None = None
        best = -1.0
        for arc in node.arcs if node else ():
            if isinstance(arc.to, int) and arc.option.sound and arc.option.kind != "verdict" and breath[arc.to] > best:
                last, best = arc.option, breath[arc.to]
        if last is None:
            return None
        player.give(last)
    outcome = player.state.outcome
    counted = outcome is not None and outcome.kind == "verdict" and machine.verdict.type in COUNTED
    if outcome is None or not (counted or outcome.kind == "limit"):
        return None
    return outcome, PlayablePath(outcome.iterations, player.runs, lambda: player)


def _breath(graph: Graph) -> list[float]:
    """How many events a run can still go through from each place; infinite where it comes to a cycle."""
    own = {
        node.number: list(
            dict.fromkeys(
                arc.to
                for arc in node.arcs
                if isinstance(arc.to, int) and arc.option.sound and arc.option.kind != "verdict"
            )
        )
        for node in graph.nodes
    }
    breath = [0.0] * len(graph.nodes)
    for part in knots(own):  # their targets come first
        circles = len(part) > 1 or part[0] in own[part[0]]
        for number in part:
            breath[number] = float("inf") if circles else max((breath[to] + 1 for to in own[number]), default=0.0)
    return breath
