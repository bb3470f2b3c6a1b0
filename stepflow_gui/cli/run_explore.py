"""`stepflow run --explore`: everything that runs of an agent can do, as a table, as JSON and as scripts."""

import json
from argparse import Namespace
from pathlib import Path

from stepflow_gui.cli.run_options import UsageError, parameters_of
from stepflow_gui.cli.streams import write_bytes
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.agent_run import AgentRun, Wishes
from stepflow_gui.text.source import Source
from stepflow_gui.text.store import SaveFailed, save

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

        count = _write([script.text for script in scripts_of(graph).scripts], Path(options.write_scripts))
        text = ngettext("{count} script written to {path}", "{count} scripts written to {path}", count)
        if not options.json:
            print(printable(text.format(count=count, path=options.write_scripts)))
    return FLAWED if graph.refused is not None or found.dead_ends or found.loops else SOUND


def _write(scripts: list[str], folder: Path) -> int:
    """Write the scripts as `explored-001.jsonl` and so on; never over a file that is there."""
    names = [folder / f"explored-{number:03}.jsonl" for number in range(1, len(scripts) + 1)]
    there = next((name for name in names if name.exists()), None)
    if there is not None:
        raise UsageError(_("{path} is there already; name another folder").format(path=there))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(_("{path}: can't be written ({reason})").format(path=folder, reason=reason)) from error
    for name, text in zip(names, scripts, strict=True):
        saved = save(name, Source(text), None)
        if isinstance(saved, SaveFailed):
            raise UsageError(_("{path}: can't be written ({reason})").format(path=name, reason=saved.reason))
    return len(names)
