"""`stepflow run --explore`: everything that runs of an agent can do, as a table, as JSON and as scripts."""

import json
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from stepflow_gui.cli.parser import UsageError
from stepflow_gui.cli.run.configured import configured_era, configured_prompts
from stepflow_gui.cli.run.options import parameters_of
from stepflow_gui.cli.streams import print_error, write_bytes
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import ngettext
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.agent_run import AgentRun, RunOptions

if TYPE_CHECKING:
    from stepflow_gui.run.exploring.entries import EntriesResult
    from stepflow_gui.run.exploring.findings import ExploreResult

SOUND, FLAWED, REFUSED = 0, 1, 2


def explore_agent(agent: AgentFolder, options: Namespace) -> int:
    """Explore an agent; 1 where runs can break or never end, 2 where no run can begin."""
    from stepflow_gui.run.exploring.entries import explore_from, starts_of, tables, together_as_json
    from stepflow_gui.run.exploring.report import as_json
    from stepflow_gui.run.exploring.search import usual_start

    args = parameters_of(agent, options.args)
    wishes = RunOptions(
        options.entry,
        args,
        era=options.runtime,
        max_iterations=options.max_iterations,
        default_era=configured_era(agent),
        spare_prompts=configured_prompts(agent),
    )
    run = AgentRun(agent, wishes)
    usual = usual_start(run.machine, run.start.entry)
    start = run.start._replace(args={**usual.args, **run.start.args})
    starts = starts_of(run.machine, start) if options.all_entries else []
    found = explore_from(run.host, starts or [start])
    if options.format == "json":
        value = together_as_json(found) if options.all_entries else as_json(found.each[0])
        write_bytes(json.dumps(value, ensure_ascii=False, indent=2) + "\n")
    else:
        for line in tables(found):
            print(printable(line))
    if options.write_scripts:
        _write(found, options)
    refusals = [each.graph.refused for each in found.each if each.graph.refused is not None]
    for refusal in refusals:
        print_error(refusal.message)
    if refusals:
        return REFUSED
    return SOUND if all(_is_sound(each) for each in found.each) else FLAWED


def _is_sound(found: "ExploreResult") -> bool:
    endless = any(loop.ended_by != "verdict" for loop in found.loops)
    return not found.dead_ends and not endless


def _write(found: "EntriesResult", options: Namespace) -> None:
    from stepflow_gui.run.exploring.entries import scripts_from

    scripts = scripts_from(found, max_iterations=options.max_iterations)
    write_explored([script.text for script in scripts], ".jsonl", options)


def write_explored(texts: Sequence[str], ending: str, options: Namespace) -> None:
    """Write generated scripts where the options say, and print how many there are."""
    from stepflow_gui.run.exploring.writing import write_scripts

    if not texts:
        return
    problem = write_scripts(texts, Path(options.write_scripts), ending)
    if problem is not None:
        raise UsageError(problem)
    if options.format != "json":
        count = len(texts)
        text = ngettext("{count} script written to {path}", "{count} scripts written to {path}", count)
        print(printable(text.format(count=count, path=options.write_scripts)))
