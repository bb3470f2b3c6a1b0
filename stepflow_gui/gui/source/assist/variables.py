"""Findings about a variable that a step lists, shown where the step's prompt uses it. Knows no Qt."""

from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.formats.climpt.prompts import read_prompt, variable_name
from stepflow_gui.gui.document.document import Document
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.pointer import split
from stepflow_gui.text.source import Source, Span

_CODES = frozenset({"SF510", "SF511"})  # which are in the registry alone
_LIST = "uvVariables"
Placed = tuple[Diagnostic, Span]


def found_at_uses(document: Document, path: Path) -> list[Placed]:
    """The findings about variables with the places of a prompt that use those; none where it isn't a prompt."""
    found = [each for each in document.diagnostics if each.code in _CODES]
    if not found or path.suffix == ".json":
        return []
    source, agent = document.source(path), document.last_valid
    if not isinstance(source, Source):
        return []
    uses = read_prompt(source.text).used
    shown: dict[str, bool] = {}
    placed: list[Placed] = []
    for each in found:
        for step, name in _variables(each, agent):
            if step not in shown:
                shown[step] = _shows(agent, step, path)
            if shown[step]:
                placed += [(each, use.span) for use in uses if use.name == name]
    return placed


def _variables(found: Diagnostic, agent: AgentFolder) -> Iterator[tuple[str, str]]:
    """The steps and variables that a finding is about."""
    for pointer in (found.pointer, *(related.pointer for related in found.related)):
        keys = split(pointer or "")
        node = agent.registry.tree.at(pointer) if pointer and len(keys) == 4 and keys[2] == _LIST else None
        if node is not None and isinstance(node.value, str):
            yield keys[1], variable_name(node.value)


def _shows(agent: AgentFolder, step_id: str, path: Path) -> bool:
    step = agent.flow.steps.get(step_id)
    candidates = agent.prompt_candidates(step) if step is not None else []
    return next((each for each in candidates if agent.exists(each)), None) == path
