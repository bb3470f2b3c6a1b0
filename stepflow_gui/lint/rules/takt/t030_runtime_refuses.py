"""T030 runtime-refuses.

What it does: reports a file that releases of TAKT 0.1 to 0.60 which `runtime` in the settings names refuse to load,
though others don't. Without such a setting it says where what lies around the file, such as a pin of a version in
package.json or the folder that it is in, is for other releases than the file, and points out what the newest release
refuses of a workflow. Of a file with both `steps` and `movements` it reports the first mistake in the list that the
release reads, where other rules look at the other one. A release that isn't known yet is taken for the newest one,
which it points out.

Why is this bad: the runner that you chose refuses the file, or the setting is wrong and findings are about other
releases than the file is for.

Fix: set the release that runs the file, such as `runtime = "takt-0.27"` or `"takt-0.12..0.35"`, or write the file as
that release reads it.
"""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from stepflow_gui.formats.takt.releases.faults import LISTS
from stepflow_gui.formats.takt.releases.loading import HeldAgainstReleases
from stepflow_gui.formats.takt.releases.notes import FORM, PLACEMENT, UNKNOWN_KEY, Path, ReleaseNote
from stepflow_gui.formats.takt.releases.sets import Releases, named, runs, since
from stepflow_gui.formats.takt.releases.setting import newer_than_known, releases_of_runtime
from stepflow_gui.formats.takt.renames import MOVED
from stepflow_gui.lint.examples.example import Example
from stepflow_gui.lint.examples.piece import FILE, PIECE
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.fixes import renamed_key
from stepflow_gui.lint.rules.prelude import DOCUMENT, ERROR, INFO, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.keyed_objects import keyed_objects
from stepflow_gui.lint.rules.takt.mixture import list_word_meant
from stepflow_gui.lint.rules.takt.reading import TAKT
from stepflow_gui.lint.rules.takt.release_words import path_of, takes_any, wanted_releases
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span
from stepflow_gui.text.yaml.tree import YamlTree

RULE = Rule("T030", "runtime-refuses", ERROR, formats=TAKT, looks_at=DOCUMENT)

BAD = Example({}, {FILE: PIECE, "stepflow.toml": 'runtime = "takt-0.27"\n'}, "takt")
GOOD = Example({}, {FILE: PIECE, "stepflow.toml": 'runtime = "takt-0.8..0.11"\n'}, "takt")

_SHOWN = 20
_NEWEST = since("head")
_OF_FAULTS = frozenset(("value", "type", "minimum", "required", FORM, "parameter"))
"""Reasons of which other rules speak, in whichever list of movements."""
_TOLD = _OF_FAULTS | frozenset(
    (
        *("duplicate_step", "duplicate_sub_step", "report_twice", "report_path", "condition_syntax", "cycle_end"),
        PLACEMENT,
        *("session_key_placement", "provider_requires_model"),
    )
)
"""Reasons for which a release refuses a file that other rules speak of."""


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """Once, at the first thing that the newest of those releases refuses."""
    tree = document.tree
    if document is not context.registry or not isinstance(tree, YamlTree) or document.root is None:
        return
    held, wanted = context.held, releases_of_runtime(context.settings.runtime)
    yield from _in_other_list(document, context)
    if newer_than_known(context.settings.runtime):
        yield from _not_known_yet(document, context)
    if takes_any(context):
        yield from _by_evidence(document, context)
        pinned = any(each.pins for each in context.piece_releases.narrowed_by)
        if held.loads and not (held.loads | held.range) & _NEWEST and context.takt.steps == "steps" and not pinned:
            yield from _by_newest(held, document)
    elif wanted is not None:
        yield from _by_settings(held, wanted, document, context)


def _by_settings(
    held: HeldAgainstReleases, wanted: Releases, document: ParsedFile, context: RuleContext
) -> Iterator[Finding]:
    """What refuses the file because it is for other releases; of mistakes in it other rules speak."""
    refusing = wanted & ~held.loads
    if not refusing or not held.range or document.root is None:
        return
    newest = 1 << (refusing.bit_length() - 1)
    concerned = newest & wanted_releases(context)  # what doesn't concern releases of the file no other rule tells
    by_name = _reported_by_name(document, context) if concerned else frozenset()
    notes = [
        note
        for note in held.refusals_by(newest)
        if not (note.mistake or _is_of_key(note, by_name) or (concerned and _is_reported(note)))
    ]
    if not notes:
        return  # other rules speak of it
    tree, first = document.tree, next(iter(document.root.members()), None)
    pointer = next((place for note in notes if tree.key_span(place := join("", *note.path))), None)
    span = (tree.key_span(pointer) if pointer else None) or (document.root.key_span(first.key) if first else None)
    text = (
        _("The settings name the runtime “{runtime}”, and {named} refuses to load the file: {releases} loads it")
        if held.loads
        else _("The settings name the runtime “{runtime}”, and {named} refuses to load the file: it is for {releases}")
    )
    if span is not None:
        values = {"named": named(refusing), "releases": named(held.loads or held.range)}
        text = text.format(runtime=context.settings.runtime, **values)
        key = context.takt.steps
        meant = list_word_meant(context, key)
        fixes = renamed_key(document, f"/{key}", meant.word) if meant is not None else ()
        yield Finding(text, span, pointer, proposals=fixes)


