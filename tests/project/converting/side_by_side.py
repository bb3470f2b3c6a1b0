"""Two runs at once, of a flow and of what it was converted to, that get the same answers in the words of each."""

from collections.abc import Iterator

from stepflow_gui.project.converting.conversion import Conversion
from stepflow_gui.run.machine.choices import choices
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.picks import NG, OK, Pick, PickRefusal, answer_for, check_answer
from stepflow_gui.run.machine.state import START, Answered, Start, State, Validated
from stepflow_gui.text.pointer import join

Told = tuple[str, ...]


def differences(conversion: Conversion, depth: int) -> Iterator[str]:
    """Where the two part over all sequences of so many answers, though the conversion doesn't list it as lost."""
    pair = _Pair(conversion)
    for entry in dict.fromkeys(e.target.value for e in pair.old.flow.entries if e.target):
        if entry in pair.old.flow.steps:
            was, now = pair.begun(entry)
            yield from pair.part(was, now, (entry,), depth)


class _Pair:
    def __init__(self, conversion: Conversion) -> None:
        self.conversion = conversion
        self.old, self.new = Machine(conversion.before.flow), Machine(conversion.after.flow)
        self.listed = {part.pointer for part in conversion.lost if part.file == conversion.before.registry.path}
        self.compared = 0

    def begun(self, entry: str) -> tuple[State, State]:
        was, _effects = self.old.step(START, Start(entry))
        now, _effects = self.new.step(START, Start(self.conversion.steps[entry][0]))
        return was, now

    def part(self, was: State, now: State, told: Told, depth: int) -> Iterator[str]:
        self.compared += 1
        if was.outcome or was.error or now.outcome or now.error:
            ends = [(bool(state.error), state.outcome.success if state.outcome else None) for state in (was, now)]
            if ends[0] != ends[1]:
                yield f"{told}: ends {ends[0]} ({was.outcome}), converted {ends[1]} ({now.outcome or now.error})"
            return
        if now.step != self.conversion.steps[was.step or ""][0]:
            yield f"{told}: at {was.step}, converted at {now.step}"
            return
        if depth == 0:
            return
        follow = self._after_checks if self.old.era.checks is not None else self._after_intents
        for word, before, after in follow(was, now):
            yield from self.part(before, after, (*told, word), depth - 1)

    def _after_intents(self, was: State, now: State) -> Iterator[tuple[str, State, State]]:
        assert was.step is not None
        for choice in choices(self.old.flow, was.step, self.old.era):
            pick = choice.pick
            if choice.refusal or join("/steps", was.step, "transitions", pick.intent) in self.listed:
                continue
            intent = self.conversion.intents.get((was.step, pick.intent), pick.intent)
            target = self.conversion.steps.get(pick.target, (pick.target,))[0] if pick.target else None
            said = Pick(intent) if intent == "closing" else Pick(intent, pick.case, target)
            yield pick.intent, self._told(self.old, was, pick), self._told(self.new, now, said)

    def _told(self, machine: Machine, state: State, pick: Pick) -> State:
        assert state.step is not None
        answer = answer_for(machine.flow.steps[state.step], pick, machine.era)
        assert not isinstance(answer, PickRefusal), (state.step, pick, answer)
        after, _effects = machine.step(state, Answered(answer))
        while after.waits == "validator":
            after, _effects = machine.step(after, Validated(passed=True))
        return after

    def _after_checks(self, was: State, now: State) -> Iterator[tuple[str, State, State]]:
        """A run of the step, and its check where it is asked then."""
        at = was.step
        assert at is not None
        ran, _effects = self.old.step(was, Answered(None, ("…",)))
        if ran.waits != "check":
            if ran.outcome is None:  # it runs again
                yield "again", ran, self._told(self.new, now, Pick("repeat"))
            return
        judging = now
        if len(self.conversion.steps[at]) > 1:
            judging = self._told(self.new, now, Pick(self.conversion.intents[at, "check"]))
            assert judging.step == self.conversion.steps[at][1]
        for passed in (OK, NG):
            before, _effects = self.old.step(ran, Answered(check_answer(passed=passed == OK)))
            assert before.last is not None
            assert before.last.judged is not None
            outcome, word = "onPass" if passed == OK else "onFail", before.last.judged.transition
            where = join("/steps", at, "check", outcome)
            intent = self.conversion.intents.get((at, f"{outcome}.{word}"))
            if intent is None:
                failed = before.outcome is not None and not before.outcome.success
                listed = where in self.listed or join(where, word) in self.listed
                assert listed or failed, (at, outcome, word)
                if not failed:
                    continue
                intent = "abort"
            after = self._told(self.new, judging, Pick(intent))
            if before.outcome is not None and before.outcome.success and after.step == "closure.graph":
                after = self._told(self.new, after, Pick("closing"))
            yield f"{outcome}.{word}", before, after
