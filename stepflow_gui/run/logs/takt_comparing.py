"""Where the rules of a piece as it is now lead, beside a logged run of TAKT."""

from collections.abc import Iterator

from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.logs.logged_run import ComparedRun, ComparedTurn, LoggedRun, LoggedTurn
from stepflow_gui.run.takt.loading import PieceRefusal
from stepflow_gui.run.takt.machine.piece import Movement, Piece, called_steps
from stepflow_gui.run.takt.opening import piece_in, runner_of

ENDS = ("COMPLETE", "ABORT")
_JUDGE = "_loop_judge_"  # the name of a monitor's judge begins so


def compare_with_piece(agent: AgentFolder, run: LoggedRun, release: str | None = None) -> ComparedRun | PieceRefusal:
    """Follow the rule that each turn matched, in the piece as it is now. `release` None is the one the piece is for."""
    runner = runner_of(agent, release)
    piece = piece_in(agent, runner)
    if isinstance(piece, PieceRefusal):
        return piece
    known = {**dict(called_steps(piece)), **{each.name: each for each in _followed(piece)}}
    following = [*(turn.step for turn in run.turns[1:]), None]
    turns = tuple(_turn(turn, next_step, known, run) for turn, next_step in zip(run.turns, following, strict=True))
    return ComparedRun(run, runner.name, turns)


def _followed(piece: Piece) -> Iterator[Movement]:
    yield from piece.movements.values()
    for monitor in piece.monitors:
        yield monitor.judge._replace(name=f"{_JUDGE}{'_'.join(monitor.cycle)}")


def _turn(turn: LoggedTurn, following: str | None, known: dict[str, Movement], run: LoggedRun) -> ComparedTurn:
    if turn.step is None:
        return ComparedTurn(turn)
    movement = known.get(turn.step)
    if movement is None and "/" in turn.step:  # of a called workflow that can't be opened here
        return ComparedTurn(turn)
    if movement is None:
        text = _("The piece has no movement “{movement}” now.")
        return ComparedTurn(turn, difference=text.format(movement=turn.step))
    if turn.intent is None:
        return ComparedTurn(turn)
    index = int(turn.intent)
    if index >= len(movement.rules):
        text = _("The log has rule {number} of {movement}; there are {count} now.")
        difference = text.format(number=index + 1, movement=turn.step, count=len(movement.rules))
        return ComparedTurn(turn, "seen", difference=difference)
    rule = movement.rules[index]
    ends = rule.target in ENDS or rule.returns is not None
    found = ComparedTurn(
        turn, "seen", rule.text, None if ends else rule.target, ends, rule.target or "" if ends else ""
    )
    return found._replace(difference=_difference(found, following, run))


def _difference(found: ComparedTurn, following: str | None, run: LoggedRun) -> str | None:
    turn = found.turn
    number = int(turn.intent or 0) + 1
    if "/" in (turn.step or "") or "/" in (following or ""):  # what follows a call is its caller's
        return None
    if following is not None and (following == found.to or following.startswith(_JUDGE)):
        return None
    if following is not None and not (following == turn.step and any(note.kind == "blocked" for note in turn.notes)):
        text = _("TAKT went on with {then}; rule {number} of {movement} (“{rule}”) leads to {now} now.")
        return text.format(
            then=following, number=number, movement=turn.step, rule=found.intent, now=found.to or found.end
        )
    ended = run.end.kind in {"finished", "failed"} and following is None
    aborted = found.end == "ABORT"
    if ended and not run.end.text.strip() and not found.ends:
        text = _("The logged run ended after {movement}; rule {number} (“{rule}”) leads to {now} now.")
        return text.format(movement=turn.step, number=number, rule=found.intent, now=found.to)
    if ended and found.ends and aborted == (run.end.kind == "finished"):
        text = _("The logged run ended otherwise; rule {number} of {movement} (“{rule}”) leads to {now} now.")
        return text.format(number=number, movement=turn.step, rule=found.intent, now=found.end)
    return None
