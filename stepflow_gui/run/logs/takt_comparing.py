"""Where the rules of a piece as it is now lead, beside a logged run of TAKT."""

from collections.abc import Iterator

from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.logs.logged_run import ComparedRun, ComparedTurn, LoggedRun, LoggedTurn
from stepflow_gui.run.takt.loading import PieceRefusal
from stepflow_gui.run.takt.machine.piece import Movement, Piece, called_steps
from stepflow_gui.run.takt.opening import piece_in, runner_of
from stepflow_gui.run.takt.words import in_its_words

ENDS = ("COMPLETE", "ABORT")
_JUDGE = "_loop_judge_"  # the name of a monitor's judge begins so


def compare_with_piece(agent: AgentFolder, run: LoggedRun, release: str | None = None) -> ComparedRun | PieceRefusal:
    """Follow the rule that each turn matched, in the piece as it is now. `release` None is the one the piece is for."""
    runner = runner_of(agent, release)
    piece = piece_in(agent, runner)
    if isinstance(piece, PieceRefusal):
        return piece
    comparing = _Comparing(piece, run)
    following = [*(turn.step for turn in run.turns[1:]), None][: len(run.turns)]  # a log may have none
    turns = tuple(comparing.turn(turn, then) for turn, then in zip(run.turns, following, strict=True))
    return ComparedRun(run, runner.name, turns)


def _judges(piece: Piece) -> Iterator[Movement]:
    for monitor in piece.monitors:
        yield monitor.judge._replace(name=f"{_JUDGE}{'_'.join(monitor.cycle)}")


class _Comparing:
    def __init__(self, piece: Piece, run: LoggedRun) -> None:
        self._piece = piece
        self._run = run
        named = (*piece.movements.values(), *_judges(piece))
        self._movements = {**dict(called_steps(piece)), **{each.name: each for each in named}}

    def turn(self, turn: LoggedTurn, following: str | None) -> ComparedTurn:
        """A turn beside its rule; `following` is the movement of the next turn."""
        if turn.step is None:
            return ComparedTurn(turn)
        movement = self._movements.get(turn.step)
        if movement is None and "/" in turn.step:  # of a called workflow that can't be opened here
            return ComparedTurn(turn)
        if movement is None:
            text = self._words(_("The piece has no movement “{movement}” now."))
            return ComparedTurn(turn, difference=text.format(movement=turn.step))
        if turn.intent is None:
            return ComparedTurn(turn)
        index = int(turn.intent)
        if index >= len(movement.rules):
            text = _("The log has rule {number} of {movement}; there are {count} now.")
            text = text.format(number=index + 1, movement=turn.step, count=len(movement.rules))
            return ComparedTurn(turn, "seen", difference=text)
        rule = movement.rules[index]
        ends = rule.target in ENDS or rule.returns is not None
        target = rule.target or ""
        found = ComparedTurn(turn, "seen", rule.text, None if ends else rule.target, ends, target if ends else "")
        difference = self._difference(found, following)
        if difference is None:
            return found
        return found._replace(
            difference=difference.format(
                then=following, number=index + 1, movement=turn.step, rule=rule.text, now=found.to or found.end
            )
        )

    def _difference(self, found: ComparedTurn, following: str | None) -> str | None:
        turn, end = found.turn, self._run.end
        if "/" in (turn.step or "") or "/" in (following or ""):  # what follows a call is its caller's
            return None
        if following is not None:
            asked_again = following == turn.step and any(note.kind == "blocked" for note in turn.notes)
            if following == found.to or following.startswith(_JUDGE) or asked_again:
                return None
            return _("TAKT went on with {then}; rule {number} of {movement} (“{rule}”) goes to {now} now.")
        if end.kind == "finished" and not found.ends:
            return _("The logged run ended after {movement}; rule {number} (“{rule}”) goes to {now} now.")
        if end.kind in {"finished", "failed"} and found.ends and (found.end == "ABORT") == (end.kind == "finished"):
            return _("The logged run ended otherwise; rule {number} of {movement} (“{rule}”) goes to {now} now.")
        return None

    def _words(self, text: str) -> str:
        return in_its_words(self._piece, text)
