"""Words in a TAKT file that its other words rule out: no release reads them all."""

from stepflow_gui.formats.takt.releases.notes import SAID_TWICE, ReleaseNote
from stepflow_gui.formats.takt.releases.places import readers_of
from stepflow_gui.formats.takt.releases.sets import ALL, NONE
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
        for note in (*keys, *(note for note in held.dropped if not note.mistake and note.reason != SAID_TWICE))
        if note.releases & held.range == held.range and readers_of(note.path) not in (ALL, NONE)
    ]
    several = len({note.path[-1] for note in notes}) > 1 or not ALL & ~refusing
    return notes if several else []
