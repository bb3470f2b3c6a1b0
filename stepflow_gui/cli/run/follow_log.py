"""`stepflow run AGENT --follow`: prints the turns of a real run's log while it is written."""

from argparse import Namespace
from pathlib import Path
from time import sleep as _sleep

from stepflow_gui.cli.parser import UsageError
from stepflow_gui.cli.run.log_lines import DIFFERENT, SAME, compared_log, end_line, line_of_turn, log_parameters
from stepflow_gui.cli.run.options import NAME
from stepflow_gui.cli.streams import print_error
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.logs.comparing import LogView
from stepflow_gui.run.logs.following import SILENT, LogFollower
from stepflow_gui.run.logs.listing import log_at
from stepflow_gui.run.logs.log_text import differences_of, title_of
from stepflow_gui.run.logs.logged_run import ComparedRun

_EVERY = 0.5  # seconds between two looks


def follow_log(agent: AgentFolder, options: Namespace) -> int:
    """Print it until the run ends: 0 where the flow does all as the log has it, else 1. Raises UsageError."""
    return _Following(agent, options).follow()


class _Following:
    """Prints turns as soon as they are over. The log is only read."""

    def __init__(self, agent: AgentFolder, options: Namespace) -> None:
        self._agent = agent
        self._options = options
        self._view = LogView(options.runtime, options.at)
        self._args = log_parameters(agent, options)
        self._is_piece = agent.format == "takt"
        file = log_at(Path(options.log)) if options.log else None
        if options.log and file is None:
            raise UsageError(_("{folder} has no log of a run").format(folder=options.log))
        self._follower = LogFollower(agent, file)
        self._file: Path | None = None
        self._printed = 0  # turns of that file
        self._announced: tuple[int, str | None] | None = None
        self._notice = ""

    def follow(self) -> int:
        """Until the run ends."""
        while True:
            found = self._follower.look()
            if found.problem:
                raise UsageError(found.problem)
            compared = None
            if found.run is not None and (found.run.turns or found.run.end.kind != "unfinished"):
                compared = compared_log(self._agent, found.run, self._view, self._args)
                self._print_turns(compared)
            if found.path is None:
                self._notify(_("Waiting for a log …"))
            elif found.silent >= SILENT:
                seconds = int(found.silent // SILENT * SILENT)
                self._notify(_("{file}: no new line for {seconds} s").format(file=found.path.name, seconds=seconds))
            if compared is not None and compared.run.end.kind != "unfinished":
                self._print_line(end_line(compared.run))
                self._print_line(differences_of(compared))
                return SAME if compared.first_difference is None else DIFFERENT
            _sleep(_EVERY)

    def _print_turns(self, compared: ComparedRun) -> None:
        turns, run = compared.turns, compared.run
        if run.file != self._file or len(turns) < self._printed:
            self._file, self._printed, self._announced = run.file, 0, None
            self._print_line(title_of(compared))
        over = len(turns) if run.end.kind != "unfinished" else len(turns) - 1
        for each in turns[self._printed : over]:
            if not self._options.quiet or each.difference is not None:
                self._print_line(line_of_turn(each, is_piece=self._is_piece))
            if each.difference is not None:
                self._print_line(f"    {each.difference}")
        self._printed = max(self._printed, over)
        if over < len(turns) and not self._options.quiet:
            turn = turns[over].turn
            if (turn.number, turn.step) != self._announced and turn.step is not None:
                self._announced = turn.number, turn.step
                self._print_line(
                    _("line {line}: {number}. {step} …").format(line=turn.line, number=turn.iteration, step=turn.step)
                )

    @staticmethod
    def _print_line(line: str) -> None:
        print(printable(line), flush=True)

    def _notify(self, text: str) -> None:
        if text != self._notice:
            self._notice = text
            print_error(f"{NAME}: {text}")
