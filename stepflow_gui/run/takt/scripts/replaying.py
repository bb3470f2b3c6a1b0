"""Who answers as a recorded trace does, without asking anybody."""

from stepflow_gui.messages import _
from stepflow_gui.run.effects import NoAnswer
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.state import Event, PieceState
from stepflow_gui.run.takt.scripts.trace import PieceTrace


class Replayed:
    """The events of a trace, from one on, as long as the run waits for them."""

    def __init__(self, trace: PieceTrace, at: int = 1) -> None:
        """`at`: how many of them have happened in the run already."""
        self._trace = trace
        self._at = at

    def next_event(self, machine: PieceMachine, state: PieceState) -> Event | NoAnswer:
        """What comes next in a state that isn't the end; why there is nothing, where the run has left the trace."""
        if self._at >= len(self._trace.events):
            return NoAnswer("ended", _("The trace ends here, the run doesn't."))
        event = self._trace.events[self._at]
        after, _happened = machine.step(state, event)
        if after is state:
            text = _("The run parts from the trace at its event {number}.")
            return NoAnswer("misfit", text.format(number=self._at + 1))
        self._at += 1
        return event
