"""T028 step-kind.

What it does: reports fields of a step that its kind can't have, or that can't be combined with another one: a persona
in a system step, `session` in a parallel step, `parallel` beside `team_leader`; a step that should call a workflow and
doesn't say which; servers and commands that the project doesn't allow.

Why is this bad: releases of TAKT 0.36 to 0.60 refuse to load the file, older ones a step of two kinds.

Fix: remove the field, write the kind that the step was meant to be of, or allow it in the configuration.
"""

from collections.abc import Iterator

from stepflow_gui.formats.takt.releases.faults import refusing_kind
from stepflow_gui.formats.takt.releases.notes import PLACEMENT, Path
from stepflow_gui.formats.takt.releases.sets import Releases
from stepflow_gui.formats.takt.releases.table import VALUES
from stepflow_gui.formats.takt.releases.top import PREPARED
from stepflow_gui.formats.takt.step_kinds import STEP_KINDS, Misplaced, Reason, misplaced
from stepflow_gui.lint.closest_name import slip_of
from stepflow_gui.lint.examples.piece import whole_piece
from stepflow_gui.lint.rules.fixes import take_away, write
from stepflow_gui.lint.rules.prelude import DOCUMENT, ERROR, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.reading import TAKT, first_line, step_at
from stepflow_gui.lint.rules.takt.release_words import runner, severity, wanted_releases
from stepflow_gui.project.finding.takt_releases import config_keys_around
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.pointer import join

RULE = Rule("T028", "step-kind", ERROR, formats=TAKT, looks_at=DOCUMENT)

BAD = whole_piece(
    "name: sync-flow\nmax_steps: 5\ninitial_step: sync\nsteps:\n"
    "  - name: sync\n    kind: system\n    persona: You merge.\n    effects: [{type: merge_pr, pr: 12}]\n"
    "    rules:\n      - condition: when(true)\n        next: COMPLETE\n"
)
GOOD = whole_piece(
    "name: sync-flow\nmax_steps: 5\ninitial_step: sync\nsteps:\n"
    "  - name: sync\n    kind: system\n    effects: [{type: merge_pr, pr: 12}]\n"
    "    rules:\n      - condition: when(true)\n        next: COMPLETE\n"
)

_ALLOWED_BY = {
    "mcp_not_allowed": ("workflow_mcp_servers", "piece_mcp_servers"),
    "command_gate_not_allowed": ("workflow_command_gates",),
    "prepare_not_allowed": ("workflow_runtime_prepare", "piece_runtime_prepare"),
}
"""By the reason for which a release refuses a file: the settings of the project that allow it."""
_OF_NOTES: dict[str, Reason] = {
    "call_only": "only-calls",
    "exclusive": "one-of-these",
    PLACEMENT: "not-with-these",
    "session_key_placement": "not-with-these",
    "provider_requires_model": "model-is-missing",
    "auto_requires_routing": "routing-is-missing",
    "alias_conflict": "two-values",
}

_MISSING_BESIDE: frozenset[Reason] = frozenset({"model-is-missing", "routing-is-missing"})
"""The field itself is allowed, but what it needs is missing."""


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """Every step and sub-step as it stands in the file."""
    root = document.root
    if document is not context.registry or root is None or not document.tree.sound:
        return
    known: set[Path] = set()
    for each in misplaced(root.value, context.takt):
        refused = refusing_kind(each, context.held) & wanted_releases(context)
        if refused:
            known |= _places(each.path, each.reason)
            yield _finding(each, refused, document, context)
    yield from _not_allowed(document, context)
    for note in context.held.refused:  # what only some releases refuse
        reason = _OF_NOTES.get(note.reason)
        refused = note.releases & wanted_releases(context)
        if reason is not None and refused and known.isdisjoint(_places(note.path, reason)):
            field = str(note.path[-1])
            beside = tuple(
                key for key in STEP_KINDS if key != field and document.tree.at(join("", *note.path[:-1], key))
            )
            yield _finding(Misplaced(note.path, reason, field, beside), refused, document, context)


