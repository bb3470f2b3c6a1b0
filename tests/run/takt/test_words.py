"""What a run of a piece reports about itself where the file's words alone would mislead."""

from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.picking import MovementPick
from stepflow_gui.run.takt.session import PieceRun
from stepflow_gui.run.takt.words import lines_of
from tests.run.takt.pieces import TWO, piece_of

REFRESHED = """
name: refreshed
movements:
  - {name: work, persona: coder, rules: [{condition: done, next: again}]}
  - {name: again, persona: coder, session: refresh, rules: [{condition: done, next: COMPLETE}]}
"""


def said(text: str, *picks: tuple[str, MovementPick]) -> list[str]:
    run = PieceRun(PieceMachine(piece_of(text)))
    run.begin()
    for task, pick in picks:
        run.pick(task, pick)
    return [
        line for moment in run.moments for each in moment.happened for line in lines_of(run.machine, moment.state, each)
    ]


def test_a_rule_that_asks_the_person_isnt_shown_as_continuing() -> None:
    assert said(TWO, ("work", MovementPick(0)), ("check", MovementPick(1)))[-1].endswith(
        ") → the user, then check again"
    )
    assert said(TWO, ("work", MovementPick(0, status="blocked")))[-2].endswith(") → the user, then work again")
    assert said(TWO, ("work", MovementPick(0)))[-2].endswith(") → check")


def test_a_session_that_is_restarted_is_reported() -> None:
    assert said(REFRESHED, ("work", MovementPick(0)))[-1] == "2. again, in a new session"
    assert said(REFRESHED)[-1] == "1. work"
