"""How long exploring takes."""

import json
from pathlib import Path
from time import thread_time
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.chance import Chance
from benchmarks.generate import registry
from stepflow_gui.formats.read import read_flow
from stepflow_gui.run.exploring.findings import findings_of
from stepflow_gui.run.exploring.scripts import scripts_of
from stepflow_gui.run.exploring.search import explore
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.verdict import Verdict
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source

STEPS = 200

pytestmark = pytest.mark.benchmark(min_rounds=3, max_time=0.5)


def four_intents() -> dict[str, Any]:
    """A registry of 200 steps with four intents each, and 40 closures."""
    content = registry(STEPS)
    chance, names = Chance(5), list(content["steps"])
    for step in content["steps"].values():
        gate = step["structuredGate"]
        if step["stepKind"] == "closure":
            continue
        third = "escalate" if step["stepKind"] == "verification" else "handoff"
        step["transitions"] = {
            "next": step["transitions"]["next"],
            "repeat": {"target": step["stepId"]},
            "jump": {"target": chance.choice(names)},
            third: {"target": chance.choice(names)},
        }
        gate["allowedIntents"] = list(step["transitions"])
        del gate["targetField"]
    return content


@pytest.mark.parametrize("jumps", ["by rule", "anywhere"])
def test_two_hundred_steps(benchmark: BenchmarkFixture, jumps: str) -> None:
    """Search and findings of 200 steps with four intents: 5 s, even where answers may jump to each of them."""
    content = four_intents() if jumps == "by rule" else registry(STEPS)
    flow = read_flow(ParsedFile.read(Path("steps_registry.json"), Source(json.dumps(content))))
    seconds: list[float] = []

    def go() -> None:
        began = thread_time()
        found = findings_of(explore(Machine(flow, Verdict("poll:state"))))
        seconds.append(thread_time() - began)
        assert found.complete
        assert len(found.graph.nodes) > STEPS
        began = thread_time()
        scripts = scripts_of(found.graph)
        benchmark.extra_info |= {
            "places": len(found.graph.nodes),
            "arcs": sum(len(node.arcs) for node in found.graph.nodes),
            "scripts": len(scripts.scripts),
            "seconds for scripts": thread_time() - began,
        }

    benchmark(go)
    assert min(seconds) <= 5
