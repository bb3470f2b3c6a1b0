"""What a rule is made of: its metadata, and the findings that its check yields."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.text.document import AnyDocument
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Span

LooksAt = Literal["document", "step", "flow", "suppression", "config"]
DOCUMENT: LooksAt = "document"  # check(document, context): each file of the agent by itself, broken ones included
STEP: LooksAt = "step"  # check(step, context): one step and its output schema
FLOW: LooksAt = "flow"  # check(context): the flow as a whole
SUPPRESSION: LooksAt = "suppression"  # check(suppression): what is to be ignored, after all the rules above
CONFIG: LooksAt = "config"  # check(pattern): a pattern of the configuration that met no file of the run

ALL: tuple[str, ...] = ()
ADDRESSED = ("adt-kind-address",)  # steps with kind and address
FLAT_GATE = ("closing", "c3l", "complete")  # kind and prompt of their steps are in the step itself
FLAT_KINDS = ("closing", "c3l")
GATE = (*FLAT_GATE, *ADDRESSED)
KINDS = (*FLAT_KINDS, *ADDRESSED)


class Premises(NamedTuple):
    """Which rules of a format have their premises in another shape as well.

    `only` and `but` are codes or their beginnings; without `only` it is all of them.
    """

    like: str
    only: tuple[str, ...] = ()
    but: tuple[str, ...] = ()

    def hold_for(self, code: str) -> bool:
        """Whether what the rule speaks about is in a file of the shape, read as climpt of then read it."""
        return (not self.only or code.startswith(self.only)) and not (self.but and code.startswith(self.but))


_NAMES = ("SF101", "SF102", "SF111")
_PROMPTS = ("SF106", "SF502", "SF506", "SF508", "SF509", "SF512", "SF513")
_VALIDATORS = ("SF601", "SF602", "SF603", "SF605", "SF606", "SF607", "SF608", "SF610", "SF615")
_SCHEMAS = ("SF701", "SF702", "SF703", "SF704", "SF705", "SF706", "SF707", "SF708", "SF710")

# What no guide describes, and the format whose rules are true there.
SHAPES = {
    "entry-pair": Premises("c3l"),
    "gateless": Premises("c3l", but=("SF102",)),
    "transitions-only": Premises("c3l", only=("SF101", "SF204", "SF3", "SF4", "SF506")),
    "c3l-flat": Premises("closing", only=(*_NAMES, *_PROMPTS, "SF403")),
    "c3l-completion": Premises("closing", only=(*_NAMES, *_PROMPTS, *_VALIDATORS, *_SCHEMAS)),
    "flow-array": Premises("closing", only=(*_NAMES, *_PROMPTS, "SF301", "SF302"), but=("SF102",)),
    "prompt-path": Premises("closing", only=(*_NAMES, "SF502")),
}


def judged_as(format_id: str) -> str:
    """The format whose rules a file of that format or shape has to follow, all of them or nearly all."""
    premises = SHAPES.get(format_id)
    return premises.like if premises and not premises.only else format_id


class Rule(NamedTuple):
    """A rule's metadata. `formats` is empty for all formats; the rule rides along with those in `defers_to`.

    In `SHAPES` stands which shapes it speaks about besides.
    """

    code: str
    name: str
    severity: Severity  # of a finding without its own
    formats: tuple[str, ...] = ALL
    looks_at: LooksAt = STEP
    defers_to: tuple[str, ...] = ()

    def applies_to(self, format_id: str | None) -> bool:
        """Whether the rule speaks about files of that format."""
        if not self.formats or format_id in self.formats:
            return True
        premises = SHAPES.get(format_id or "")
        return premises is not None and premises.like in self.formats and premises.hold_for(self.code)

    @property
    def all_formats(self) -> tuple[str, ...]:
        """All formats that the rule speaks about; empty where it is every one."""
        if not self.formats:
            return ALL
        return (*self.formats, *(shape for shape in SHAPES if shape not in self.formats and self.applies_to(shape)))


class Side(NamedTuple):
    """Another place that a finding is about."""

    document: AnyDocument
    span: Span
    pointer: str | None
    message: str


DocumentEdits = Sequence[tuple[AnyDocument, TextEdit]]


class Later(NamedTuple):
    """Edits that are worked out once somebody wants more than their title: `make` gives them, and at least one.

    `words` are what they take from the agent's files to write it elsewhere, `files` those that they begin.
    """

    make: Callable[[], DocumentEdits]
    words: Iterable[str] = ()
    files: Iterable[Path] = ()


class Proposal(NamedTuple):
    """A change that would settle a finding: edits by document; `safe` ones are applied without asking.

    A `guess` writes what only the author can know, such as the step that comes next: it is offered, but never applied
    together with others.
    The documents in `unmarked` lose their byte order mark, which no edit of the text can take away.
    """

    title: str
    edits: DocumentEdits | Later
    safe: bool = False
    unmarked: Sequence[AnyDocument] = ()
    guess: bool = False

    @property
    def made(self) -> DocumentEdits:
        """The edits, worked out."""
        return self.edits.make() if isinstance(self.edits, Later) else self.edits


class Finding(NamedTuple):
    """What a rule found, before it is placed: spans, not lines.

    `document` is None for the registry, `severity` None for the rule's own. Findings of one `cause` are one mistake:
    the first rule in line speaks, the others ride along. `proposals` is gone through once, and only if the finding
    speaks: a generator does no work before. `misspelt`: the first proposal writes the word that is meant, and findings
    that are gone then are part of this one. `lacks` are the fields that the object at the pointer hasn't, where the
    finding is about those and not about a value. `is_read`: the flow was read from the value, and no
    finding waits for this one.
    """

    message: str
    span: Span
    pointer: str | None
    step: str | None = None
    document: AnyDocument | None = None
    severity: Severity | None = None
    sides: Sequence[Side] = ()
    proposals: Iterable[Proposal] = ()
    cause: Hashable = None
    misspelt: bool = False
    lacks: Sequence[str] = ()
    is_read: bool = False
