"""What tests of changes do with a plan: carry it out on unsaved texts, take it back, look at what differs."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from stepflow_gui.formats.change import plan
from stepflow_gui.formats.changes import Change
from stepflow_gui.formats.edits import Edits, Plan, Refusal
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text import edit
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source

unconnected = {
    ("SF302", "warning"),
    ("SF506", "error"),
    ("SF506", "warning"),
    ("SF605", "info"),
    ("SF406", "info"),
    ("SF110", "info"),
    ("SF228", "info"),
    ("SF503", "warning"),
    ("SF513", "info"),
}
"""The findings expected where something new isn't used yet: no entry goes there, its prompt isn't written, its
replacement isn't chosen, and the prompt of what was removed is left over."""
Texts = dict[Path, Source]


class Done(NamedTuple):
    """An agent after a change, and the edits that take it back."""

    agent: "Agent"
    plan: Plan
    back: Edits


class Agent:
    """An agent with its unsaved texts."""

    def __init__(self, folder: AgentFolder, texts: Texts | None = None) -> None:
        self.folder = folder
        self.texts: Texts = texts or {}

    @classmethod
    def open(cls, path: Path) -> "Agent":
        folder = open_agent(path)
        assert isinstance(folder, AgentFolder)
        return cls(folder)

    @property
    def registry(self) -> str:
        return self.folder.registry.source.text

    @property
    def steps(self) -> dict[str, Any]:
        """The steps as plain values."""
        root = self.folder.registry.root
        assert root
        steps = root.value["steps"]
        assert isinstance(steps, dict)
        return steps

    def text(self, path: Path) -> str:
        return self._source(path).text

    def schema(self, name: str) -> Any:
        """A schema file's value."""
        return next(document for document in self.documents() if document.path.name == name).tree.at("").value  # type: ignore[union-attr]

    def documents(self) -> list[ParsedFile]:
        """Every file of the agent that was read."""
        found = [self.folder.registry, *([self.folder.agent_document] if self.folder.agent_document else [])]
        used = [document for document in self.folder.schema_files() if isinstance(document, ParsedFile)]
        return found + used + self.folder.schema_neighbours()

    def laid(self, edits: Edits) -> tuple["Agent", Edits]:
        """The agent after edits, and the edits back."""
        texts, back = dict(self.texts), {}
        for path, listed in edits.items():
            before = self._source(path)
            back[path] = edit.inverse(before.text, listed)
            texts[path] = before.with_text(edit.apply(before.text, listed))
        return Agent(self.folder.with_buffers(texts), texts), back

    def done(self, change: Change) -> Done:
        """The agent after a change that is made."""
        planned = plan(self.folder, change)
        assert not isinstance(planned, Refusal), planned.reason
        assert planned.title
        after, back = self.laid(planned.edits)
        return Done(after, planned, back)

    def refused(self, change: Change) -> Refusal:
        refusal = plan(self.folder, change)
        assert isinstance(refusal, Refusal), refusal
        assert refusal.reason
        return refusal

    @cached_property
    def findings(self) -> list[Diagnostic]:
        return lint(self.folder)

    def _source(self, path: Path) -> Source:
        if path in self.texts:
            return self.texts[path]
        found = self.folder.document(path)
        return found.source if isinstance(found, ParsedFile) else Source("")


def same_texts(first: Agent, second: Agent, paths: Iterable[Path]) -> bool:
    return all(first.text(path) == second.text(path) for path in paths)


def check_undo(before: Agent, done: Done) -> None:
    """A change taken back leaves the identical texts."""
    again, _ = done.agent.laid(done.back)
    assert same_texts(before, again, done.plan.edits)


def summary(findings: Iterable[Diagnostic]) -> dict[tuple[str, str], int]:
    """How many findings of a code and severity there are."""
    counted: dict[tuple[str, str], int] = {}
    for found in findings:
        key = (found.code, found.severity)
        counted[key] = counted.get(key, 0) + 1
    return counted


def new_findings(before: Agent, after: Agent) -> dict[tuple[str, str], int]:
    """The findings that weren't there before."""
    old = summary(before.findings)
    new = summary(after.findings)
    return {key: count - old.get(key, 0) for key, count in new.items() if count > old.get(key, 0)}


def plain(texts: Mapping[Path, Source]) -> dict[str, str]:
    return {path.name: source.text for path, source in texts.items()}
