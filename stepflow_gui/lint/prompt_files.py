"""The prompt files of an agent: which are there, which a step shows, what they use."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.climpt.adaptation_chain import chain_elements
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.formats.climpt.lookup import (
    is_closing,
    own_layout_path,
    own_prompt_folders,
    path_of_fields,
    with_address_parts,
)
from stepflow_gui.formats.climpt.prompts import PromptText, read_prompt
from stepflow_gui.formats.climpt.vocabulary import CLOSURE_ACTIONS
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import TextFile
from stepflow_gui.text.files.presence import is_folder

_HOLE = "\0"


class PromptFiles:
    """Looks at the folders once, and reads a file when somebody asks what it uses.

    `known` is False where the agent has no prompts folder at all, as one that was taken out of its project, or is a
    template whose names are still to be filled in: its prompts can't be judged then. Looked for as the era does: climpt
    reads no path templates and no `fallbackDir`, the guide does.
    """

    __slots__ = ("_agent", "_era", "_read", "_shown", "_tails", "_there", "folders", "is_template", "known")

    def __init__(self, agent: AgentFolder, era: Era) -> None:
        self._agent = agent
        self._era = era
        self._read: dict[Path, tuple[TextFile, PromptText] | None] = {}
        self._shown: dict[str, list[tuple[TextFile, PromptText]]] = {}
        self._tails: dict[str, str | None] = {}
        self._there: dict[tuple[Path, str], frozenset[str]] = {}
        everywhere = agent.prompt_folders()
        own = own_prompt_folders(agent.flow, agent.root)
        self.folders = everywhere if era.reads_fallback_dir else own  # where prompts may lie, the best first
        names = (agent.flow.agent_id, agent.agent.name if agent.agent else None)
        self.is_template = any(name is not None and "{{" in name.value for name in names)
        self.known = not self.is_template and any(agent.inside(path) and is_folder(path) for path in everywhere)

    def of(self, step: Step) -> Path | None:
        """The prompt of a step; None where there is none."""
        return self.found(self.tail_of(step))

    def tail_of(self, step: Step) -> str | None:
        """The path of a step's prompt below a prompts folder; None if the step doesn't specify it."""
        if step.id not in self._tails:
            self._tails[step.id] = self._path(step.raw)
        return self._tails[step.id]

    def path(self, fields: dict[str, Any]) -> str | None:
        """The path below a prompts folder of the prompt with these parts, wherever a step has its address."""
        return self._path({**fields, "address": fields})

    def _path(self, fields: dict[str, Any]) -> str | None:
        by_templates = self._era.closing == "trigger" or self._agent.flow.format == "checks"
        return (path_of_fields if by_templates else own_layout_path)(self._agent.flow, fields)

    def plain(self, step: Step) -> Path | None:
        """The prompt of a step without its adaptation, or any; None where there is none."""
        return self.found(self.adapted(step, ""))

    def adapted(self, step: Step, adaptation: str) -> str | None:
        """The prompt of a step under another adaptation, below a prompts folder."""
        return self._path(with_address_parts(step.raw, {"adaptation": adaptation}))

    def is_lost_with(self, step: Step, field: str, value: str) -> bool:
        """Whether a step has a prompt, and none with another value in that part of its address."""
        meant = self._path(with_address_parts(step.raw, {field: value}))
        return self.of(step) is not None and self.found(meant) is None

    def found(self, tail: str | None) -> Path | None:
        """The first file of that path below a prompts folder; None where there is none."""
        if not tail:
            return None
        first, below, _rest = tail.partition("/")
        is_plain = below and not any(odd in tail for odd in ("./", "//"))
        for folder in self.folders:
            if tail in self._tails_below(folder, first) if is_plain else self._agent.exists(folder / tail):
                return folder / tail
        return None

    def shown_by(self, step: Step) -> list[tuple[TextFile, PromptText]]:
        """The prompts that a step can show and that can be read: its own, and of a closure those of closing actions."""
        if step.id not in self._shown:
            paths = [self.of(step) or self.plain(step)]
            chain = step.raw.get("adaptationChain")
            elements = chain_elements(chain) if self._agent.flow.format == "adt-kind-address" else []
            paths += [self.found(self.adapted(step, each)) for each in elements if isinstance(each, str)]
            if is_closing(step):
                paths += [self.found(self.adapted(step, action)) for action in CLOSURE_ACTIONS[1:]]
            read = [self._reading(path) for path in dict.fromkeys(paths) if path]
            self._shown[step.id] = [each for each in read if each]
        return self._shown[step.id]

    def written(self, step: Step) -> list[tuple[TextFile, PromptText]]:
        """Those of them that hold any text: what one that is still to be written will use is unknown."""
        return [(file, prompt) for file, prompt in self.shown_by(step) if file.source.text[prompt.start :].strip()]

    def tails_like(self, fields: dict[str, Any], field: str) -> Iterator[str]:
        """The values of a field under which there is a prompt, its other fields being these."""
        tail = self._path(with_address_parts(fields, {field: _HOLE}))
        before, hole, after = tail.partition(_HOLE) if tail else ("", "", "")
        if not hole or "/" not in before:
            return
        for folder in self.folders:
            for there in self._tails_below(folder, before.partition("/")[0]):
                value = there[len(before) : len(there) - len(after)]
                if there.startswith(before) and there.endswith(after) and value and "/" not in value:
                    yield value

    def below(self, part: str) -> Iterator[Path]:
        """Every file in a part of the prompts folders."""
        for folder in self.folders:
            yield from self._agent.files_below(folder / part)

    def _reading(self, path: Path) -> tuple[TextFile, PromptText] | None:
        if path not in self._read:
            file = self._agent.text(path)
            self._read[path] = (file, read_prompt(file.source.text)) if isinstance(file, TextFile) else None
        return self._read[path]

    def _tails_below(self, folder: Path, part: str) -> frozenset[str]:
        """The paths below a prompts folder of the files in a part of it."""
        if (folder, part) not in self._there:
            start = len(folder.as_posix().rstrip("/")) + 1
            files = self._agent.files_below(folder / part)
            self._there[folder, part] = frozenset(path.as_posix()[start:] for path in files)
        return self._there[folder, part]
