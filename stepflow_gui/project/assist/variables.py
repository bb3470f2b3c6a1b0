"""The variables that a prompt can use, and where each comes from (runtime-semantics 9, 12 and 15)."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.climpt.prompts import read_prompt, variable_name
from stepflow_gui.formats.climpt.registry import text_at, texts_at
from stepflow_gui.formats.climpt.vocabulary import (
    OLDER_VERDICT_TYPES,
    RUNTIME_VARIABLES,
    SECTION_VARIABLES,
    VERDICT_VARIABLES,
)
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import AnyDocument, TextFile
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

_MOST = 400  # prompt files that are looked through


class VariablePlace(NamedTuple):
    """A place in a file, JSON or not; `pointer` is of a JSON file."""

    document: AnyDocument
    span: Span
    pointer: str = ""


class Variable(NamedTuple):
    """A variable that has a value: who sets it, and where that is declared."""

    name: str
    detail: str
    place: VariablePlace | None = None


def variables_of(agent: AgentFolder, steps: list[Step]) -> list[Variable]:
    """What some steps' prompts can use: parameters, inputs of those steps, what the runner gives. Each name once."""
    found: dict[str, Variable] = {}
    for variable in (*_parameters(agent), *_inputs(agent, steps), *_of_runner(agent, steps)):
        found.setdefault(variable.name, variable)
    return list(found.values())


def steps_showing(agent: AgentFolder, prompt: Path) -> list[Step]:
    """The steps whose prompt lies in the folder of a prompt file: its editions and adaptations are one step's."""
    return [
        step
        for step in agent.flow.steps.values()
        if any(path.parent == prompt.parent for path in agent.prompt_candidates(step))
    ]


def uses_of(agent: AgentFolder, name: str) -> Iterator[VariablePlace]:
    """Every place that uses a variable: lists of steps, and prompt files."""
    for step in agent.flow.steps.values():
        for text in texts_at(step.node, "uvVariables", step.pointer):
            if variable_name(text.value) == name:
                yield VariablePlace(agent.registry, text.span, text.pointer)
    for path in sorted(prompt_files(agent))[:_MOST]:
        file = agent.text(path)
        if isinstance(file, TextFile) and name in file.source.text:
            for use in read_prompt(file.source.text).used:
                if use.name == name:
                    yield VariablePlace(file, use.span)


def prompt_files(agent: AgentFolder) -> set[Path]:
    """The prompt files of an agent."""
    return {path for folder in agent.prompt_folders() for path in agent.files_below(folder) if path.suffix == ".md"}


def _parameters(agent: AgentFolder) -> Iterator[Variable]:
    if agent.agent is None:
        return
    for parameter in agent.agent.parameters:
        description = parameter.node.get("description")
        detail = description.value if description is not None and isinstance(description.value, str) else ""
        place = VariablePlace(agent.agent.document, parameter.key_span, parameter.pointer)
        yield Variable(parameter.name, _joined(_("parameter"), detail), place)


def _inputs(agent: AgentFolder, steps: list[Step]) -> Iterator[Variable]:
    for step in steps:
        holder = step.node.get("inputs")
        for member in holder.members() if holder else []:
            given = text_at(member.value, "from", join(step.pointer, "inputs", member.key))
            source, dot, key = given.value.rpartition(".") if given else ("", "", "")
            if given and dot and source:
                place = VariablePlace(agent.registry, given.span, given.pointer)
                yield Variable(
                    f"{source.replace('.', '_')}_{key}", _("handed off by {step}").format(step=source), place
                )


def _of_runner(agent: AgentFolder, steps: list[Step]) -> Iterator[Variable]:
    named = agent.verdict or ""
    of_verdict = VERDICT_VARIABLES.get(OLDER_VERDICT_TYPES.get(named, named), ())
    of_section = SECTION_VARIABLES if any(step.is_section for step in steps) else ()
    for name in (*RUNTIME_VARIABLES, *of_verdict, *of_section):
        yield Variable(name, _("given by the runner"))


def _joined(*parts: str) -> str:
    return ": ".join(part for part in parts if part)
