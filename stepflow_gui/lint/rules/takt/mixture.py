"""Words in a TAKT file that its other words rule out: no release reads all of it."""

from typing import NamedTuple

from stepflow_gui.formats.takt.eras import BY_STEPS
from stepflow_gui.formats.takt.releases.loading import held_with_key
from stepflow_gui.formats.takt.releases.notes import GIVEN_TWICE, ReleaseNote
from stepflow_gui.formats.takt.releases.places import readers_of
from stepflow_gui.formats.takt.releases.sets import ALL, NONE, Releases
from stepflow_gui.formats.takt.releases.setting import releases_of_runtime
from stepflow_gui.lint.rules.prelude import RuleContext


def mixed_words(context: RuleContext) -> list[ReleaseNote]:
    """The keys that the releases that the file is for refuse or drop, and that others read; none if it is one key.

    Nothing where the settings name a release that loads the file, as it is for that one, or none of those it is for.
    """
    held, wanted = context.held, releases_of_runtime(context.settings.runtime)
    if not held.range or (wanted is not None and (held.loads & wanted or not held.range & wanted)):
        return []
    keys = [note for note in held.refused if note.path and note.reason == note.path[-1] and not note.mistake]
    refusing = NONE
    for note in keys:
        refusing |= note.releases
    notes = [
        note
        for note in (*keys, *(note for note in held.dropped if not note.mistake and note.reason != GIVEN_TWICE))
        if note.releases & held.range == held.range and readers_of(note.path) not in (ALL, NONE)
    ]
    several = len({note.path[-1] for note in notes}) > 1 or not ALL & ~refusing
    return notes if several else []


class ListWord(NamedTuple):
    """What a list of movements should be called, and the releases that read and that load the file then."""

    word: str
    reading: Releases
    loading: Releases


def list_word_meant(context: RuleContext, key: str) -> ListWord | None:
    """What the list of movements under a key should be called.

    None where no other word helps, or both do. With releases named by the settings, one of those must load it then.
    """
    root, wanted = context.registry.root, releases_of_runtime(context.settings.runtime)
    value = root.value if root is not None else None
    if not isinstance(value, dict) or context.held.reads_all or any(word in value for word in BY_STEPS if word != key):
        return None
    found = {}
    for word in BY_STEPS:
        held = held_with_key(value, key, word) if word != key else None
        reading = NONE if held is None else held.reads_all if wanted is None else held.loads & wanted
        if held is not None and reading:
            found[word] = ListWord(word, reading, held.loads)
    around = ALL
    for each in (*context.piece_releases.narrowed_by, *context.piece_releases.against) if len(found) > 1 else ():
        around &= each.releases
    likely = [each._replace(reading=each.reading & around) for each in found.values() if each.reading & around]
    return likely[0] if len(likely) == 1 else None
