"""The three lists of intents that a step's output schema, gate and transitions give, which must agree."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.climpt.vocabulary import aliases_of, intents_of
from stepflow_gui.project.agent_folder import AgentFolder


class StepContract(NamedTuple):
    """The three lists that must agree; `enum` is None where the output schema can't be read, `allowed` without gate.

    `known` are the words that are intents at all; empty: any word may be one.
    """

    enum: tuple[str, ...] | None
    allowed: tuple[str, ...] | None
    transitions: tuple[str, ...]
    known: tuple[str, ...] = ()

    @property
    def lists(self) -> tuple[tuple[str, ...] | None, ...]:
        """The three, as the columns stand."""
        return self.enum, self.allowed, self.transitions

    def rows(self) -> list[str]:
        """Every intent of the three, in the order of the file."""
        return list(dict.fromkeys([*(self.allowed or ()), *self.transitions, *(self.enum or ())]))

    def broken(self, intent: str) -> bool:
        """Whether the intent is missing in one of the lists. `abort` needs neither enum nor rule (seed 000)."""
        if intent == "abort":
            return False
        return any(intent not in listed for listed in self.lists if listed is not None)

    def foreign(self, word: str) -> bool:
        """Whether a word is not an intent, so it can only be taken out."""
        return bool(self.known) and word not in self.known

    @property
    def agrees(self) -> bool:
        """Whether all three agree."""
        return not any(self.broken(intent) for intent in self.rows())


def contract_of(
    step: Step, enum: Sequence[str] | None, meant: Mapping[str, str] | None = None, known: Sequence[str] = ()
) -> StepContract:
    """The contract of a step, given the intent enum of its resolved output schema.

    `meant` are words for intents, `known` the intents that there are.
    """
    allowed = tuple(text.value for text in step.gate.intents) if step.gate else None
    meant = meant or {}
    read = None if enum is None else tuple(dict.fromkeys(meant.get(word, word) for word in enum))
    return StepContract(read, allowed, tuple(rule.intent for rule in step.transitions), tuple(known))


def contract_in(agent: AgentFolder, step: Step) -> StepContract:
    """The contract of a step of an agent."""
    schema = agent.schema(step)
    enum = None if schema.problem else [value.value for value in schema.enum if isinstance(value.value, str)]
    meant = aliases_of(agent.flow.format) if agent.flow.format == "complete" else None
    return contract_of(step, enum, meant, intents_of(agent.flow.format))


def broken_in(agent: AgentFolder, step: Step) -> frozenset[str]:
    """The intents of a step that one of the three lists lacks."""
    contract = contract_in(agent, step)
    return frozenset(intent for intent in contract.rows() if contract.broken(intent))
