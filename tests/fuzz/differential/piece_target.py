"""The target `piece-differential`: pieces by chance, what the linter says of releases against runs under them."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.formats.takt.releases.sets import between, names
from stepflow_gui.formats.takt.releases.table import RELEASES
from stepflow_gui.formats.takt.runners import runner_named
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import ERROR, INFO, Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.takt.loading import PieceRefusal
from stepflow_gui.run.takt.opening import piece_in
from tests.fuzz.cases import Case, Cases, lay_out
from tests.fuzz.differential.comparing import Contradiction, Counts
from tests.fuzz.differential.pieces import FILE, make_mistake, sound_piece
from tests.fuzz.differential.target import ContradictionError
from tests.lint.takt.generations import releases_spoken_of

_MISTAKES = (0, 1, 1, 1, 2, 2, 3)
_NO_MISTAKE, _FREE = 1 << 16, 1 << 17  # marks in the choices: the piece is sound; the settings name no release
_MOST_HELD = 3  # of the releases that a finding is about
_UNLESS_BUNDLED = ("unless one is bundled", "unless some are bundled")  # which isn't known here
_REFUSAL = ("refuses to load", "refuses to run the file", "refuse to load", "refuses the file", "none loads the file")


def draw(chance: random.Random) -> Case:
    """A piece for some release with up to three mistakes, and that release or another one, as a number."""
    release = chance.choice(RELEASES)
    files = sound_piece(release, chance)
    mistakes = chance.choice(_MISTAKES)
    for _mistake in range(mistakes):
        make_mistake(files, chance)
    named = release if not mistakes or chance.random() < 0.7 else chance.choice(RELEASES)
    marks = (0 if mistakes else _NO_MISTAKE) | (_FREE if mistakes and chance.random() < 0.3 else 0)
    texts = {name.format(folder=_folder(named)): json.dumps(each, indent=1) for name, each in files.items()}
    return Case(texts, RELEASES.index(named) | marks)


def check(case: Case, folder: Path) -> None:
    """Raise for the first contradiction."""
    for found in found_in(case, folder, Counter()):
        raise ContradictionError(found)


def found_in(case: Case, folder: Path, counts: Counts) -> Iterator[Contradiction]:
    """Every contradiction about the piece of a case."""
    lay_out(case.files, folder)
    named = RELEASES[case.choices & (_NO_MISTAKE - 1)]
    agent = open_agent(folder / FILE.format(folder=_folder(named)))
    if not isinstance(agent, AgentFolder) or agent.format != "takt" or not agent.registry.tree.sound:
        return  # of a text that nothing can read no release says more
    free = bool(case.choices & _FREE)
    found = lint(agent, LintSettings(None if free else f"takt-{named}"))
    if not free:
        yield from _of_release(agent, named, found, counts, is_sound=bool(case.choices & _NO_MISTAKE))
    for each in found:
        if _is_refusal(each.message):
            spoken = names(releases_spoken_of(each.message))
            for release in dict.fromkeys([*spoken[:1], *spoken[len(spoken) // 2 :][:1], *spoken[-1:]]):
                counts[each.code, release] += 1
                if _refused(agent, release) is None:
                    yield Contradiction(f"{each.code} refusal", release, _shown(each), "the piece is run")


def findings_and_refusal(case: Case, folder: Path) -> tuple[list[Diagnostic], PieceRefusal | None]:
    """What the linter says of a case under its release, and why no run begins."""
    lay_out(case.files, folder)
    named = RELEASES[case.choices & (_NO_MISTAKE - 1)]
    agent = open_agent(folder / FILE.format(folder=_folder(named)))
    assert isinstance(agent, AgentFolder)
    return lint(agent, LintSettings(f"takt-{named}")), _refused(agent, named)


def _of_release(
    agent: AgentFolder, release: str, found: list[Diagnostic], counts: Counts, *, is_sound: bool
) -> Iterator[Contradiction]:
    refused = _refused(agent, release)
    counts["refused" if refused else "started", release] += 1
    errors = [each for each in found if each.severity == ERROR]
    claims = [
        each for each in errors if any(map(_is_refusal, (each.message, *(side.message for side in each.related))))
    ]
    if is_sound and (refused or claims):
        did = refused.message if refused else "the piece is run"
        yield Contradiction("sound piece refused", release, "; ".join(map(_shown, claims)), did)
    if refused is not None and refused.kind != "fragment" and not claims:
        shown = "; ".join(_shown(each) for each in found if each.severity != INFO)
        yield Contradiction(
            f"silent refusal: {refused.kind}", release, shown or "nothing", f"{refused.name}: {refused.message}"
        )


def _is_refusal(message: str) -> bool:
    return any(words in message for words in _REFUSAL) and not any(words in message for words in _UNLESS_BUNDLED)


def _refused(agent: AgentFolder, release: str) -> PieceRefusal | None:
    runner = runner_named(f"takt-{release}")
    assert runner is not None
    piece = piece_in(agent, runner)
    return piece if isinstance(piece, PieceRefusal) else None


def _shown(found: Diagnostic) -> str:
    return f"{found.code} {found.severity} at {found.pointer}: {found.message}"


def _folder(release: str) -> str:
    return ".takt/pieces" if between(release, release) & between("0.5.0", "0.33.2") else ".takt/workflows"


PIECES = Cases("piece-differential", draw, check)
