"""T030 runtime-refuses.

What it does: reports a file that no release of TAKT 0.1 to 0.60 which `runtime` in the settings names loads, though
others do.

Why is this bad: the runner that you chose refuses the file, or the setting is wrong and findings are about other
releases than the file is for.

Fix: set the release that runs the file, such as `runtime = "takt-0.27"` or `"takt-0.12..0.35"`, or write the file as
that release reads it.
"""

from collections.abc import Iterator

from stepflow_gui.formats.takt.releases.loading import held_against_releases
from stepflow_gui.formats.takt.releases.notes import ReleaseNote
from stepflow_gui.formats.takt.releases.sets import named
from stepflow_gui.formats.takt.releases.setting import releases_of_runtime
from stepflow_gui.lint.examples.example import Example
from stepflow_gui.lint.examples.piece import FILE, PIECE
from stepflow_gui.lint.rules.prelude import DOCUMENT, ERROR, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.reading import TAKT
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.pointer import join
from stepflow_gui.text.yaml.tree import YamlTree

RULE = Rule("T030", "runtime-refuses", ERROR, formats=TAKT, looks_at=DOCUMENT)

BAD = Example({}, {FILE: PIECE, "stepflow.toml": 'runtime = "takt-0.27"\n'}, "takt")
GOOD = Example({}, {FILE: PIECE, "stepflow.toml": 'runtime = "takt-0.8..0.11"\n'}, "takt")


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """Once, at the first thing that the newest of those releases refuses."""
    tree = document.tree
    wanted = releases_of_runtime(context.settings.runtime)
    if document is not context.registry or wanted is None or not isinstance(tree, YamlTree) or document.root is None:
        return
    held = held_against_releases(tree)
    if not held.contradicts(wanted):
        return
    newest = 1 << (wanted.bit_length() - 1)
    pointer = next(filter(None, (_pointer(note, tree) for note in held.refusals_by(newest))), None)
    text = _("The settings name the runtime “{runtime}”, and {named} refuses to load the file: {releases} loads it")
    first = next(iter(document.root.members()), None)
    span = (tree.key_span(pointer) if pointer else None) or (document.root.key_span(first.key) if first else None)
    if span is not None:
        values = {"runtime": context.settings.runtime, "named": named(wanted), "releases": named(held.loads)}
        yield Finding(text.format(**values), span, pointer)


def _pointer(note: ReleaseNote, tree: YamlTree) -> str | None:
    """What a release refuses, where it is in the file and has a key."""
    pointer = join("", *note.path)
    return pointer if note.path and tree.key_span(pointer) is not None else None
