"""Runs that were led apart, one of them current: goals, pauses, looking back, forks. For runs of any kind."""

from collections.abc import Callable, Iterator
from typing import Generic, Literal, NamedTuple, Protocol, Self, TypeVar

from stepflow_gui.messages import _
from stepflow_gui.run.debugging.breakpoints import Breakpoint, Breakpoints
from stepflow_gui.run.debugging.run_moment import RunMoment

Why = Literal["step", "breakpoint", "here", "asked", "ended", "error", "no_answer", "nothing"]
_MOST_BRANCHES = 12
Listener = Callable[[], None]


class Goal(NamedTuple):
    """How far to run: one step, on until something pauses it, or until a step is about to be asked."""

    kind: Literal["one", "on", "to"]
    step: str | None = None


ONE = Goal("one")
ON = Goal("on")


class Paused(NamedTuple):
    """Why a run stands still. `message`: in words, "" where it needs none."""

    why: Why
    message: str = ""
    breakpoint: Breakpoint | None = None


class StoredRun(Protocol):
    """A run whose events are kept, so it can stand after any of them again."""

    @property
    def position(self) -> int:
        """How many events have happened where it is."""

    @property
    def length(self) -> int:
        """How many are kept."""

    @property
    def can_go_back(self) -> bool:
        """Whether there is something after the beginning to undo."""

    @property
    def can_go_forward(self) -> bool:
        """Whether something that was undone is kept."""

    def on_change(self, listener: Listener, /) -> Listener:
        """Call `listener` after every change, until the returned function is called."""

    def go_to(self, position: int, /) -> None:
        """Go to the moment after this many events."""

    def back(self) -> bool:
        """Take the last event back."""

    def restart(self) -> object:
        """Start over as it began."""

    def fork(self) -> Self:
        """Another run that has come to where this one stands."""


R = TypeVar("R", bound=StoredRun)


class Branch(NamedTuple, Generic[R]):
    """One of the runs of a session: its number, from 1, and where it left another."""

    number: int
    run: R
    of: int | None = None
    at: int = 0  # events it has in common with that one


class Pauses:
    """Decides after each event whether to pause. Holds no run, so it can go along with one on another thread."""

    __slots__ = ("_breakpoints", "_goal")

    def __init__(self, goal: Goal, breakpoints: tuple[Breakpoint, ...]) -> None:
        self._goal = goal
        self._breakpoints = Breakpoints(breakpoints)

    def after(self, here: RunMoment) -> Paused | None:
        """Why a run that has come to this moment pauses there; None where it goes on."""
        halt = here.halt
        if halt is not None:
            return Paused("ended" if halt.ended else "error", halt.message)
        if self._goal.kind == "one" and here.is_between:
            return Paused("step")
        if self._goal.kind == "to" and here.is_asked(self._goal.step):
            return Paused("here")
        hit = None if self._goal.kind == "one" else self._breakpoints.hit(here)
        if hit is not None:
            return Paused("breakpoint", _("Paused at a breakpoint: {breakpoint}").format(breakpoint=hit.words()), hit)
        return None


