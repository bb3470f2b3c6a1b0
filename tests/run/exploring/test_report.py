"""The results of exploring: the table for people, the JSON for programs."""

import json
from itertools import pairwise

from stepflow_gui.run.exploring.findings import findings_of
from stepflow_gui.run.exploring.places import ExploreCaps
from stepflow_gui.run.exploring.playing import PlayablePath, StepRun
from stepflow_gui.run.exploring.report import as_json, route_text, table
from stepflow_gui.run.exploring.search import explore
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.verdict import Verdict
from tests.run.flows import SIMPLE, flow, registry, step, validated

KEYS = {
    "stepflow-exploration",
    "agent",
    "era",
    "entry",
    "complete",
    "note",
    "places",
    "arcs",
    "limit",
    "coverage",
    "ends",
    "loops",
    "deadEnds",
    "unreached",
    "broken",
}
BROKEN = registry(
    step("a.start", next="ghost", handoff="b.around"), step("b.around", next="b.around"), step("c.island", next=None)
)


def test_the_table_names_ends_loops_dead_ends_and_islands() -> None:
    lines = list(table(findings_of(explore(Machine(flow(BROKEN))))))
    assert lines[0] == "Explored from a.start as guide: 4 places."
    assert lines[1] == "steps 2/3 (66 %), edges 2/4 (50 %), validators –"
    text = "\n".join(lines)
    assert "b.around  only the limit of iterations, or an abort, ends it" in text
    assert "a.start  next  " in text
    assert any(line.split() == ["c.island", "No", "transition", "goes", "here."] for line in lines)
    assert "a.start → b.around ×19" in text  # twenty iterations, then the limit


def test_the_json_has_the_same_shape_whatever_is_found() -> None:
    for content in (SIMPLE, BROKEN, validated(), registry(step("a.b", next=None), entryStep="ghost")):
        found = as_json(findings_of(explore(Machine(flow(content)))))
        assert found.keys() == KEYS
        assert json.loads(json.dumps(found)) == found
    assert found["entry"] is None


def test_the_json_shows_how_each_end_is_reached() -> None:
    found = as_json(findings_of(explore(Machine(flow(SIMPLE), Verdict("poll:state")))))
    ends = found["ends"]
    assert isinstance(ends, list)
    closing = next(end for end in ends if isinstance(end, dict) and end["kind"] == "closing")
    assert closing == {
        "kind": "closing",
        "steps": ["closure.issue"],
        "success": True,
        "message": "The run is complete: closure.issue closed it.",
        "iterations": 3,
        "maxIterations": None,
        "plays": True,
        "path": ["initial.issue", "continuation.issue", "closure.issue"],
        "script": [
            {"step": "initial.issue", "intent": "next"},
            {"step": "continuation.issue", "intent": "handoff"},
            {"step": "closure.issue", "intent": "closing"},
        ],
    }


def test_a_cut_search_reports_it() -> None:
    found = findings_of(explore(Machine(flow(SIMPLE)), caps=ExploreCaps(places=2)))
    assert as_json(found)["complete"] is False
    assert list(table(found))[1].startswith("The search stopped at 2 places")


def test_a_dead_end_is_reported_once_in_the_table() -> None:
    content = registry(step("a.start", "work", next=None, closing=None))
    found = findings_of(explore(Machine(flow(content))))
    assert [each.why for each in found.unreached] == ["error"]
    assert sum("closing" in line for line in table(found)) == 1


def test_a_long_path_is_shown_by_both_of_its_ends() -> None:
    names = [f"s.n{number}" for number in range(20)]
    steps = [step(name, next=after, repeat=name) for name, after in pairwise(names)]
    found = findings_of(explore(Machine(flow(registry(*steps, step(names[-1], next=None))))))
    end = next(end for end in found.ends if end.kind == "null")
    assert end.route.path == tuple(names)
    assert route_text(end.route) == " → ".join([*names[:6], "…", *names[-6:]])
    for count in (12, 13):
        runs = StepRun("s.n0", 3)
        for name in names[1:count]:
            runs = StepRun(name, 1, runs)
        text = route_text(PlayablePath(count + 2, runs, lambda: None))
        assert text.startswith("s.n0 ×3 → s.n1 → ")
        assert ("…" in text) == (count > 12)
