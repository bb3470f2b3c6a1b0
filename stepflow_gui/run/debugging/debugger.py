"""Controls runs of agents with pauses: step, run until a condition, run to a step, fork, switch between branches."""

from collections.abc import Callable, Iterator

from stepflow_gui.run.debugging.branches import Branches, Goal, Paused, Pauses
from stepflow_gui.run.debugging.places import RunValues
from stepflow_gui.run.effects import NoAnswer
from stepflow_gui.run.machine.state import Effect, Event, State
from stepflow_gui.run.machine.transitions import pending
from stepflow_gui.run.session import Run


class Debugger(Branches[Run]):
    """The runs of one agent, with the breakpoints they all have."""

    def send(self, event: Event) -> None:
        """Let an event happen now."""
        self.happens(lambda run: run.send(event))

    def take(self, happened: list[tuple[Event, State]]) -> None:
        """Let events happen that were computed elsewhere, by `Pauses` and the same machine."""
        if happened:
            self.happens(lambda run: run.take(happened))

    # Running

    @property
    def scope(self) -> RunValues | None:
        """What watches and conditions see now."""
        run = self.run
        return RunValues(run.machine.config, run.state, run.visits) if run is not None else None

    @property
    def pending(self) -> Effect | None:
        """What has to be carried out for the run to go on; None where it has ended or can't."""
        run = self.run
        if run is None or run.state.error is not None:
            return None
        return pending(run.machine.config, run.state)

    def drive(self, goal: Goal, answers: Callable[[State, Effect], Event | NoAnswer]) -> Paused:
        """Run in this thread until something pauses it. `answers` carries out what the run waits for."""
        paused = self.replay(goal)
        pauses = Pauses(goal, self.breakpoints.every)
        while paused is None:
            run, effect = self.run, self.pending
            if run is None or effect is None:
                paused = Paused("nothing")
                break
            event = answers(run.state, effect)
            if isinstance(event, NoAnswer):
                paused = Paused("no_answer", event.message)
                break
            self.send(event)
            assert self.scope is not None
            paused = pauses.after(self.scope)
        self.paused = paused
        return paused

    def _kept(self, run: Run) -> Iterator[RunValues]:
        visits = dict(run.visits)
        for position in range(run.position, run.length):
            before, after = run.state_at(position), run.state_at(position + 1)
            if after.step is not None and after.iteration != before.iteration:
                visits[after.step] = visits.get(after.step, 0) + 1
            yield RunValues(run.machine.config, after, visits)
