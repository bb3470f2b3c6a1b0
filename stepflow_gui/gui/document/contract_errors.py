"""Which intents break the contract of their step: worked out again only for the steps whose text has changed."""

from collections.abc import Callable

from stepflow_gui.flow.model import Step
from stepflow_gui.gui.document.document import Document
from stepflow_gui.project.step_contract import StepContract

Intents = frozenset[str]
_AT_ONCE = 100  # steps checked before others get their turn


class ContractErrors:
    """Of one document. `contract` returns the contract of a step: gate, schema and transitions."""

    def __init__(self, document: Document, contract: Callable[[Step], StepContract]) -> None:
        self._document = document
        self._contract = contract
        self._known: dict[str, tuple[str, Intents]] = {}  # by step: its text, and those of its intents
        self._others: tuple[object, ...] = ()  # what else a contract is made from
        self.is_complete = True  # whether the last answer is about all steps

    def found(self) -> set[tuple[str, str]]:
        """The (step, intent) that break their contract; of a large flow more with each call, until `is_complete`."""
        good = self._document.last_valid
        text = good.registry.source.text
        steps = good.registry.tree.at("/steps")
        around = (text[: steps.start], text[steps.end :]) if steps is not None else ()
        others = (good.format, self._document.other_files_version, *around)
        if others != self._others:
            self._others = others
            self._known = {}
        before, self._known = self._known, {}
        broken: set[tuple[str, str]] = set()
        room = _AT_ONCE
        self.is_complete = True
        for step in good.flow.steps.values():
            written = text[step.node.start : step.node.end]
            known = before.get(step.id)
            if known is None or known[0] != written:
                if not room:
                    self.is_complete = False
                    continue
                room -= 1
                contract = self._contract(step)
                known = (written, frozenset(intent for intent in contract.rows() if contract.broken(intent)))
            self._known[step.id] = known
            broken |= {(step.id, intent) for intent in known[1]}
        return broken