def _in_other_list(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """The first mistake in the list of movements that the newest wanted release reads, where the others read another.

    Of a file with both lists all other rules look at one, whichever the release.
    """
    wanted = wanted_releases(context)
    newest = wanted & 1 << (wanted.bit_length() - 1)
    for note in context.held.refusals_by(newest):
        pointer = join("", *note.path)
        node = document.tree.at(pointer)
        elsewhere = note.path[:1] in LISTS and note.path not in LISTS and note.path[0] != context.takt.steps
        if elsewhere and node is not None and _is_reported(note) and note.reason not in _OF_FAULTS:
            text = _("{release} refuses to load the file because of {place}")
            text = text.format(release=named(newest), place=".".join(map(str, note.path)))
            yield Finding(text, node.span, pointer)
            return


def _not_known_yet(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    member = next(iter(document.root.members()), None) if document.root is not None else None
    if member is not None:
        text = _("The settings name the runtime “{runtime}”, which isn't known yet: findings are about {newest}")
        newest = named(releases_of_runtime("takt-latest") or 0)
        text = text.format(runtime=context.settings.runtime, newest=newest)
        yield Finding(text, member.key_span, join("", member.key), severity=INFO)


def _by_evidence(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """What lies around the file and is for other releases: both are reported, and neither is chosen."""
    root = document.root
    member = next(iter(root.members()), None) if root is not None else None
    if member is None:
        return
    for each in context.piece_releases.against:
        text = (
            _("{source} pins {releases}, and the file is for {own}")
            if each.pins
            else _("{source} is for {releases}, and the file is for {own}")
        )
        text = text.format(source=each.source, releases=named(each.releases), own=named(context.releases))
        yield Finding(text, member.key_span, join("", member.key), severity=WARNING if each.pins else INFO)


def _is_reported(note: ReleaseNote) -> bool:
    """Whether another rule speaks of it."""
    by_reason = note.reason in _TOLD and note.path not in LISTS
    return note.mistake or by_reason or note.path[-1:] == ("condition",)


def _is_of_key(note: ReleaseNote, keys: AbstractSet[Path]) -> bool:
    """Whether it is one of the keys that is refused, not what it holds."""
    return note.path in keys and note.reason in {UNKNOWN_KEY, note.path[-1]}


def _reported_by_name(document: ParsedFile, context: RuleContext) -> AbstractSet[Path]:
    """The keys of which T025 says what they are called, or where they stand, in the releases that refuse them."""
    assert document.root is not None
    return {
        (*path_of(each.pointer), member.key)
        for each in keyed_objects(document.root, context)
        for member in each.node.members()
        if context.flow.steps and (each.names.get(member.key) or member.key in MOVED)
    }


def _by_newest(held: HeldAgainstReleases, document: ParsedFile) -> Iterator[Finding]:
    """Everything that the newest release refuses, as one finding: the file may be for it, or for the others."""
    places: dict[str, tuple[Span, ReleaseNote]] = {}
    for note in held.refusals_by(_NEWEST):
        pointer = join("", *note.path)
        span = document.tree.key_span(pointer)
        if span is not None:
            places.setdefault(pointer, (span, note))
    if not places:
        return
    listed = sorted(places.items(), key=lambda place: _since(place[1][1]))
    pointer, (span, note) = listed[0]
    text = _("{releases} loads the file, and newer ones refuse to: {reason}")
    yield Finding(
        text.format(releases=named(held.loads), reason=_reason(note)),
        span,
        pointer,
        severity=INFO,
        sides=[Side(document, beside, other, _reason(each)) for other, (beside, each) in listed[1 : _SHOWN + 1]],
    )


def _since(note: ReleaseNote) -> int:
    """The place of the first of the newest releases that refuse it in a row: what ends a range comes first."""
    newest = note.releases.bit_length()
    return (~note.releases & ((1 << newest) - 1)).bit_length()


def _reason(note: ReleaseNote) -> str:
    """Since when the newest releases refuse something."""
    key, release = str(note.path[-1]), [first for first, _last in runs(note.releases)][-1]
    if key in MOVED:
        return _("“{key}” belongs in .takt/runtime.yaml since {release}").format(key=key, release=release)
    text = (
        _("“{key}” is refused since {release}")
        if note.reason == key
        else _("“{key}” is refused in this form since {release}")
    )
    return text.format(key=key, release=release)
