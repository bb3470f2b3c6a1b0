"""`stepflow run PIECE.yaml --explore`: everything that runs of a piece can do."""

import json
from argparse import Namespace

from stepflow_gui.cli.streams import write_bytes
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.run.takt.exploring import explore
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.report import as_json, is_flawed, table

SOUND, FLAWED = 0, 1


def explore_piece(machine: PieceMachine, options: Namespace) -> int:
    """Explore it; 1 where runs can break or never end."""
    found = explore(machine, options.entry)
    if options.format == "json":
        write_bytes(json.dumps(as_json(machine, found), ensure_ascii=False, indent=2) + "\n")
    else:
        for line in table(machine, found):
            print(printable(line))
    if options.write_scripts:
        from stepflow_gui.cli.run.explore import write_explored
        from stepflow_gui.run.takt.scripts.explored import scripts_of_piece

        write_explored(scripts_of_piece(machine, found), ".json", options)
    return FLAWED if is_flawed(found) else SOUND
