"""T025 unknown-key-dropped.

What it does: reports keys that releases of TAKT 0.1 to 0.60 which the file is for silently drop, at every level:
misspelt ones, and those of older or newer releases, with the name that they have in these. Since 0.36 there may be no
unknown keys at the top, since 0.53 none in rules.

Why is this bad: what you wrote there has no effect, and no message says so; or the release refuses to load the file.

Fix: write the key as it is known here, or remove it.
"""

from collections.abc import Iterator
from functools import cache

from stepflow_gui.formats.takt.eras import BY_STEPS, LIMITS
from stepflow_gui.formats.takt.releases.notes import Path
from stepflow_gui.formats.takt.releases.places import level_of, row_at, row_within
from stepflow_gui.formats.takt.releases.sets import NONE, Releases, Row, named, since, spoken
from stepflow_gui.formats.takt.releases.setting import releases_of_runtime
from stepflow_gui.formats.takt.releases.steps import TOOLS
from stepflow_gui.formats.takt.releases.table import KEYS
from stepflow_gui.formats.takt.renames import MOVED
from stepflow_gui.formats.takt.step_kinds import misplaced
from stepflow_gui.lint.closest_name import slip_of
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.fixes import guesses, renamed_key, take_away
from stepflow_gui.lint.rules.prelude import DOCUMENT, ERROR, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.field_faults import refused_by
from stepflow_gui.lint.rules.takt.keyed_objects import OWN_MARKS, KeyedObject, keyed_objects
from stepflow_gui.lint.rules.takt.mixture import list_word_meant, mixed_words
from stepflow_gui.lint.rules.takt.reading import NO_LIST, TAKT, faults_here, step_at
from stepflow_gui.lint.rules.takt.release_words import WORDS, path_of, severity, wanted_releases, word_for
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.pointer import join

RULE = Rule("T025", "unknown-key-dropped", WARNING, formats=TAKT, looks_at=DOCUMENT)

BAD = piece(("    permission_mode: edit\n", "    permision_mode: edit\n"))
GOOD = piece()

_KEPT_FORM = frozenset({"report", "allowed_tools", "piece_config"})  # what these hold is written otherwise now
_NEVER_READ = frozenset({"agents", "stances", "stance"})  # the other old names are right in releases of their time
_NO_ROW = Row(NONE, NONE, NONE)


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """Every object of the file that has fields."""
    root = document.root
    if document is not context.registry or root is None or root.kind != "object" or not document.tree.valid:
        return
    seen = {note.path for note in mixed_words(context)}  # T031 speaks of those
    by_settings = context.held.contradicts(releases_of_runtime(context.settings.runtime))  # T030 speaks of it

    @cache
    def of_kinds() -> set[Path]:
        return {each.path for each in misplaced(root.value, context.takt)}

    def misplaced_keys(where: KeyedObject) -> set[Path]:
        """Keys that a step of its kind can't have, of which T028 speaks."""
        return of_kinds() if where.level == "sub" else set()

    for each in keyed_objects(root, context):
        for member in each.node.members():
            path = (*path_of(each.pointer), member.key)
            if path in seen or (member.key not in each.known(context.takt.notation) and each.passes_over(member.key)):
                continue
            seen.add(path)
            if each.level is None and _is_known_of(path, context):
                yield from _inside(path, context)
                continue
            refusing, dropping = _unread(member.key, each, context)
            kept_quiet = by_settings and not each.names.get(member.key) and member.key not in MOVED
            # Without a step no release takes the file (T001), and nothing tells which one it is for.
            reported = (kept_quiet or not context.flow.steps) and _row(member.key, each).read
            reported = reported or (refusing and path in misplaced_keys(each))
            if (refusing or dropping) and not reported:
                yield _finding(member.key, each, refusing, dropping, context)
    for note in (*context.held.refused, *context.held.dropped):
        # A setting of an object without effect is reported where that is so in all releases that it is for.
        idle = note.reason == "no_effect" and not wanted_releases(context) & ~note.releases
        if note.path and note.path not in seen and (idle or note.reason in {note.path[-1], "dropped"}):
            seen.add(note.path)
            yield from _inside(note.path, context)


