"""A change in the making: edits over several files, the notes about it, and the usual reasons against it."""

import re
from collections.abc import Iterable
from pathlib import Path

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.edits import Plan, PromptMove, Refusal
from stepflow_gui.messages import _, ngettext
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.files.store import ReadProblem

_ID = re.compile(r"[\w-]+(\.[\w-]+)*")


class Draft:
    """Collects what a change does. All edits count in the texts as the files have them now."""

    __slots__ = ("_edits", "_notes", "files", "flow", "moves")

    def __init__(self, files: AgentFiles) -> None:
        self.files = files
        self.flow: Flow = files.flow
        self.moves: list[PromptMove] = []
        self._notes: list[str] = []
        self._edits: dict[Path, list[TextEdit]] = {}

    @property
    def registry(self) -> ParsedFile:
        """The registry's document."""
        return self.flow.document

    def edit(self, document: ParsedFile, edits: Iterable[TextEdit]) -> None:
        """Add edits of a document. What was asked for twice is done once."""
        listed = self._edits.setdefault(document.path, [])
        for edit in edits:
            if edit.start == edit.end or edit not in listed:
                listed.append(edit)

    def edits_of(self, document: ParsedFile) -> list[TextEdit]:
        """The edits of a document so far."""
        return self._edits.get(document.path, [])

    def note(self, text: str) -> None:
        """Add a note, once."""
        if text not in self._notes:
            self._notes.append(text)

    def plan(self, title: str) -> Plan:
        """The change as it stands."""
        edits = {path: listed for path, listed in self._edits.items() if listed}
        return Plan(title, edits, tuple(self._notes), tuple(self.moves))


def step_of(flow: Flow, step_id: str) -> Step | Refusal:
    """A step that a change is about."""
    step = flow.steps.get(step_id)
    return step or Refusal(_("There is no step “{step}”").format(step=step_id))


def doubled(flow: Flow, step_id: str) -> Refusal | None:
    """Why a step that is in the file twice can't be changed as a whole."""
    holder = flow.document.tree.at("/steps")
    if holder is None or sum(member.key == step_id for member in holder.members()) < 2:
        return None
    return Refusal(_("“{step}” appears in the file twice: remove one of the two first").format(step=step_id))


def bad_new_id(flow: Flow, step_id: str) -> Refusal | None:
    """Why a new step can't have an id."""
    if not _ID.fullmatch(step_id):
        reason = _(
            "“{step}” is not a step id: write words of letters, digits, _ and - with dots between, such as "
            "initial.issue"
        )
        return Refusal(reason.format(step=step_id))
    if step_id in flow.steps or any(odd.value == step_id for odd in flow.odd_steps):
        return Refusal(_("There is a step “{step}” already").format(step=step_id))
    return None


def unsound(document: ParsedFile) -> Refusal | None:
    """Why a file can't be changed: its text has mistakes."""
    if document.tree.valid and document.root is not None:
        return None
    return Refusal(_("“{file}” has a syntax error: fix it first").format(file=document.path.name))


def readable(files: AgentFiles, path: Path) -> ParsedFile | None:
    """A file of the project; None where it can't be read."""
    found = files.document(path)
    return None if isinstance(found, ReadProblem) else found


def document_of(files: AgentFiles, file: Path | None) -> ParsedFile | Refusal:
    """The registry, or another file of the agent, if it can be changed."""
    if file is None or file == files.flow.document.path:
        return files.flow.document
    found = files.document(file)
    if isinstance(found, ReadProblem):
        return Refusal(_("“{file}” can’t be read").format(file=file.name))
    return unsound(found) or found


def listed(steps: Iterable[str], most: int = 5) -> str:
    """Step ids in a sentence."""
    known = list(steps)
    names = _(", ").join(_("“{word}”").format(word=step) for step in known[:most])
    rest = len(known) - most
    if rest <= 0:
        return names
    return ngettext("{names} and {count} more", "{names} and {count} more", rest).format(names=names, count=rest)
