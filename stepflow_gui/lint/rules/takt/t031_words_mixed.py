"""T031 words-mixed.

What it does: reports, once, a file with words of releases of TAKT 0.1 to 0.60 that were never read together, such as
`movements` beside fields of steps that came after it.

Why is this bad: no release reads all of it. Some refuse to load the file, others silently drop what they don't know.

Fix: decide which release the file is for, and write all of it as that one reads it. Where only the word for the list of
movements doesn't fit, its name in the other releases is offered.
"""

from collections.abc import Iterator

from stepflow_gui.formats.takt.releases.places import readers_of
from stepflow_gui.formats.takt.releases.sets import NONE, named, spoken
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.fixes import renamed_key
from stepflow_gui.lint.rules.prelude import DOCUMENT, ERROR, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.mixture import ListWord, list_word_meant, mixed_words
from stepflow_gui.lint.rules.takt.reading import TAKT
from stepflow_gui.lint.rules.takt.release_words import refusing, severity
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

RULE = Rule("T031", "words-mixed", WARNING, formats=TAKT, looks_at=DOCUMENT)

BAD = piece(("    edit: false\n", "    edit: false\n    tags: [plan]\n    session_key: plan\n"))
GOOD = piece()

_SHOWN = 20


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """One finding a file, at the first of the words that are in the minority."""
    if document is not context.registry or not document.tree.valid:
        return
    tree, places = document.tree, {}
    for note in mixed_words(context):
        pointer = join("", *note.path)
        span = tree.key_span(pointer)
        if span is not None:
            places[pointer] = (span, note.path)
    if not places:
        return
    key = context.takt.steps
    meant, span = list_word_meant(context, key), tree.key_span(f"/{key}")
    if meant is not None and span is not None:
        yield _of_list(key, meant, span, context)
        return
    first, *others = sorted(places.items(), key=lambda place: place[1][0])
    readers = {path[-1]: readers_of(path) for _span, path in places.values()}
    words = _(", ").join(
        _("“{key}” (TAKT {releases})").format(key=key, releases=spoken(known)) for key, known in readers.items()
    )
    text = (
        _("Words of different releases are mixed: {runner}, which the rest is for, doesn't read {words}")
        if context.held.loads
        else _(
            "Words of different releases are mixed, and none loads the file: {runner} comes closest, without {words}"
        )
    )
    text = text.format(runner=named(context.held.range), words=words)
    refused = NONE
    for _span, path in places.values():
        refused |= refusing(context, path) if context.held.loads else NONE
    if refused:
        text = _("{text}; {runner} refuses to load the file").format(text=text, runner=named(refused))
    yield Finding(
        text,
        first[1][0],
        first[0],
        severity=severity(context, refused) if context.held.loads else ERROR,
        sides=[
            Side(document, span, pointer, _("this isn't read either")) for pointer, (span, _path) in others[:_SHOWN]
        ],
    )


def _of_list(key: str, meant: ListWord, span: Span, context: RuleContext) -> Finding:
    """The word for the list of movements alone doesn't fit. Where a release would stop loading it, a person decides."""
    stops = context.held.loads & context.held.range & ~meant.loading
    text = _("“{key}” doesn't fit the rest of the file: it is for {runner}, where this is called “{word}”")
    return Finding(
        text.format(key=key, runner=named(meant.reading), word=meant.word),
        span,
        f"/{key}",
        severity=WARNING if context.held.loads else ERROR,
        proposals=[each._replace(guess=bool(stops)) for each in renamed_key(context.registry, f"/{key}", meant.word)],
        misspelt=True,
    )
