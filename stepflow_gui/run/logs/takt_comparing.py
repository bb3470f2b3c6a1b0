"""What a piece as it is now does with the replies of a logged run of TAKT, and where that differs from the log."""

from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.logs.logged_run import ComparedRun, ComparedTurn, LoggedRun, LoggedTurn, Mark
from stepflow_gui.run.logs.takt_replay import JUDGE, PieceReplay, ReplayedTurn, machine_for
from stepflow_gui.run.takt.loading import PieceRefusal
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Movement, Piece, PieceRule, called_steps
from stepflow_gui.run.takt.opening import piece_in, runner_of
from stepflow_gui.run.takt.words import end_words, in_its_words

ENDS = ("COMPLETE", "ABORT")


def compare_with_piece(agent: AgentFolder, run: LoggedRun, release: str | None = None) -> ComparedRun | PieceRefusal:
    """Give the logged replies to the piece. `release` None is the one the piece is for.

    Where the log doesn't have all that a movement is asked, the rule that it matched is followed.
    """
    runner = runner_of(agent, release)
    piece = piece_in(agent, runner)
    if isinstance(piece, PieceRefusal):
        return piece
    comparing = _Comparing(piece, machine_for(piece, PieceMachine(piece, runner), run), run)
    following = [*(turn.step for turn in run.turns[1:]), None][: len(run.turns)]  # a log may have none
    turns = tuple(comparing.turn(turn, then) for turn, then in zip(run.turns, following, strict=True))
    return ComparedRun(run, runner.name, turns)


class _Comparing:
    def __init__(self, piece: Piece, machine: PieceMachine, run: LoggedRun) -> None:
        self._piece = piece
        self._run = run
        self._replay = PieceReplay(piece, machine, run)
        self._own = {**piece.movements, **{each.judge.name: each.judge for each in piece.monitors}}
        self._movements = {**dict(called_steps(piece)), **self._own}

    def turn(self, turn: LoggedTurn, following: str | None) -> ComparedTurn:
        """A turn beside what the piece does; `following` is the movement of the next turn."""
        if turn.step is None:
            return ComparedTurn(turn)
        movement = self._movements.get(turn.step)
        if movement is None and "/" in turn.step:  # of a called workflow that can't be opened here
            return ComparedTurn(turn)
        if movement is None:
            text = self._words(_("The piece has no movement “{movement}”."))
            return ComparedTurn(turn, difference=text.format(movement=turn.step))
        replayed = self._replay.turn(turn) if turn.step in self._own and turn.answer_line is not None else None
        found = self._compared(turn, movement, replayed, following)
        return found if replayed is None else found._replace(piece_events=replayed.events)

    def _compared(
        self, turn: LoggedTurn, movement: Movement, replayed: ReplayedTurn | None, following: str | None
    ) -> ComparedTurn:
        logged = None if turn.intent is None else int(turn.intent)
        if logged is not None and logged >= len(movement.rules):
            text = _("The log has rule {number} of {movement}; there are {count} in this piece.")
            text = text.format(number=logged + 1, movement=turn.step, count=len(movement.rules))
            return ComparedTurn(turn, "seen", difference=text)
        if replayed is not None and replayed.asks_judge and logged is not None:
            text = _(
                "TAKT matched rule {number} of {movement} (“{rule}”) by its sub-steps; with the same replies the AI"
                " judge is asked in this piece."
            )
            words = text.format(number=logged + 1, movement=turn.step, rule=movement.rules[logged].text)
            return ComparedTurn(turn, "seen", movement.rules[logged].text, difference=self._words(words))
        known = replayed is not None and replayed.known
        place = replayed.rule if known and replayed is not None else logged
        if place is None:
            return self._without_rule(turn, movement, logged, replayed)
        rule = movement.rules[place]
        ends = rule.target in ENDS or rule.returns is not None
        mark: Mark = "seen" if logged is not None else "computed"
        found = ComparedTurn(
            turn, mark, rule.text, None if ends else rule.target, ends, rule.target or "" if ends else ""
        )
        if logged is not None and place != logged:
            text = _(
                "TAKT matched rule {then} of {movement} (“{old}”); with the same replies rule {number} (“{rule}”)"
                " matches in this piece."
            )
            old = movement.rules[logged].text
            words = text.format(then=logged + 1, movement=turn.step, old=old, number=place + 1, rule=rule.text)
            return found._replace(difference=self._words(words))
        if replayed is not None and replayed.rule == place:
            found = self._by_machine(found, replayed)
        return found._replace(difference=self._difference(found, following, place, rule))

    def _without_rule(
        self, turn: LoggedTurn, movement: Movement, logged: int | None, replayed: ReplayedTurn | None
    ) -> ComparedTurn:
        if replayed is None or not replayed.known or logged is None:
            return ComparedTurn(turn)
        text = _(
            "TAKT matched rule {then} of {movement} (“{old}”); with the same replies no rule matches in this piece."
        )
        words = text.format(then=logged + 1, movement=turn.step, old=movement.rules[logged].text)
        end = replayed.state.end
        found = ComparedTurn(turn, "seen", ends=end is not None, difference=self._words(words))
        return found if end is None else found._replace(end=end_words(end, self._piece))

    def _by_machine(self, found: ComparedTurn, replayed: ReplayedTurn) -> ComparedTurn:
        """Where the run is after a rule was followed: a judge or the limit may come between."""
        state = replayed.state
        if state.judging is not None and state.waits == "calls":
            return found._replace(to=self._piece.monitors[state.judging.monitor].judge.name, ends=False, end="")
        if state.waits == "limit":
            text = self._words(_("the limit of {count} iterations is reached"))
            return found._replace(to=None, ends=True, end=text.format(count=state.limit))
        return found

    def _difference(self, found: ComparedTurn, following: str | None, place: int, rule: PieceRule) -> str | None:
        text = self._sentence(found, following, rule)
        if text is None:
            return None
        now = found.to or found.end
        words = text.format(then=following, number=place + 1, movement=found.turn.step, rule=rule.text, now=now)
        return self._words(words)

    def _sentence(self, found: ComparedTurn, following: str | None, rule: PieceRule) -> str | None:
        turn, end = found.turn, self._run.end
        if "/" in (turn.step or "") or "/" in (following or ""):  # what follows a call is its caller's
            return None
        if following is not None:
            asked_again = following == turn.step and any(note.kind == "blocked" for note in turn.notes)
            if following == found.to or asked_again:
                return None
            if following.startswith(JUDGE):
                return _("TAKT ran the judge {then} after {movement}; no loop monitor intervenes there in this piece.")
            if (found.to or "").startswith(JUDGE):
                return _("TAKT went on with {then} after {movement}; the judge {now} intervenes there in this piece.")
            if found.ends and rule.target not in ENDS and rule.returns is None:
                return _("TAKT went on with {then} after {movement}; this piece ends there: {now}.")
            return _("TAKT went on with {then}; rule {number} of {movement} (“{rule}”) goes to {now} in this piece.")
        if end.kind == "finished" and not found.ends:
            return _("The logged run ended after {movement}; rule {number} (“{rule}”) goes to {now} in this piece.")
        if end.kind in {"finished", "failed"} and found.ends and (found.end == "ABORT") == (end.kind == "finished"):
            return _(
                "The logged run ended otherwise; rule {number} of {movement} (“{rule}”) goes to {now} in this piece."
            )
        return None

    def _words(self, text: str) -> str:
        return in_its_words(self._piece, text)
