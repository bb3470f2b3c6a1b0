"""Where the variables of a step's prompt come from (runtime-semantics 9, 12 and 15)."""

from typing import Literal

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.agent.agent_file import Parameter
from stepflow_gui.formats.climpt.prompts import variable_name
from stepflow_gui.formats.climpt.registry import texts_at
from stepflow_gui.formats.climpt.vocabulary import (
    LATER_VARIABLES,
    OLDER_VERDICT_TYPES,
    RUNTIME_VARIABLES,
    SECTION_VARIABLES,
    VERDICT_VARIABLES,
)
from stepflow_gui.lint.rules.prelude import RuleContext, Step
from stepflow_gui.lint.rules.prompts.step_inputs import inputs_of

Origin = Literal["parameter", "optional", "runtime", "later", "verdict", "section", "input"]
"""`optional`: a parameter that may be left out; `later`: a runtime variable that an initial step hasn't got yet."""

ISSUE_OF_OLD = "issue_number"
"""Until 2026-03-14 climpt filled it in from --issue; registries of the `complete` format know no other name."""


class Sources:
    """What an agent's parameters, its verdict type and the runtime give to prompts."""

    __slots__ = ("early", "parameters", "verdict")

    def __init__(self, context: RuleContext) -> None:
        agent = context.folder.agent
        self.parameters: dict[str, Parameter] = {each.name: each for each in agent.parameters} if agent else {}
        named = agent.verdict_type.value if agent and agent.verdict_type else ""
        self.early = context.format == "complete"
        self.verdict = OLDER_VERDICT_TYPES.get(named, named)

    def of(self, name: str, step: Step) -> Origin | None:
        """Where a variable of a step comes from; None where nothing gives it. A parameter goes before the runtime."""
        parameter = self.parameters.get(name)
        if parameter:
            is_sure = parameter.required or parameter.has_default or parameter.node.kind != "object"
            return "parameter" if is_sure else "optional"
        if name in RUNTIME_VARIABLES:
            return "later" if name in LATER_VARIABLES and step.id.startswith("initial.") else "runtime"
        if any(each.gives and each.variable == name for each in inputs_of(step)):
            return "input"
        if step.is_section and name in SECTION_VARIABLES:
            return "section"
        if self.early and name == ISSUE_OF_OLD and "issue" in self.parameters:
            return "runtime"
        return "verdict" if name in VERDICT_VARIABLES.get(self.verdict, ()) else None


def listed(step: Step) -> list[Text]:
    """The strings of `uvVariables`, without their leading uv-."""
    texts = texts_at(step.node, "uvVariables", step.pointer)
    return [text.worded(variable_name(text.value)) for text in texts]
