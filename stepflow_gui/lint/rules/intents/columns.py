"""The columns of a step's contract as a fix leaves them, and how many mismatches are in them then."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from stepflow_gui.formats.climpt.vocabulary import INTENTS_OF_KIND
from stepflow_gui.lint.contract import Column, Contract, Word

READ = ("intent", "alias", "literal")  # how words are read that mean an intent
LEADS_ON = frozenset({"next", "jump", "handoff", "escalate"})
Words = tuple[Word, ...]
Changed = dict[Column, Words]
"""Columns as they are to be; the others stay."""


class Columns(NamedTuple):
    """The words of each column; None for one that can't be read."""

    enum: Words | None
    allowed: Words | None
    transitions: Words | None
    fallback: Words

    @classmethod
    def of(cls, contract: Contract) -> "Columns":
        """As they are written."""
        columns = (contract.enum, contract.allowed, contract.transitions)
        enum, allowed, transitions = (None if words is None else tuple(words) for words in columns)
        return cls(enum, allowed, transitions, (contract.fallback,) if contract.fallback else ())

    def mismatches(self, kind: str | None) -> Counter[str]:
        """How many words stand in one column only, lack a rule, don't fit the kind; how many columns are empty."""
        offered, allowed, ruled = map(_values, (self.enum, self.allowed, self.transitions))
        meant = {word.intent if word.reading == "literal" else word.value for word in self.enum or ()}
        fitting = {*INTENTS_OF_KIND.get(kind or "", ()), "abort"}
        judged = (*(self.allowed or ()), *(self.transitions or ()), *self.fallback)
        return Counter({
            "allowed": len(offered ^ allowed) if offered is not None and allowed else 0,
            "ruled": len((meant - {"abort"}) ^ ruled) if offered is not None and ruled is not None else 0,
            "nowhere": len((meant | (allowed or set())) & LEADS_ON - (ruled or set())),
            "kind": sum(word.reading in READ and word.intent not in fitting for word in judged) if kind else 0,
            "empty": sum(words is not None and not words for words in (offered, allowed, ruled)),
        })  # fmt: skip


def _values(words: Words | None) -> set[str] | None:
    return None if words is None else {word.value for word in words}


def worsens(contract: Contract, after: Changed, sharing: Iterable[Contract]) -> bool:
    """Whether a fix leaves more of any mismatch, in the step or in one whose answer is held against the same enum.

    Such a fix would have another rule speak, whose fix reverts it.
    """
    shared: Changed = {"enum": after["enum"]} if "enum" in after else {}
    for each, changed in ((contract, after), *((other, shared) for other in sharing if shared)):
        before = Columns.of(each)
        found = before._replace(**changed).mismatches(each.step.kind) - before.mismatches(each.step.kind)
        if found:
            return True
    return False
