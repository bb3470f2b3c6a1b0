"""Where a piece's run is and has been, as the canvas marks it: movements, rules taken, sub-steps each for itself."""

from stepflow_gui.formats.takt.piece import rule_names
from stepflow_gui.gui.canvas.marks import RunMarks, SubMark, TransitionRef
from stepflow_gui.messages import _
from stepflow_gui.run.takt.machine.piece import Movement, Piece
from stepflow_gui.run.takt.machine.state import Completed, MovementTask, Started
from stepflow_gui.run.takt.session import PieceRun

_LOOKED_BACK = 2_000  # events in which the latest results of sub-steps are looked for


def marks_of(run: PieceRun) -> RunMarks:
    """Where it is and has been."""
    piece, state = run.machine.piece, run.state.outermost
    ended_as = run.state.end
    taken = {_ref(piece, ref.movement, ref.rule): count for ref, count in run.taken.items()}
    active = frozenset() if ended_as is not None or state.movement is None else frozenset({state.movement})
    visits = {name: count for name, count in state.counts.items() if name in piece.movements}
    ended = ended_as is not None and (ended_as.success or ended_as.kind == "abort_transition")
    return RunMarks(active, _last_taken(run), visits, taken, ended=ended)


def sub_marks(run: PieceRun) -> dict[str, tuple[SubMark, ...]]:
    """The sub-steps of each parallel movement that runs or has run: who is at work, and what each came to."""
    piece, state = run.machine.piece, run.state.outermost
    wanted = {movement.name for movement in piece.movements.values() if movement.subs and movement.name in state.counts}
    found: dict[str, tuple[SubMark, ...]] = {}
    movement = piece.movements.get(state.movement or "")
    if movement is not None and movement.subs and state.waits == "calls" and state.judging is None:
        found[movement.name] = tuple(_mark(movement, task) for task in state.tasks)
    for position in range(run.position, max(0, run.position - _LOOKED_BACK), -1):
        if len(found) == len(wanted):
            break
        for each in run.moment_at(position).happened:
            if isinstance(each, Completed) and each.workflow is None and each.movement in wanted:
                done = piece.movements[each.movement]
                found.setdefault(each.movement, tuple(_mark(done, task) for task in each.subs))
    return found


def _mark(movement: Movement, task: MovementTask) -> SubMark:
    if task.phase != "done":
        return SubMark(task.name, "runs", "")
    sub = next((each for each in movement.subs if each.name == task.name), movement)
    if task.status == "error":
        return SubMark(task.name, "failed", _("failed"))
    return SubMark(task.name, "done", sub.rules[task.chosen.rule].text if task.chosen is not None else _("done"))


def _last_taken(run: PieceRun) -> TransitionRef | None:
    """The transition that the run took last; None once another movement is running for a while."""
    for position in range(run.position, 0, -1):
        happened = run.moment_at(position).happened
        mine = [each for each in happened if isinstance(each, Started | Completed) and each.workflow is None]
        done = [each for each in mine if isinstance(each, Completed) and each.chosen is not None]
        if done and done[-1].movement in run.machine.piece.movements:
            chosen = done[-1].chosen
            assert chosen is not None
            return _ref(run.machine.piece, done[-1].movement, chosen.rule)
        if any(isinstance(each, Started) for each in mine):
            return None
    return None


def _ref(piece: Piece, movement: str, rule: int) -> TransitionRef:
    """The rule as the canvas knows it."""
    return TransitionRef(movement, rule_names(each.text for each in piece.movements[movement].rules)[rule])
