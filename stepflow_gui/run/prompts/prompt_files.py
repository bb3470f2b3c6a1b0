"""The prompt files of an agent as a run looks for them, and the texts that replace missing ones."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from stepflow_gui.formats.climpt import lookup
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.formats.climpt.registry import text_at
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import TextFile

_FIXED = "{c1}/{c2}/{c3}/f_{edition}.md"
_FIXED_ADAPTED = "{c1}/{c2}/{c3}/f_{edition}_{adaptation}.md"


class FoundPrompt(NamedTuple):
    """A prompt file."""

    path: Path
    text: str


class PromptShelf:
    """Looks for prompts in an agent's folders.

    `spare`: fallback keys that somebody knows besides those of the guide, with the text behind each; None: it has one.
    """

    def __init__(self, agent: AgentFolder, spare: Mapping[str, str | None] | None = None) -> None:
        self._agent = agent
        self.spare = spare or {}

    def own_paths(self, fields: Mapping[str, str | None], era: Era) -> list[Path]:
        """Where the prompt with these parts may lie, the best first; [] where a part is missing."""
        tail = self._tail(fields, era)
        return (
            [folder / tail for folder in lookup.own_prompt_folders(self._agent.flow, self._agent.root)] if tail else []
        )

    def fallback_path(self, fields: Mapping[str, str | None], era: Era) -> Path | None:
        """Where the same may lie for the case that it is missing there."""
        tail = self._tail(fields, era)
        return lookup.fallback_folder(self._agent.flow, self._agent.agent) / tail if tail else None

    def named_paths(self, holder: Mapping[str, Any], *, with_fallback: bool) -> list[Path]:
        """Where the prompt may lie that a step with checks, or its check, names; [] where it names none in full."""
        tail = lookup.path_of_fields(self._agent.flow, dict(holder))
        if tail is None:
            return []
        flow, agent, root = self._agent.flow, self._agent.agent, self._agent.root
        folders = lookup.prompt_folders(flow, agent, root) if with_fallback else lookup.own_prompt_folders(flow, root)
        return list(dict.fromkeys(folder / tail for folder in folders))

    def first(self, paths: Iterable[Path]) -> FoundPrompt | None:
        """The first of these files that there is."""
        for path in paths:
            found = self._agent.text(path)
            if isinstance(found, TextFile):
                return FoundPrompt(path, found.source.text)
        return None

    def _tail(self, fields: Mapping[str, str | None], era: Era) -> str | None:
        given = {name: value for name, value in fields.items() if value}
        if era.closing == "trigger":
            return lookup.path_of_fields(self._agent.flow, {**given, "address": given})
        root = self._agent.registry.root
        c1 = text_at(root, "c1", "") if root else None
        parts = {"c1": c1.value if c1 and c1.value else "steps", "edition": "default", **given}
        if not {"c2", "c3"} <= parts.keys():
            return None
        return (_FIXED_ADAPTED if "adaptation" in parts else _FIXED).format(**parts)
