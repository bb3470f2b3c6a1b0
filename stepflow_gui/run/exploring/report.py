"""What was found as a table in text and as JSON of a fixed shape."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from stepflow_gui.messages import _, ngettext
from stepflow_gui.run.exploring.findings import EndedBy, ExploreResult, Unreached
from stepflow_gui.run.exploring.playing import SHOWN, PlayablePath, StepRun
from stepflow_gui.run.scripts.coverage import KINDS, Coverage, Edge, Kind, kind_name
from stepflow_gui.text.json.tree import JsonValue

VERSION = 1
_ARROW = " → "


def table(found: ExploreResult) -> Iterator[str]:
    """Line by line: what is covered, ends, loops, dead ends, what is unreachable."""
    graph = found.graph
    start = graph.nodes[0].step if graph.nodes else "–"
    places = ngettext("{count} place", "{count} places", len(graph.nodes)).format(count=len(graph.nodes))
    text = _("Explored from {step} as {era}: {places}.")
    yield text.format(step=start, era=graph.machine.era.name, places=places)
    note = cut_note(found)
    if note:
        yield note
    yield ", ".join(share_of(found.coverage, kind) for kind in KINDS)
    sections = (
        (_("Ends, each with its shortest path"), _ends(found)),
        (_("Infinite loops"), [(", ".join(loop.steps), ended_by(loop.ended_by)) for loop in found.loops]),
        (
            _("Dead ends"),
            [(dead.step or "–", dead.answer or "–", dead.error.message) for dead in found.dead_ends],
        ),
        (
            _("Unreachable"),
            [(edge_or_step(each), each.message) for each in found.out_of_reach],
        ),
        (_("Broken answers"), _broken(found)),
    )
    for title, rows in sections:
        if rows:
            yield ""
            yield title
            yield from columns(rows)


def as_json(found: ExploreResult) -> dict[str, JsonValue]:
    """All of it for other programs: the keys are always there, and always mean the same."""
    graph, coverage = found.graph, found.coverage
    agent = graph.machine.flow.agent_id
    return {
        "stepflow-exploration": VERSION,
        "agent": agent.value if agent else None,
        "era": graph.machine.era.name,
        "entry": graph.nodes[0].step if graph.nodes else graph.start.entry,
        "complete": found.complete,
        "note": cut_note(found),
        "places": len(graph.nodes),
        "arcs": sum(len(node.arcs) for node in graph.nodes),
        "limit": graph.machine.config.limit,
        "coverage": coverage_json(coverage),
        "ends": [
            {
                "kind": end.kind,
                "steps": list(end.steps),
                "success": end.outcome.success,
                "message": end.outcome.message,
                **_route_json(end.route),
            }
            for end in found.ends
        ],
        "loops": [
            {"steps": list(loop.steps), "endedBy": loop.ended_by, **_route_json(loop.route)} for loop in found.loops
        ],
        "deadEnds": [
            {
                "step": dead.step,
                "said": dead.answer,
                "kind": dead.error.kind,
                "message": dead.error.message,
                "pointer": dead.error.pointer,
                **_route_json(dead.route),
            }
            for dead in found.dead_ends
        ],
        "unreached": unreached_json(found.unreached),
        "broken": [
            {"step": each.step, "flaw": each.flaw, "result": each.result, "to": each.to, "error": each.error}
            for each in found.broken
        ],
    }


def unreached_json(unreached: Iterable[Unreached]) -> list[JsonValue]:
    """What is unreachable, and why."""
    return [
        {
            "step": each.step,
            "intent": each.edge.intent if each.edge else None,
            "case": each.edge.case if each.edge else None,
            "why": each.why,
            "message": each.message,
        }
        for each in unreached
    ]


def coverage_json(coverage: Coverage) -> dict[str, JsonValue]:
    """Coverage: counts and what is missing, by kind."""
    missing: dict[Kind, list[JsonValue]] = {
        "steps": list(coverage.missing_steps),
        "edges": [edge._asdict() for edge in coverage.missing_edges],
        "validators": list(coverage.missing_validators),
    }
    return {
        kind: {
            "covered": coverage.share(kind).covered,
            "total": coverage.share(kind).total,
            "percent": round(coverage.share(kind).percent, 1),
            "missing": missing[kind],
        }
        for kind in KINDS
    }


def cut_note(found: ExploreResult) -> str | None:
    """Why not all was checked; None where it was."""
    match found.graph.cut:
        case "cancelled":
            return _("The search was cancelled: what follows is only what was found until then.")
        case None:
            return None
    caps = found.graph.caps
    text = _("The search stopped at {places} places and {arcs} transitions: the result is incomplete.")
    return text.format(places=caps.places, arcs=caps.arcs)


def share_text(coverage: Coverage, kind: Kind) -> str:
    """How many are covered, as in “7/49 (14 %)”."""
    share = coverage.share(kind)
    if not share.total:
        return "–"
    return f"{share.covered}/{share.total} ({int(share.percent)} %)"


def share_of(coverage: Coverage, kind: Kind) -> str:
    """The same with what it is a share of."""
    return f"{kind_name(kind)} {share_text(coverage, kind)}"


def edge_or_step(missed: Unreached) -> str:
    """What is unreachable, in a line."""
    return edge_text(missed.edge) if missed.edge else missed.step


def edge_text(edge: Edge) -> str:
    """An edge in a line."""
    return f"{edge.step} – {edge.intent}" + (f" · {edge.case}" if edge.case is not None else "")


def ended_by(by: EndedBy) -> str:
    """All that gets a run out of a loop, in words."""
    match by:
        case "verdict":
            return _("only the agent's verdict ends it")
        case "validation":
            return _("only a validator whose retries are used up ends it")
        case "error":
            return _("only an error gets out of it")
    return _("only the limit of iterations, or an abort, ends it")


def route_text(route: PlayablePath) -> str:
    """The steps of a path in a line, shortened in the middle where it is long."""
    runs = route.runs
    first = runs.first.last(SHOWN) if runs else []
    last = runs.last(min(runs.number - len(first), SHOWN)) if runs else []
    gap = ["…"] if runs and runs.number > 2 * SHOWN else []
    text = _ARROW.join([*map(_run_text, first), *gap, *map(_run_text, last)])
    if not route.plays:
        return f"{text} {_('(not within the number of checks)')}"
    if route.max_iterations is not None:
        return f"{text} {_('(needs maxIterations {count})').format(count=route.max_iterations)}"
    return text


def _run_text(run: StepRun) -> str:
    return run.step if run.times == 1 else f"{run.step} ×{run.times}"


def _ends(found: ExploreResult) -> list[tuple[str, ...]]:
    return [(end.kind, at_text(end.steps), str(end.route.iterations), route_text(end.route)) for end in found.ends]


def at_text(steps: Sequence[str]) -> str:
    """Where an end comes: at a step, or at so many."""
    if len(steps) == 1:
        return steps[0]
    return ngettext("at {count} step", "at {count} steps", len(steps)).format(count=len(steps))


def _broken(found: ExploreResult) -> list[tuple[str, ...]]:
    counts = Counter((each.flaw, each.result) for each in found.broken)
    flaws = dict.fromkeys(each.flaw for each in found.broken)
    return [
        (
            flaw_text(flaw),
            _("stops: {stops}, continues: {on}, ends: {ends}").format(
                stops=counts[flaw, "stops"], on=counts[flaw, "goes_on"], ends=counts[flaw, "ends"]
            ),
        )
        for flaw in flaws
    ]


def flaw_text(flaw: str) -> str:
    """What is wrong with a broken answer, in words."""
    return {
        "no_output": _("no output"),
        "no_intent": _("no intent"),
        "no_result": _("no result"),
        "unknown_word": _("a word that is not an intent"),
        "not_allowed": _("an intent that isn't allowed"),
        "no_handoff": _("a handoff key that a later step needs is missing"),
    }.get(flaw, flaw)


def _route_json(route: PlayablePath) -> dict[str, JsonValue]:
    return {
        "iterations": route.iterations,
        "maxIterations": route.max_iterations,
        "plays": route.plays,
        "path": list(route.path),
        "script": [dict(line) for line in route.lines],
    }


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows as lines, each column as wide as its widest cell."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True))
        yield "  " + "  ".join(cells).rstrip()


def _width(text: str) -> int:
    """Columns of a terminal: East Asian letters take two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