class Branches(Generic[R]):
    """The runs of one file, one of them current, with the breakpoints they all have.

    Stepping back moves within the current run; another answer there takes the place of what was undone. Whoever
    has only viewed an earlier moment (`look_at`) and then lets something else happen there gets a new branch, and
    the run that was viewed stays as it is.
    """

    def __init__(self, breakpoints: Breakpoints | None = None) -> None:
        self.breakpoints = Breakpoints() if breakpoints is None else breakpoints  # which may be empty, and shared
        self.paused: Paused | None = None
        self._branches: list[Branch[R]] = []
        self._current: Branch[R] | None = None
        self._numbers = 0
        self._looks = False
        self._listener: Listener | None = None
        self._unlisten: Callable[[], None] | None = None

    def on_change(self, listener: Listener | None) -> None:
        """Call `listener` after every change of the current run."""
        self._listener = listener

    # Which run

    @property
    def run(self) -> R | None:
        """The current run."""
        return self._current.run if self._current else None

    @property
    def current(self) -> Branch[R] | None:
        """The branch that is current."""
        return self._current

    @property
    def branches(self) -> tuple[Branch[R], ...]:
        """All runs that are kept, the oldest first."""
        return tuple(self._branches)

    @property
    def looks(self) -> bool:
        """Whether the current run is only viewed, at a moment that isn't its last."""
        return self._looks and self._current is not None and self._current.run.can_go_forward

    def open(self, run: R) -> None:
        """Take a run that was made outside, as the current one."""
        self._add(run, None, 0)

    def close(self) -> None:
        """Forget all runs."""
        self._listen_to(None)
        self._branches = []
        self._current = None
        self._numbers = 0
        self.paused = None

    def switch(self, number: int) -> None:
        """Make another branch the current one; a number that is none changes nothing."""
        branch = next((each for each in self._branches if each.number == number), None)
        if branch is not None and branch is not self._current:
            self._make_current(branch)

    def fork(self) -> Branch[R] | None:
        """A new branch from where the current run stands."""
        if self._current is None:
            return None
        before = self._current
        return self._add(before.run.fork(), before.number, before.run.position)

    def restart(self) -> None:
        """A new branch from the start, with the same entry and parameters. One that had only begun is replaced."""
        run = self.run
        if run is None or run.length == 0:
            return
        if run.length == 1:
            run.restart()
            self.paused = None
            return
        again = run.fork()
        self._add(again, None, 0)
        again.restart()

    # Where in it

    def back(self) -> None:
        """One event back; what was undone is kept until another answer takes its place."""
        run = self.run
        if run is not None:
            self.paused = None
            run.back()

    def forward(self) -> bool:
        """One event on among those that are kept; False where there is none."""
        run = self.run
        if run is None or not run.can_go_forward:
            return False
        self.paused = None
        run.go_to(run.position + 1)
        return True

    def look_at(self, position: int) -> None:
        """Go to the moment after this many events, keeping the later ones."""
        run = self.run
        if run is not None:
            self.paused = None
            self._looks = position < run.length
            run.go_to(position)

    def happens(self, act: Callable[[R], object]) -> None:
        """Let something happen to the current run, in a new branch where the past was only viewed."""
        self._leave_the_past()
        self.paused = None
        if self.run is not None:
            act(self.run)

    def replay(self, goal: Goal) -> Paused | None:
        """Go on among the events that are kept; None where they are used up and somebody has to answer."""
        run = self.run
        if run is None:
            return Paused("nothing")
        pauses = Pauses(goal, self.breakpoints.every)
        position = run.position
        for here in self._kept(run):
            position += 1
            paused = pauses.after(here)
            if paused is not None:
                run.go_to(position)
                self.paused = paused
                return paused
        run.go_to(position)
        return None

    def _kept(self, run: R) -> Iterator[RunMoment]:
        """The moments that are kept after where a run stands, the next one first."""
        raise NotImplementedError

    # Inside

    def _leave_the_past(self) -> None:
        if self.looks:
            self.fork()
        self._looks = False

    def _add(self, run: R, of: int | None, at: int) -> Branch[R]:
        self._numbers += 1
        branch = Branch(self._numbers, run, of, at)
        self._branches.append(branch)
        if len(self._branches) > _MOST_BRANCHES:
            oldest = next(each for each in self._branches if each is not self._current)
            self._branches.remove(oldest)
        self._make_current(branch)
        return branch

    def _make_current(self, branch: Branch[R]) -> None:
        self._current = branch
        self._looks = False
        self.paused = None
        self._listen_to(branch.run)
        self._notify()

    def _listen_to(self, run: R | None) -> None:
        if self._unlisten is not None:
            self._unlisten()
        self._unlisten = run.on_change(self._notify) if run is not None else None

    def _notify(self) -> None:
        if self._listener is not None:
            self._listener()
