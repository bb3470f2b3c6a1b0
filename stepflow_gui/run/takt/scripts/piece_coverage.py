"""How much of a piece scripts cover: its movements with their sub-steps and judges, and their rules."""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.run.scripts.coverage import Share
from stepflow_gui.run.takt.machine.piece import Piece, everyone
from stepflow_gui.run.takt.machine.state import Completed
from stepflow_gui.run.takt.session import PieceRun, TakenRule
from stepflow_gui.run.takt.words import in_its_words

PieceKind = Literal["steps", "rules"]
PIECE_KINDS: tuple[PieceKind, ...] = ("steps", "rules")


class PieceCoverage(NamedTuple):
    """What there is to cover of a piece, and what runs came to."""

    piece: Piece
    steps: tuple[str, ...]
    rules: Mapping[TakenRule, str]  # with their conditions
    visited: frozenset[str]
    taken: frozenset[TakenRule]

    def share(self, kind: PieceKind) -> Share:
        """How much is covered."""
        if kind == "steps":
            return Share(sum(name in self.visited for name in self.steps), len(self.steps))
        return Share(sum(rule in self.taken for rule in self.rules), len(self.rules))

    def named(self, kind: PieceKind) -> str:
        """What is covered, in the words of the file."""
        return in_its_words(self.piece, _("movements")) if kind == "steps" else _("rules")

    def missing(self) -> Iterable[str]:
        """What no run came to: the names, then the rules with their numbers."""
        yield from (name for name in self.steps if name not in self.visited)
        for rule, condition in self.rules.items():
            if rule not in self.taken:
                yield f"{rule.movement}:{rule.rule + 1} {condition}"

    def shortfalls(self, minimums: Mapping[str, float]) -> Iterable[str]:
        """In a line each: what is covered less than it is to be, in per cent."""
        for kind in PIECE_KINDS:
            wanted = minimums.get(kind)
            percent = self.share(kind).percent
            if wanted is not None and percent < wanted:
                text = _("{kind}: {percent} % covered, {wanted} % required")
                yield text.format(kind=self.named(kind), percent=f"{percent:.4g}", wanted=f"{wanted:g}")


def coverage_of(piece: Piece, visited: Iterable[str], taken: Iterable[TakenRule]) -> PieceCoverage:
    """What the runs of a piece cover together."""
    named = {each.name: each for each in everyone(piece)}
    rules = {TakenRule(each.name, at): rule.text for each in named.values() for at, rule in enumerate(each.rules)}
    return PieceCoverage(piece, tuple(named), rules, frozenset(visited), frozenset(taken))


def rules_taken(run: PieceRun) -> frozenset[TakenRule]:
    """The rules of movements, sub-steps and judges that a run took; not those of called workflows."""
    done = (each for moment in run.moments for each in moment.happened)
    own = [each for each in done if isinstance(each, Completed) and each.workflow is None and each.status != "blocked"]
    chosen = [(each.movement, each.chosen) for each in own]
    chosen += [(sub.name, sub.chosen) for each in own for sub in each.subs]
    return frozenset(TakenRule(name, rule.rule) for name, rule in chosen if rule is not None)
