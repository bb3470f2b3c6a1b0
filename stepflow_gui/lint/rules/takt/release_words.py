"""Which releases of TAKT a finding is about, and how it says so."""

from stepflow_gui.formats.takt.releases.notes import Path
from stepflow_gui.formats.takt.releases.places import row_at
from stepflow_gui.formats.takt.releases.sets import ALL, NONE, Releases, between, named
from stepflow_gui.formats.takt.releases.setting import PREFIX, releases_of_runtime
from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rules.prelude import ERROR, WARNING, RuleContext, _
from stepflow_gui.text.pointer import split

WORDS = (("initial_step", "initial_movement"), ("max_iterations", "max_movements", "max_steps"))
"""Keys of the same meaning: the one for the first step, and the limit of movements, as releases call them."""
_OF_LIST = {"movements": between("0.4.0", "0.35.4"), "steps": ALL & ~between("0.4.0", "0.33.2")}


def path_of(pointer: str) -> Path:
    """A JSON Pointer as the tables of releases have it. A key of digits in a mapping becomes a number."""
    return tuple(int(part) if part.isdecimal() else part for part in split(pointer))


def wanted_releases(context: RuleContext) -> Releases:
    """The releases that findings are about: those that the settings name, of them those that the file is for.

    Where the settings name none: those that the file is for; of one without steps those that know its words.
    """
    runtime = context.settings.runtime
    named_ones = releases_of_runtime(runtime) if runtime and runtime.startswith(PREFIX) else None
    own = context.releases or _OF_LIST[context.takt.steps]
    return own if named_ones is None else own & named_ones or named_ones


def refusing(context: RuleContext, path: Path, otherwise: Releases = NONE) -> Releases:
    """The wanted releases that refuse what is at a path; `otherwise` are those of which the tables say nothing."""
    return (context.held.refusing(path) | otherwise) & wanted_releases(context)


def runner(context: RuleContext, releases: Releases = ALL) -> str:
    """Those of the wanted releases for which something is so, as `TAKT 0.12–0.29`."""
    return named(releases & wanted_releases(context))


def severity(context: RuleContext, refusing: Releases) -> Severity:
    """That of a refusal: an error where the newest release that is wanted refuses the file."""
    wanted = wanted_releases(context)
    return ERROR if refusing >> (wanted.bit_length() - 1) & 1 else WARNING


def in_part(text: str, context: RuleContext, releases: Releases) -> str:
    """A text that holds for releases, with those of the wanted ones where it doesn't hold for all."""
    wanted = wanted_releases(context)
    if not wanted & ~releases:
        return text
    return _("{text} ({releases})").format(text=text, releases=named(wanted & releases))


def word_for(key: str, level: str, context: RuleContext) -> str | None:
    """What all releases that are wanted call what has this name in some of them; None where they don't agree."""
    wanted = wanted_releases(context)
    words = next((group for group in WORDS if key in group), (key,))
    found = ((word, row_at(level, word)) for word in words)
    return next((word for word, each in found if each is None or not wanted & ~each.read), None)


def same_words(key: str, context: RuleContext) -> tuple[str, ...]:
    """The key itself, and the others of its meaning that all wanted releases read."""
    wanted = wanted_releases(context)
    words = next((group for group in WORDS if key in group), (key,))
    rows = ((word, row_at("top", word)) for word in words)
    return (key, *(word for word, row in rows if row is None or not wanted & ~row.read))


def takes_any(context: RuleContext) -> bool:
    """Whether the settings leave it to the file which release it is for."""
    return not (context.settings.runtime or "").startswith(PREFIX)
