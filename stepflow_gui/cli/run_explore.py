"""`stepflow run --explore`: everything that runs of an agent can do, as a table, as JSON and as scripts."""

import json
from argparse import Namespace
from pathlib import Path

from stepflow_gui.cli.run_options import UsageError, parameters_of
from stepflow_gui.cli.streams import write_bytes
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import ngettext
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.agent_run import AgentRun, Wishes

SOUND, FLAWED = 0, 1


def explore_agent(agent: AgentFolder, options: Namespace) -> int:
    """Explore an agent; 1 where runs can break or never end."""
    from stepflow_gui.run.exploring.findings import findings_of
    from stepflow_gui.run.exploring.report import as_json, table
    from stepflow_gui.run.exploring.search import explore, usual_start

    args = parameters_of(agent, options.args)
    run = AgentRun(agent, Wishes(options.entry, args, era=options.era, max_iterations=options.max_iterations))
    usual = usual_start(run.machine, run.start.entry)
    graph = explore(run.machine, run.start._replace(args={**usual.args, **run.start.args}))
    found = findings_of(graph)
    if options.json:
        write_bytes(json.dumps(as_json(found), ensure_ascii=False, indent=2) + "\n")
    elif graph.refused is not None:
        print(printable(graph.refused.message))
    else:
        for line in table(found):
            print(printable(line))
    if options.write_scripts and graph.refused is None:
        from stepflow_gui.run.exploring.scripts import scripts_of
        from stepflow_gui.run.exploring.writing import write_scripts

        scripts = scripts_of(graph, max_iterations=options.max_iterations).scripts
        problem = write_scripts(scripts, Path(options.write_scripts))
        if problem is not None:
            raise UsageError(problem)
        count = len(scripts)
        text = ngettext("{count} script written to {path}", "{count} scripts written to {path}", count)
        if not options.json:
            print(printable(text.format(count=count, path=options.write_scripts)))
    endless = any(loop.ended_by != "verdict" for loop in found.loops)
    return FLAWED if graph.refused is not None or found.dead_ends or endless else SOUND
