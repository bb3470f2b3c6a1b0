"""T025 unknown-key-dropped.

What it does: reports keys that TAKT 0.8 or TAKT 0.60 silently drops, at every level: misspelt ones, and those of
older or newer versions, with the name that this file's version has for them. Workflows may have no such keys at the top
and in rules.

Why is this bad: what you wrote there has no effect, and no message says so. TAKT 0.60 refuses to load a file with such
a key at the top or in a rule.

Fix: write the key as it is known here, or remove it.
"""

from collections.abc import Iterator

from stepflow_gui.formats.fields import Shape
from stepflow_gui.formats.takt.eras import BY_STEPS
from stepflow_gui.formats.takt.fields import JUDGE, JUDGE_RULE, MONITOR, MOVEMENT, PIECE_FILE, SUB
from stepflow_gui.formats.takt.fields import RULE as RULE_SHAPE
from stepflow_gui.formats.takt.releases.sets import NONE, Releases, Row, named, row, written
from stepflow_gui.formats.takt.releases.setting import PREFIX
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.fixes import in_yaml, take_away
from stepflow_gui.lint.rules.prelude import DOCUMENT, ERROR, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.keyed_objects import KeyedObject, keyed_objects
from stepflow_gui.lint.rules.takt.reading import NO_LIST, TAKT, WORDS, step_at, wanted_releases
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.pointer import join, split

RULE = Rule("T025", "unknown-key-dropped", WARNING, formats=TAKT, looks_at=DOCUMENT)

BAD = piece(("    permission_mode: edit\n", "    permision_mode: edit\n"))
GOOD = piece()

_KEPT_FORM = frozenset({"report", "allowed_tools", "piece_config"})  # what these hold is written otherwise now
_NEVER_READ = frozenset({"agents", "stances", "stance"})  # the other old names are right in releases of their time
_LEVELS = (
    *((PIECE_FILE, "top"), (MOVEMENT, "step"), (SUB, "sub"), (MONITOR, "monitor"), (JUDGE, "judge")),
    *((RULE_SHAPE, "rule"), (JUDGE_RULE, "judge_rule")),
)


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """Every object of the file that has fields."""
    root = document.root
    if document is not context.registry or root is None or root.kind != "object" or not document.tree.valid:
        return
    notation = context.takt.notation
    for each in keyed_objects(root, context):
        for member in each.unread(notation):
            if not _is_read(member.key, each, context):
                yield _finding(member.key, each, sorted(each.known(notation)), context)


def _is_read(key: str, where: KeyedObject, context: RuleContext) -> bool:
    """Whether all releases of TAKT read a key that the file is for. What the newest refuses counts without settings."""
    if not (context.settings.runtime or "").startswith(PREFIX) and _refused(key, where):
        return False
    wanted = wanted_releases(context)
    return bool(wanted) and not wanted & ~_row(key, where.shape).read


def _refused(key: str, where: KeyedObject) -> bool:
    return where.strict or key in where.removed


def _finding(key: str, where: KeyedObject, known: list[str], context: RuleContext) -> Finding:
    pointer = join(where.pointer, key)
    refused = _refused(key, where)
    wanted = NONE if refused else wanted_releases(context)
    newer = _name_for(wanted, where.names.get(key), where)
    readers = _row(key, where.shape).read
    meant = newer if newer or readers else context.nearest(RULE.code, key, known, where.missing_like(key))
    if meant and where.node.member(meant):
        meant = None
    if key == "<<":
        text = _("“<<” merges nothing in YAML 1.2: {runner} reads it as an unknown key")
    elif key == "when":
        text = _("A “when” of its own was read from 0.36 to 0.49: now it stands in the condition, as when(…)")
    elif newer == "":
        text = _("“{key}” isn't read any more")
    elif newer:
        text = _("“{key}” is called “{newer}” here")
    else:
        text = _("{runner} doesn't know “{key}” here")
    needed = bool(meant) and not newer and where.needs(str(meant))
    if refused:
        text += _(": it refuses to load the file")
    elif needed:
        text += _(": without “{meant}” it refuses to load the file")
    else:
        text += _(": it is dropped silently")
    if readers:
        text += _(". TAKT {releases} reads it")
    if meant and not newer:
        text += _(". Did you mean “{meant}”?")
    path = tuple(int(each) if each.isdecimal() else each for each in split(where.pointer))
    kept = bool(readers & context.releases)  # it has an effect in releases that the file is for
    renamed = list(_renamed(key, meant, newer, pointer, context)) if meant and not kept else []
    runner = named(wanted) if wanted else context.takt.release
    return Finding(
        text.format(key=key, newer=newer, meant=meant, runner=runner, releases=written(readers)),
        where.node.key_span(key),
        pointer,
        step_at(context, path),
        severity=ERROR if refused or needed else WARNING,
        proposals=[
            *renamed,
            *(() if kept or (key in _KEPT_FORM and where.names.get(key)) else _removed(key, pointer, context)),
        ],
        misspelt=bool(renamed),
        cause=NO_LIST if meant in BY_STEPS and not newer else None,
    )


def _name_for(wanted: Releases, newer: str | None, where: KeyedObject) -> str | None:
    """What a key is called in the releases that are wanted, if it is known what that is; "" for a key that is gone."""
    if not newer or not wanted:
        return newer
    words = next((group for group in WORDS if newer in group), (newer,))
    return next((word for word in words if not wanted & ~_row(word, where.shape).read), None)


def _row(key: str, shape: Shape) -> Row:
    """What releases do with a key in an object of that shape; nothing for one that the table doesn't hold."""
    level = next((level for known, level in _LEVELS if known is shape), None)
    found = row(level, key) if level else None
    return found or (row("step", key) if level == "sub" else None) or Row(NONE, NONE, NONE)


def _renamed(key: str, meant: str, newer: str | None, pointer: str, context: RuleContext) -> Iterator[Proposal]:
    """The key as it is called here; safe only where no release reads it under its present name."""
    if key in _KEPT_FORM:
        return

    def edits() -> list[TextEdit]:
        from stepflow_gui.text.yaml.edit import rename_key  # only a fix needs it

        return rename_key(context.registry.tree, pointer, meant)

    yield from in_yaml(
        context.registry, edits, _("Write “{word}”").format(word=meant), safe=bool(newer) and key in _NEVER_READ
    )


def _removed(key: str, pointer: str, context: RuleContext) -> Iterator[Proposal]:
    yield from take_away(context.registry, [pointer], _("Remove “{field}”").format(field=key))
