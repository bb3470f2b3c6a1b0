"""Scripts generated for real agents, kept as flow tests: each does what it expects, and together they cover all."""

from pathlib import Path

import pytest

from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.agent_run import AgentRun, RunOptions
from stepflow_gui.run.exploring.findings import findings_of
from stepflow_gui.run.exploring.places import ExploreCaps
from stepflow_gui.run.exploring.scripts import scripts_of
from stepflow_gui.run.exploring.search import explore, usual_start
from stepflow_gui.run.host.simulated import Simulated
from stepflow_gui.run.scripts.coverage import Coverage
from stepflow_gui.run.scripts.flow_tests import run_flow_test

FORMATS = {"closing", "complete", "c3l"}


@pytest.mark.parametrize("era", ["guide", "climpt-2026-04-20", "climpt-2026-03-14"])
def test_generated_scripts_pass_as_flow_tests(corpus: Path, tmp_path: Path, era: str) -> None:
    played = 0
    seen: set[str] = set()
    for path in sorted(corpus.rglob("steps_registry.json")):
        agent = open_agent(path)
        text = path.read_text("utf-8")
        if not isinstance(agent, AgentFolder) or agent.format not in FORMATS or text in seen:
            continue
        seen.add(text)
        run = AgentRun(agent, RunOptions(era=era))
        usual = usual_start(run.machine)
        start = run.start._replace(args={**usual.args, **run.start.args})
        found = findings_of(explore(run.machine, start, ExploreCaps(places=2000, arcs=40_000)))
        assert all(end.route.plays for end in found.ends)
        scripts = scripts_of(found.graph)
        assert scripts.rest == ()
        coverage = Coverage(found.coverage.totals)
        for number, script in enumerate(scripts.scripts):
            file = tmp_path / f"{number}.jsonl"
            file.write_text(script.text, "utf-8")
            tested = run_flow_test(agent, file, Simulated(), RunOptions(era=era, needs_prompts=False))
            assert tested.failures == (), path
            coverage.add_run(tested.entries)
            played += 1
        assert coverage.missing_edges == found.coverage.missing_edges
        assert coverage.missing_validators == found.coverage.missing_validators
    assert played > 20
