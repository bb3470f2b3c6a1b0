"""A manual run of a piece in the terminal: rules by their number, the user's answers, steps back."""

from argparse import Namespace
from collections.abc import Callable

from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _
from stepflow_gui.run.takt.machine.state import Begin, Entered, Extended, UserInput
from stepflow_gui.run.takt.picking import MovementPick
from stepflow_gui.run.takt.session import PieceRun
from stepflow_gui.run.takt.words import end_words

_QUIT = frozenset({"q", "quit"})
_BACK = frozenset({"b", "back"})
_ENTER = frozenset({"e", "enter"})
_NOBODY = "0"


def run_piece_by_hand(run: PieceRun, options: Namespace, print_events: Callable[[int], int]) -> int:
    """Ask at each movement which rule it comes to; 0 where the piece was completed, else 1.

    `print_events` prints what happened since so many events, and gives how many there are.
    """
    run.send(Begin(options.task if options.task is not None else _ask(_("Task: ")) or "", options.entry))
    shown = print_events(0)
    questions: list[int] = []  # the positions at which something was asked
    while run.state.waits != "nothing":
        at = run.position
        word = _ask(_question(run))
        if word is None or word in _QUIT:
            return 1
        if word in _BACK:
            run.go_to(questions.pop() if questions else 1)
            shown = run.position
        elif _answer(run, word):
            questions.append(at)
            shown = print_events(shown)
    end = run.state.end
    assert end is not None
    print(printable(end_words(end, run.machine.piece_at(run.state))))
    return 0 if end.success else 1


def _question(run: PieceRun) -> str:
    state = run.state
    if state.waits == "input":
        return _("{text}\nYour answer (empty: cancel, b: back): ").format(text=state.asked)
    if state.waits == "limit":
        return _("How many further iterations (0: none, b: back)? ")
    call = run.calls[0]
    rules = run.machine.asked_of(state, call).rules
    lines = [f"  {number}. {rule.text}" for number, rule in enumerate(rules, 1)]
    if run.machine.callee(state, call.task) is not None:
        called = run.machine.asked_of(state, call).called
        lines.insert(0, "  e. " + _("Open “{workflow}” and run its steps").format(workflow=called))
    text = _("Result of {name} (number; 0: undetermined, b: back, q: quit): ").format(name=call.task)
    return "\n".join([*lines, text])


def _answer(run: PieceRun, word: str) -> bool:
    """Let a word happen; False where it means nothing here."""
    state = run.state
    if state.waits == "input":
        run.send(UserInput(word or None))
        return True
    number = int(word) if word.isascii() and word.isdigit() else None
    if state.waits == "limit":
        if number is not None:
            run.send(Extended(number))
        return number is not None
    call = run.calls[0]
    if word in _ENTER and run.machine.callee(state, call.task) is not None:
        run.send(Entered(call.task))
        return True
    rules = run.machine.asked_of(state, call).rules
    if number is None or number > max(1, len(rules)):
        return False
    run.pick(call.task, MovementPick(None if word == _NOBODY else number - 1))
    return True


def _ask(question: str) -> str | None:
    """What is typed; None at the end of the input."""
    try:
        *lines, last = question.split("\n")
        for line in lines:
            print(printable(line))
        return input(printable(last)).strip()
    except EOFError:
        print()
        return None
