"""An agent during its conversion: its texts as they would be, and the messages about them."""

import json
from collections.abc import Callable, Container, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.formats.converting.made import ConvertedRegistry, JsonObject, Lost, object_of
from stepflow_gui.formats.converting.rewriting import rewritten
from stepflow_gui.formats.edits import Edits, PromptMove
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.edit import apply, difference
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join, split
from stepflow_gui.text.source import Source

CLOSING = "closing"  # the format through which all others are reached


class LostPart(NamedTuple):
    """What can't be carried over, or not as it was: where it was, what it is and why."""

    file: Path
    pointer: str
    what: str
    why: str


class ConversionCancelledError(Exception):
    """The conversion was cancelled."""


class ConversionDraft:
    """An agent with what has become of its texts so far."""

    def __init__(
        self, agent: AgentFolder, unsaved: Mapping[Path, Source], called_off: Callable[[], bool] = lambda: False
    ) -> None:
        self._called_off = called_off
        self.before = self._agent = agent
        self.unsaved = dict(unsaved)
        self.texts: dict[Path, str] = {}
        self._over: dict[Path, Source] = {}
        self._format: str | None = None
        self._written = False  # since the agent was read
        self.lost: list[LostPart] = []
        self.notes: list[str] = []
        self.unused: list[Path] = []
        self.steps: dict[str, tuple[str, ...]] = {step_id: (step_id,) for step_id in agent.flow.steps}
        self.intents: dict[tuple[str, str], str] = {}

    def write(self, path: Path, text: str, format_id: str | None = None) -> None:
        """A file has this text now; `format_id` is what its registry is read as from then on."""
        self.texts[path] = text
        self._over[path] = Source(text, self._marked(path))
        self._format = format_id or self._format
        self._written = True

    def go_on(self) -> None:
        """Raise ConversionCancelledError if it was cancelled."""
        if self._called_off():
            raise ConversionCancelledError

    @property
    def agent(self) -> AgentFolder:
        """The agent with its texts as they would be. Raises ConversionCancelledError if it was cancelled."""
        self.go_on()
        if self._written:
            self._written = False
            self._agent = self._agent.with_buffers(self.unsaved | self._over)
            if self._format is not None:
                self._agent = self._agent.read_as(self._format)
        return self._agent

    def read_as(self, format_id: str) -> None:
        """Take the registry for one of this format from now on."""
        self._format = format_id
        self._agent = self.agent.read_as(format_id)

    def exists(self, path: Path) -> bool:
        """Whether there would be such a file."""
        return path in self.texts or self._agent.exists(path)

    def _marked(self, path: Path) -> bool:
        source = self.source(path)
        return source is not None and source.bom

    def source(self, path: Path) -> Source | None:
        """The text of a file as it was; None where it wasn't there."""
        found = self.before.content(path)
        return None if isinstance(found, ReadProblem) else found.source

    def original(self, path: Path) -> str:
        """The same as a plain text."""
        source = self.source(path)
        return source.text if source else ""

    def now(self, path: Path) -> str:
        """The text of a file as it would be."""
        return self.texts.get(path, self.original(path))

    def value(self) -> JsonObject:
        """The current value of the registry."""
        root = self.agent.registry.root
        return object_of(root.value if root else None)

    def add_losses(self, found: Iterable[Lost], back: Mapping[str, str] | None = None) -> None:
        """Add what can't be carried over; `back` has the ids of before of steps that were renamed."""
        for lost in found:
            pointer = named_before(lost.pointer, back or {})
            self.lost.append(LostPart(self.before.registry.path, pointer, lost.what, lost.why))

    def add_loss(self, file: Path, what: str, why: str) -> None:
        """Add something of another file, once: several steps may show one prompt."""
        part = LostPart(file, "", what, why)
        if part not in self.lost:
            self.lost.append(part)

    def rewrite(self, made: ConvertedRegistry, format_id: str | None = None) -> None:
        """The registry is what a conversion made of it."""
        text = rewritten(self.agent.registry.source.text, made.value, made.renamed)
        self.add_losses(made.lost)
        self.write(self.agent.registry.path, text, format_id)

    def apply(self, edits: Edits) -> None:
        """Edits count in the texts as they are now."""
        for path, listed in edits.items():
            self.write(path, apply(self.now(path), listed))

    def move(self, moves: Iterable[PromptMove]) -> None:
        """Put prompts where their steps look for them now."""
        agent = self.agent
        for move in moves:
            old_new = [(move.old, move.new)]
            if move.old.suffix != ".md":
                files = sorted(agent.files_below(move.old))
                old_new = [(path, move.new / path.relative_to(move.old)) for path in files]
            for old, new in old_new:
                text = agent.text(old)
                if not isinstance(text, ReadProblem) and not self.exists(new):
                    self.write(new, text.source.text)
                    self.unused.append(old)

    def edits(self, used: Container[Path]) -> Edits:
        """What becomes of the files that change; a new one may be empty. `used` are the prompts of the steps.

        A file that goes, as its text is elsewhere now, doesn't change before.
        """
        moved_on = {path for path in self.unused if path not in used}
        return {
            path: list(difference(self.original(path), text))
            for path, text in self.texts.items()
            if path not in moved_on and (text != self.original(path) or not self.before.exists(path))
        }

    def verdict(self) -> str | None:
        """The agent's own verdict type, by the name that agent.json had for it."""
        verdict = self.before.agent.verdict_type if self.before.agent else None
        return verdict.value if verdict else None

    def prompt_there(self, agent: AgentFolder, step_id: str) -> Path | None:
        """The prompt file of a step that is there."""
        candidates = agent.prompt_candidates(agent.flow.steps[step_id])
        return next((path for path in candidates if agent.exists(path)), None)


def with_values(text: str, values: Mapping[str, JsonValue]) -> str:
    """The text with these values at their pointers, missing parent objects included; an empty one is filled."""
    tree = read_json(Source(text))
    made: JsonObject = object_of(tree.root.value if tree.root else None)
    for pointer, value in values.items():
        made = _put(made, split(pointer), value)
    return rewritten(text, made, {}) if text.strip() else json.dumps(made, ensure_ascii=False, indent=2) + "\n"


def _put(holder: JsonObject, keys: list[str], value: JsonValue) -> JsonObject:
    key, *rest = keys
    return {**holder, key: _put(object_of(holder.get(key)), rest, value) if rest else value}


def named_before(pointer: str, back: Mapping[str, str]) -> str:
    """A pointer in the registry as it was; `back` has the ids of before of steps that were renamed."""
    keys = split(pointer)
    if len(keys) > 1 and keys[0] == "steps":
        keys[1] = back.get(keys[1], keys[1])
    return join("", *keys)