def _is_known_of(path: Path, context: RuleContext) -> bool:
    """Whether the tables say of a key in an object what releases do with it: one refuses it, or all drop it."""
    held, wanted = context.held, wanted_releases(context)
    return bool(held.refusing_key(path) & wanted) or not wanted & ~held.dropping(path)


def _inside(path: Path, context: RuleContext) -> Iterator[Finding]:
    """A key in an object whose keys are rows of the key that holds it, as in `workflow_config`."""
    held, wanted, pointer = context.held, wanted_releases(context), join("", *path)
    refusing, dropping = held.refusing_key(path) & wanted, held.dropping(path) & wanted
    key, span = str(path[-1]), context.registry.tree.key_span(pointer)
    if span is None or not refusing | dropping:
        return
    text = (
        _("“{key}” belongs in .takt/runtime.yaml since 0.60: {runner} refuses to load the file")
        if key in MOVED and refusing & since("0.60.0")
        else _("{runner} doesn't know “{key}” here") + _(": it refuses to load the file")
        if refusing
        else _("{runner} doesn't know “{key}” here") + _(": it is dropped silently")
    )
    readers = (row_within(path) or _NO_ROW).read
    if readers:
        text += _(". TAKT {releases} reads it")
    meant = None if readers else _meant_inside(path, context)
    if meant:
        text += _(". Did you mean “{meant}”?")
    removed = _removed(key, pointer, context) if not context.releases & ~(refusing | dropping) else ()
    yield Finding(
        text.format(key=key, runner=named(refusing or dropping), meant=meant, releases=spoken(readers)),
        span,
        pointer,
        step_at(context, path),
        severity=severity(context, refusing) if refusing else WARNING,
        proposals=[*(_renamed(key, meant, None, pointer, context) if meant else ()), *removed],
        misspelt=bool(meant),
    )


def _meant_inside(path: Path, context: RuleContext) -> str | None:
    """The key of the same object that was meant, by the rows that begin with the object's own key."""
    *above, holder, key = path if len(path) > 1 else ("", *path)
    place = row_at(*level_of((*above, holder)))
    rows = KEYS.get(level_of((*above, holder))[0], {}) if place is not None else {}
    names = [name.rpartition(".")[2] for name in rows if name.rpartition(".")[0] == holder]
    names += sorted(TOOLS) if holder == "provider_options" else ()
    node = context.registry.tree.at(join("", *above, holder))
    meant = slip_of(str(key), [name for name in names if node is not None and node.member(name) is None])
    return meant if meant and meant.isidentifier() else None


def _row(key: str, where: KeyedObject) -> Row:
    """What releases do with a key in an object; nothing for one that the tables don't hold."""
    return (row_at(where.level, key) if where.level else None) or _NO_ROW


def _read_keys(where: KeyedObject, context: RuleContext) -> list[str]:
    """The keys that some of the wanted releases read there."""
    wanted, level = wanted_releases(context), where.level
    known = {key for key in where.known(context.takt.notation) if (_row(key, where).read or wanted) & wanted}
    rows = KEYS.get(level, {}) if level else {}
    return sorted(known | {key for key in rows if key.isidentifier() and _row(key, where).read & wanted})


def _unread(key: str, where: KeyedObject, context: RuleContext) -> tuple[Releases, Releases]:
    """The wanted releases that refuse the file for a key, and those that drop it."""
    held, wanted = context.held, wanted_releases(context)
    path = (*path_of(where.pointer), key)
    if where.level is None:
        known = key in where.known(context.takt.notation) or key.startswith(OWN_MARKS)
        return NONE, held.dropping(path) & wanted if known else wanted
    refusing = held.refusing_key(path) & wanted & ~_row(key, where).read  # of what else is refused the form is wrong
    dropping = held.dropping(path) & wanted
    return refusing, NONE if key.startswith(OWN_MARKS) and not refusing else dropping


