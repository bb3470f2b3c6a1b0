"""T032 call-fails.

What it does: reports a call of a workflow that can't be opened: its file has a syntax error, isn't a workflow or isn't
callable, it gets an argument that it has no parameter for, it is this file itself or calls it again, or calls go
deeper than TAKT 0.36 to 0.60 follow them. A path outside the project is mentioned, because what it calls
isn't checked.

Why is this bad: A run of TAKT 0.36 to 0.60 ends at the call, if it starts at all.

Fix: fix the called file, set its `subworkflow.callable` to true, or call another one.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.formats.takt.eras import BY_STEPS
from stepflow_gui.formats.takt.files import MOST_OPEN, called_workflows, facet_homes, is_workflow_path
from stepflow_gui.formats.takt.piece import text_of
from stepflow_gui.formats.takt.releases.sets import since
from stepflow_gui.lint.examples.piece import whole_piece
from stepflow_gui.lint.rules.prelude import FLOW, INFO, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.reading import TAKT, all_steps
from stepflow_gui.lint.rules.takt.release_words import runner, wanted_releases
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.files.presence import is_file
from stepflow_gui.text.json.tree import Node

RULE = Rule("T032", "call-fails", WARNING, formats=TAKT, looks_at=FLOW)

BAD = whole_piece(
    "name: issue-flow\nmax_steps: 5\ninitial_step: review\nsteps:\n  - name: review\n    kind: workflow_call\n"
    "    call: ./issue-flow.yaml\n    rules:\n      - condition: COMPLETE\n        next: COMPLETE\n"
)
GOOD = whole_piece(
    "name: issue-flow\nmax_steps: 5\ninitial_step: review\nsteps:\n  - name: review\n    kind: workflow_call\n"
    "    call: ./part.yaml\n    rules:\n      - condition: COMPLETE\n        next: COMPLETE\n",
    "name: part\nsubworkflow:\n  callable: true\nsteps:\n  - name: look\n    instruction: Look.\n    edit: false\n"
    "    rules:\n      - condition: done\n        next: COMPLETE\n",
)

_CALLING, _WITH_ARGS, _IN_SUBS = since("0.36.0"), since("0.37.0"), since("0.51.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Calls of this file, each with the files that are opened from there on."""
    if not wanted_releases(context) & _CALLING:
        return
    calls = _Calls(context)
    for place in all_steps(context):
        name = text_of(place.step.node, "call", place.step.pointer)
        releases = _CALLING if place.parent is None else _IN_SUBS
        if name is None or not wanted_releases(context) & releases:
            continue
        args = place.step.node.get("args")
        trouble = calls.trouble(name.value, [member.key for member in args.members()] if args is not None else [])
        if trouble is None:
            continue
        named = {"step": place.step.id, "name": name.value, "runner": runner(context, releases)}
        text = trouble.text.format(**named, **trouble.values)
        owner = (place.parent or place.step).id
        yield Finding(text, name.span, name.pointer, owner, severity=INFO if trouble.unread else WARNING)


class _Trouble(NamedTuple):
    """Why a call can't be followed. `unread`: only here, TAKT may well do so."""

    text: str  # with {step}, {name} and {runner}, and what `values` holds
    values: Mapping[str, object] = {}
    unread: bool = False


_Chain = tuple[Path, ...]
"""Files of which each calls the next one."""