def _places(path: Path, reason: Reason) -> set[Path]:
    """Where a note may have been reported: of kinds that exclude each other, at either of them."""
    return {path, path[:-1]} if reason == "one-of-these" else {path}


def _not_allowed(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """What a project has to allow before its files may have it; nothing where the project isn't known."""
    known = config_keys_around(document.path)
    for note in context.held.refused if known is not None else ():
        settings = _ALLOWED_BY.get(note.reason, ())
        refused = note.releases & wanted_releases(context)
        if not settings or not refused or (known and not known.isdisjoint(settings)):
            continue
        pointer = join("", *note.path)
        field = next((str(part) for part in reversed(note.path) if isinstance(part, str)), "")
        node = document.tree.at(pointer)
        text = _("“{field}” isn't allowed unless .takt/config.yaml has “{setting}”: {runner} refuses to load the file")
        span = document.tree.key_span(pointer) or (first_line(context, node) if node is not None else None)
        meant, value = None, str(node.value) if node is not None and isinstance(node.value, str) else ""
        if value:
            text = _(
                "“{value}” in “{field}” isn't allowed unless .takt/config.yaml has “{setting}”: {runner} refuses to"
                " load the file"
            )
            meant = slip_of(value, sorted(VALUES[PREPARED]))
            text += _(". Did you mean “{meant}”?") if meant else ""
        if span is not None:
            values = {"field": field, "value": value, "meant": meant, "setting": settings[0]}
            text = text.format(runner=runner(context, refused), **values)
            owner = step_at(context, note.path)
            fixes = [write(document, node.span, meant)] if meant and node is not None else ()
            yield Finding(text, span, pointer, owner, severity=severity(context, refused), proposals=fixes)


def _finding(each: Misplaced, refused: Releases, document: ParsedFile, context: RuleContext) -> Finding:
    pointer, holder = join("", *each.path), join("", *each.path[:-1])
    step = document.tree.at(holder)
    name = step.get("name") if step is not None else None
    owner = step_at(context, each.path)
    text = _texts()[each.reason].format(
        step=name.value if name is not None else owner or "",
        field=each.field,
        other=_("”, “").join(each.beside),
    )
    span = document.tree.key_span(pointer) or (first_line(context, step) if step is not None else None)
    assert span is not None  # the step was found in this very tree
    there = document.tree.at(pointer) is not None and each.reason not in _MISSING_BESIDE
    fixes = take_away(document, [pointer], _("Remove “{field}”").format(field=each.field)) if there else ()
    return Finding(
        text + _(": {runner} refuses to load the file").format(runner=runner(context, refused)),
        span,
        pointer,
        owner,
        severity=severity(context, refused),
        proposals=fixes,
    )


def _texts() -> dict[Reason, str]:
    return {
        "model-is-missing": _("“{step}” has a provider that needs a “model”, and names none"),
        "routing-is-missing": _("“{step}” has the provider “auto”, which needs “auto_routing”, and the file has none"),
        "two-values": _("“{field}” and its other name have different values"),
        "call-is-missing": _("“{step}” should call a workflow, but “call” is missing"),
        "kind-and-mode": _("“{step}” has both “kind” and “mode”"),
        "one-of-these": _("“{step}” has “{field}”, “{other}”, of which only one may be there"),
        "only-calls": _("“{field}” is for steps that call a workflow, and “{step}” doesn't"),
        "only-system": _("“{field}” is for system steps, and “{step}” isn't one"),
        "only-agents": _("“{field}” is for steps that an agent works on, and “{step}” isn't one"),
        "not-with-these": _("“{field}” of “{step}” can't be combined with “{other}”"),
        "not-in-system": _("“{step}” is a system step, which can't have “{field}”"),
        "not-in-calls": _("“{step}” calls a workflow, and can't have “{field}”"),
        "not-in-subs": _("“{step}” is a sub-step, which can't have “{field}”"),
    }
