"""The prompt files of an agent: which are there, which a step shows, what they use."""

from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.climpt.lookup import path_of_fields
from stepflow_gui.formats.climpt.prompts import Prompt, read_prompt
from stepflow_gui.formats.climpt.vocabulary import CLOSURE_ACTIONS
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import TextFile


class PromptFiles:
    """Looks at the folders once, and reads a file when somebody asks what it uses.

    `known` is False where the agent has no prompts folder at all, as one that was taken out of its project, or is a
    template whose names are still to be filled in: nothing can be said of its prompts then.
    """

    __slots__ = ("_agent", "_read", "_shown", "_there", "folders", "is_template", "known")

    def __init__(self, agent: AgentFolder) -> None:
        self._agent = agent
        self._read: dict[Path, tuple[TextFile, Prompt] | None] = {}
        self._shown: dict[str, list[tuple[TextFile, Prompt]]] = {}
        self._there: dict[Path, frozenset[Path]] = {}
        self.folders = agent.prompt_folders()  # where prompts may lie, the best first
        names = (agent.flow.agent_id, agent.agent.name if agent.agent else None)
        self.is_template = any(name is not None and "{{" in name.value for name in names)
        self.known = not self.is_template and any(agent.inside(path) and _is_folder(path) for path in self.folders)

    def of(self, step: Step) -> Path | None:
        """The prompt of a step; None where there is none."""
        return self.found(path_of_fields(self._agent.flow, step.raw))

    def adapted(self, step: Step, adaptation: str) -> str | None:
        """The prompt of a step under another adaptation, below a prompts folder."""
        return path_of_fields(self._agent.flow, step.raw | {"adaptation": adaptation})

    def found(self, tail: str | None) -> Path | None:
        """The first file of that path below a prompts folder; None where there is none."""
        if not tail:
            return None
        first, below, _rest = tail.partition("/")
        for folder in self.folders:
            path = folder / tail
            if (path in self._listing(folder / first)) if below and ".." not in tail else self._agent.exists(path):
                return path
        return None

    def shown_by(self, step: Step) -> list[tuple[TextFile, Prompt]]:
        """The prompts that a step can show and that can be read: its own, and of a closure those of closing actions."""
        if step.id not in self._shown:
            paths = [self.of(step)]
            if is_closing(step):
                paths += [self.found(self.adapted(step, action)) for action in CLOSURE_ACTIONS[1:]]
            read = [self._reading(path) for path in dict.fromkeys(paths) if path]
            self._shown[step.id] = [each for each in read if each]
        return self._shown[step.id]

    def written(self, step: Step) -> list[tuple[TextFile, Prompt]]:
        """Those of them that hold any text: of one that is still to be written nobody knows what it will use."""
        return [(file, prompt) for file, prompt in self.shown_by(step) if file.source.text[prompt.start :].strip()]

    def below(self, part: str) -> Iterator[Path]:
        """Every file in a part of the prompts folders."""
        for folder in self.folders:
            yield from self._listing(folder / part)

    def _reading(self, path: Path) -> tuple[TextFile, Prompt] | None:
        if path not in self._read:
            file = self._agent.text(path)
            self._read[path] = (file, read_prompt(file.source.text)) if isinstance(file, TextFile) else None
        return self._read[path]

    def _listing(self, folder: Path) -> frozenset[Path]:
        if folder not in self._there:
            self._there[folder] = self._agent.files_below(folder)
        return self._there[folder]


def is_closing(step: Step) -> bool:
    """Whether a step shows the prompts of closing actions."""
    return step.kind == "closure" or (step.c2 is not None and step.c2.value == "closure")


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # a folder that may not be looked into, a name that none can have
        return False