class _Calls:
    """What the files of a project call, each read once."""

    def __init__(self, context: RuleContext) -> None:
        self._folder = context.folder
        self._here = context.flow.document.path
        self._called: dict[Path, list[Path]] = {}
        self._reads_args = bool(wanted_releases(context) & _WITH_ARGS)

    def trouble(self, name: str, args: list[str]) -> _Trouble | None:
        """What is wrong with a call; None where nothing is, or where the file isn't found (T013 says so).

        `args` are the names of what it gives.
        """
        path = self._file(name, self._here)
        if path is None:
            return self._outside(name)
        if path == self._here.resolve():
            return _Trouble(_("“{step}” calls its own workflow: {runner} runs no workflow inside itself"))
        document = self._folder.document(path)
        if not isinstance(document, ParsedFile):
            return None  # T013 and the file's own findings tell of it
        if not document.tree.valid:
            mistake = next(iter(document.tree.problems), None)
            line = document.source.position(mistake.start).line if mistake is not None else 1
            text = _("“{step}” calls “{name}”, which has a syntax error in line {line}: {runner} can't run it")
            return _Trouble(text, {"line": line})
        root = document.root
        if root is None or not any(root.get(key) is not None for key in BY_STEPS):
            return _Trouble(_("“{step}” calls “{name}”, which isn't a workflow: {runner} can't run it"))
        head = root.get("subworkflow")
        callable_ = head.get("callable") if head is not None else None
        if callable_ is None or callable_.value is not True:
            text = _("“{step}” calls “{name}”, whose “subworkflow.callable” isn't true: {runner} doesn't run it")
            return _Trouble(text)
        declared = head.get("params") if head is not None else None
        known = {member.key for member in declared.members()} if declared is not None else set()
        unknown = next((arg for arg in args if arg not in known), None) if self._reads_args else None
        if unknown is not None:
            text = _(
                "“{step}” gives “{name}” the argument “{arg}”, which isn't one of its parameters: {runner} can't run it"
            )
            return _Trouble(text, {"arg": unknown})
        return self._beyond(path)

    def _beyond(self, first: Path) -> _Trouble | None:
        """Whether the calls that follow go back to this file, or too deep."""
        here = self._here.resolve()
        chains: list[_Chain] = [(here, first)]
        for _depth in range(MOST_OPEN - 1):
            by_end: dict[Path, _Chain] = {}
            for chain in self._longer(chains):
                by_end.setdefault(chain[-1], chain)
            chains = list(by_end.values())
            back = next((chain for chain in chains if chain[-1] == here), None)
            if back is not None:
                text = _(
                    "“{step}” calls “{name}”, which calls this file again ({path}): {runner} runs no workflow inside "
                    "itself"
                )
                return _Trouble(text, {"path": _shown(back)})
        if not chains:
            return None
        text = _(
            "“{step}” calls “{name}”, and calls go on from there ({path}): {runner} doesn't run the last one,"
            " because at most {count} workflows are open at once"
        )
        return _Trouble(text, {"path": _shown(chains[0]), "count": MOST_OPEN})

    def _longer(self, chains: list[_Chain]) -> Iterator[_Chain]:
        """Calls one further on. A circle that this file isn't part of is reported in the files of the cycle."""
        here = chains[0][0] if chains else None
        for chain in chains:
            for called in self._calls_of(chain[-1]):
                if called == here or called not in chain:
                    yield *chain, called

    def _calls_of(self, path: Path) -> list[Path]:
        """The files that another one calls, in its order; none where it can't be read."""
        if path not in self._called:
            document = self._folder.document(path)
            root = document.root if isinstance(document, ParsedFile) and document.tree.valid else None
            names = dict.fromkeys(_names_in(root)) if root is not None else ()
            found = (self._file(name, path) for name in names)
            self._called[path] = [each for each in found if each is not None]
        return self._called[path]

    def _file(self, name: str, path: Path) -> Path | None:
        found = next(filter(self._folder.exists, called_workflows(name, path)), None)
        return None if found is None else found.resolve()

    def _outside(self, name: str) -> _Trouble | None:
        """A file that isn't read because it lies outside; those of the user's own folder are as usual."""
        project = facet_homes(self._here)[0]
        places = called_workflows(name, self._here)
        ours = places if is_workflow_path(name) else [each for each in places if project in each.parents]
        if any(is_file(each) and not self._folder.inside(each) for each in ours):
            text = _("“{step}” calls “{name}”, which is outside the project: what it calls isn't checked")
            return _Trouble(text, unread=True)
        return None


def _names_in(root: Node) -> Iterator[str]:
    """What the steps of a file call, sub-steps too."""
    for key in BY_STEPS:
        for step in _items(root.get(key)):
            parallel = step.get("parallel")
            subs = [parallel, *(parallel.get(each) for each in ("fixed", "pool"))] if parallel is not None else []
            for each in (step, *(sub for listed in subs for sub in _items(listed))):
                call = each.get("call")
                if call is not None and isinstance(call.value, str):
                    yield call.value


def _items(listed: Node | None) -> Iterator[Node]:
    return (item for item in (listed.items() if listed is not None else ()) if item.kind == "object")


def _shown(chain: _Chain) -> str:
    return " → ".join(path.name for path in chain)