def _finding(key: str, where: KeyedObject, refusing: Releases, dropping: Releases, context: RuleContext) -> Finding:
    pointer = join(where.pointer, key)
    same = next((key for words in WORDS if key in words), None) if where.level == "top" else None
    newer = _name_for(where.names.get(key, same), where, context)
    newer = None if newer == key else newer
    readers = _row(key, where).read
    known = _read_keys(where, context)
    meant = (
        newer
        if newer or _row(key, where) is not _NO_ROW
        else context.nearest(RULE.code, key, known, where.missing_like(key))
    )
    if meant and where.node.member(meant):
        meant = None
    if meant in BY_STEPS and not newer:
        listed = list_word_meant(context, key)
        meant = listed.word if listed is not None else meant
    missing = _refusing_without(meant, where, context) if meant and not newer else NONE
    needed = bool(missing)
    text = _what(key, newer, where, refusing)
    text += _outcome(text, where, refusing=bool(refusing), needed=needed)
    if not refusing and not dropping & ~readers and key in LIMITS:  # which is read, but for what is not a number
        text = _("“{key}” isn't a number: {runner} drops it silently, and a run ends after 10 movements")
        meant = newer = None
    elif readers:
        text += _(". TAKT {releases} reads it")
    if meant and not newer:
        text += _(". Did you mean “{meant}”?")
    speaking = refusing or missing or dropping
    kept = bool(readers & context.releases)  # it has an effect in releases that the file is for
    renamed = list(_renamed(key, meant, newer, pointer, context)) if meant and not kept else []
    return Finding(
        text.format(key=key, newer=newer, meant=meant, runner=named(speaking), releases=spoken(readers)),
        where.node.key_span(key),
        pointer,
        step_at(context, path_of(where.pointer)),
        severity=severity(context, refusing) if refusing else ERROR if needed else WARNING,
        proposals=[
            *renamed,
            *(() if kept or (key in _KEPT_FORM and where.names.get(key)) else _removed(key, pointer, context)),
        ],
        misspelt=bool(renamed),
        cause=NO_LIST if meant in BY_STEPS and not newer else None,
    )


def _refusing_without(key: str, where: KeyedObject, context: RuleContext) -> Releases:
    """The wanted releases that refuse the file because an object lacks a key."""
    path = (*path_of(where.pointer), key)
    return next((refused_by(fault, context) for fault in faults_here(context) if fault.path == path), NONE)


def _what(key: str, newer: str | None, where: KeyedObject, refusing: Releases) -> str:
    """What is wrong with a key."""
    if key == "<<":
        return _("“<<” merges nothing in YAML 1.2: {runner} reads it as an unknown key")
    if key == "when" and refusing:
        return _("A “when” of its own was read from 0.36 to 0.52: now it is part of the condition, as when(…)")
    if key in MOVED and refusing & since("0.60.0"):
        return _("“{key}” belongs in .takt/runtime.yaml since 0.60")
    if newer == "":
        return _("“{key}” isn't read any more")
    if newer:
        return _("“{key}” is called “{newer}” here")
    if not where.is_silent:
        return _("{runner} isn't known to read “{key}” here")
    return _("{runner} doesn't know “{key}” here")


def _outcome(text: str, where: KeyedObject, *, refusing: bool, needed: bool) -> str:
    """What follows; nothing where no release was asked."""
    if "{runner}" not in text:
        return _(": {runner} refuses to load the file") if refusing else _(": {runner} drops it silently")
    if refusing:
        return _(": it refuses to load the file")
    if needed:
        return _(": without “{meant}” it refuses to load the file")
    return _(": it is dropped silently") if where.is_silent else ""


def _name_for(newer: str | None, where: KeyedObject, context: RuleContext) -> str | None:
    """What a key is called in the releases that are wanted, if it is known what that is; "" for a key that is gone."""
    return word_for(newer, where.level, context) if newer and where.level else newer


def _renamed(key: str, meant: str, newer: str | None, pointer: str, context: RuleContext) -> Iterator[Proposal]:
    """The key as it is called here; safe only where no release reads it under its present name."""
    if key in _KEPT_FORM:
        return

    yield from renamed_key(context.registry, pointer, meant, safe=bool(newer) and key in _NEVER_READ)


def _removed(key: str, pointer: str, context: RuleContext) -> Iterator[Proposal]:
    proposals = take_away(context.registry, [pointer], _("Remove “{field}”").format(field=key))
    yield from guesses(proposals) if key == "<<" else proposals  # what it was to merge is meant to be there
