"""Shows on the graph what many logs went through together: how often, how long, and what it cost."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from PySide6.QtWidgets import QWidget

from stepflow_gui.gui.canvas.marks import HEAT_LEVELS, Heat, RunMarks, TransitionRef
from stepflow_gui.gui.document.background.work import Background, BackgroundJob
from stepflow_gui.gui.runs.logs.log_reading import compared_with
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.logs.comparing import CURRENT_FLOW
from stepflow_gui.run.logs.log_coverage import LogCoverage, StepMeasures, never_taken, totals_of
from stepflow_gui.run.logs.log_text import money
from stepflow_gui.run.logs.logged_run import LogProblem
from stepflow_gui.run.logs.opening import read_log
from stepflow_gui.text.json.tree import JsonValue

Measure = Literal["visits", "seconds", "cost"]


class LogHeat:
    """Counts logs off the window's thread; `counted(coverage)` is called in it."""

    def __init__(self, parent: QWidget, counted: Callable[[LogCoverage], object]) -> None:
        self._worker = Background("stepflow-log-coverage", parent)
        self._worker.done.connect(lambda found: counted(found) if isinstance(found, LogCoverage) else None)

    @property
    def is_busy(self) -> bool:
        """Whether logs are being read."""
        return self._worker.is_busy

    def count(self, agent: AgentFolder, logs: Sequence[Path], args: dict[str, JsonValue]) -> None:
        """Read logs and count what they went through."""
        folder = agent.reread(())

        def work(job: BackgroundJob) -> LogCoverage:
            coverage = LogCoverage(folder.flow)
            for path in logs:
                if job.is_cancelled():
                    break
                run = read_log(path)
                compared = run if isinstance(run, LogProblem) else compared_with(folder, run, args, CURRENT_FLOW)
                if not isinstance(compared, LogProblem):
                    coverage.add(compared)
            return coverage

        self._worker.start(work)

    def stop(self) -> None:
        """Forget what is being counted."""
        self._worker.drop()

    def detach(self) -> None:
        """Stop for good."""
        self._worker.drop()
        self._worker.deleteLater()


def marks_of_logs(coverage: LogCoverage, measure: Measure) -> RunMarks:
    """The steps tinted by a measure, and the transitions that were taken."""
    amounts = {step: getattr(each, measure) for step, each in coverage.steps.items()}
    most = max(amounts.values(), default=0)
    heat = {
        step: Heat(max(1, round(HEAT_LEVELS * amount / most)), _words(coverage.steps[step], measure))
        for step, amount in amounts.items()
        if amount
    }
    visits = {step: each.visits for step, each in coverage.steps.items() if each.visits}
    taken = {TransitionRef(*edge): count for edge, count in coverage.taken.items()}
    return RunMarks(step_visits=visits, move_visits=taken, heat=heat)


def summary_of_logs(coverage: LogCoverage) -> str:
    """All runs in a line."""
    return " · ".join([*totals_of(coverage), never_taken(coverage)])


def _words(measures: StepMeasures, measure: Measure) -> str:
    match measure:
        case "visits":
            return f"×{measures.visits}"
        case "seconds":
            return _("{seconds} s").format(seconds=f"{measures.seconds:.0f}")
    return money(measures.cost)
