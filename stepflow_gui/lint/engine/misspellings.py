"""One cause, one fix: findings that are gone once a misspelt word is written as it is meant speak as part of it."""

import re
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.lint.diagnostic import RANK
from stepflow_gui.lint.engine.deduplication import SHOWN, RuleFinding, merge
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import AnyDocument
from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.source import Source

Linting = Callable[[AgentFolder, set[str]], Iterable[RuleFinding]]
"""What the rules of these codes find in an agent."""

_Known = tuple[str, Path, str | None, str]
"""Code, file, step and message, by which a finding is found again."""
_UNREAD_KEYS = ("SF005", "SF710", "T025")
_QUOTED = re.compile("[“「]([^”」]+)[”」]")
_SEARCHED = 50  # misspelt words that are looked for anywhere in a message; the others where it quotes a name


class _Respelling(NamedTuple):
    """A misspelt word's finding, and the edits that write the word that is meant."""

    found: RuleFinding
    edits: list[tuple[AnyDocument, TextEdit]]


def join_consequences(
    found: list[RuleFinding], folder: AgentFolder, speaks: Callable[[RuleFinding], bool], linting: Linting
) -> list[RuleFinding]:
    """The findings without those that only follow from a misspelt word.

    The agent is checked once more with every such word written as it is meant, by the rules that found anything:
    what they don't report then rides along with the word's finding, as bad as the worst of them. What they report
    in other words then, or as a rider, keeps its place, but has no fix as long as the word is misspelt; nor has any
    finding one that it hasn't then. A misspelling counts only if `speaks` confirms that its finding is going to be
    reported. Keys that nothing reads come first: a word may look wrong only because what such a key holds is unread.
    """
    found = [_with_proposals(each) for each in found]
    misspelt = [each for each in found if each.finding.misspelt and speaks(each)]
    keys = [each for each in misspelt if each.rule.code in _UNREAD_KEYS]
    if keys and len(keys) < len(misspelt):
        found = _joined(found, keys, folder, speaks, linting)
        misspelt = [each for each in found if each.finding.misspelt and speaks(each)]
    return _joined(found, misspelt, folder, speaks, linting)


def _joined(
    found: list[RuleFinding],
    misspelt: list[RuleFinding],
    folder: AgentFolder,
    speaks: Callable[[RuleFinding], bool],
    linting: Linting,
) -> list[RuleFinding]:
    respelt = _compatible(misspelt)
    chosen = {id(each.found) for each in respelt}
    others = [each for each in found if id(each) not in chosen and speaks(each)]
    if not respelt or not others:
        return found
    right = folder.with_texts(_texts(respelt))
    meant = list(linting(right, {each.rule.code for each in others}))
    speaking = {_identity(each, right.registry) for each in merge(meant, right.registry)}
    same, altered, gone = _compared(others, meant, speaking, respelt, folder.registry)
    causes = {of.found.finding.step: number for number, of in reversed(list(enumerate(respelt)))}
    riders: dict[int, list[RuleFinding]] = {}
    for each in gone:  # a rider of the misspelling of its step, else of the first
        number = causes.get(each.finding.step, 0) if each.finding.step is not None else 0
        riders.setdefault(number, []).append(each)
    instead: dict[int, RuleFinding | None] = {id(each): None for each in gone}
    for each, then in same:
        proposals = _kept(each.finding.proposals, then.finding.proposals)
        instead[id(each)] = each._replace(finding=each.finding._replace(proposals=proposals))
    for each in altered:
        instead[id(each)] = each._replace(finding=each.finding._replace(proposals=(), misspelt=False))
    for number, one in enumerate(respelt):
        instead[id(one.found)] = _first(one.found, riders.get(number, []), folder.registry)
    replaced = (instead.get(id(each), each) for each in found)
    return [each for each in replaced if each is not None]


def _with_proposals(each: RuleFinding) -> RuleFinding:
    """Proposals can be gone through once; a misspelling's are looked at here and reported later."""
    if not each.finding.misspelt:
        return each
    proposals = list(each.finding.proposals)
    return each._replace(finding=each.finding._replace(proposals=proposals, misspelt=bool(proposals)))


def _compatible(misspelt: Iterable[RuleFinding]) -> list[_Respelling]:
    """The respellings that stay clear of each other, the first first."""
    taken: dict[Path, list[tuple[int, int]]] = {}
    clear: list[_Respelling] = []
    for each in misspelt:
        proposal = next(iter(each.finding.proposals))
        edits = list(proposal.made)
        places = [(document.path, (edit.start, edit.end)) for document, edit in edits]
        if not any(_overlaps(place, taken.get(path, ())) for path, place in places):
            clear.append(_Respelling(each, edits))
            for path, place in places:
                insort(taken.setdefault(path, []), place)
    return clear


def _overlaps(place: tuple[int, int], taken: Sequence[tuple[int, int]]) -> bool:
    """Whether a place overlaps one of those taken, which are in order and clear of each other."""
    at = bisect_left(taken, place)
    return any(place[0] < end and start < place[1] for start, end in taken[max(0, at - 1) : at + 1])


def _texts(respelt: Iterable[_Respelling]) -> dict[Path, Source]:
    edits: dict[Path, list[TextEdit]] = {}
    sources: dict[Path, Source] = {}
    for each in respelt:
        for document, edit in each.edits:
            edits.setdefault(document.path, []).append(edit)
            sources[document.path] = document.source
    return {path: sources[path].with_text(apply(sources[path].text, edits[path])) for path in edits}


def _kept(proposals: Iterable[Proposal], then: Iterable[Proposal]) -> Iterator[Proposal]:
    """Those of the proposals that are offered in the text as it is meant as well."""
    titles = {each.title for each in then}
    yield from (each for each in proposals if each.title in titles)


def _compared(
    others: list[RuleFinding],
    meant: list[RuleFinding],
    speaking: set[_Known],
    respelt: list[_Respelling],
    registry: AnyDocument,
) -> tuple[list[tuple[RuleFinding, RuleFinding]], list[RuleFinding], list[RuleFinding]]:
    """The other findings: those that are there in the text as it is meant, those that have other words, and the rest.

    What only rides along there, and isn't `speaking`, counts as written in other words.
    """
    there: dict[Hashable, list[RuleFinding]] = {}
    for each in meant:
        there.setdefault(_identity(each, registry), []).append(each)
    words = dict(pair for each in respelt for pair in _words(each))
    same: list[tuple[RuleFinding, RuleFinding]] = []
    altered: list[RuleFinding] = []
    unmatched: list[RuleFinding] = []
    for each in others:
        key = next((key for key in _identities(each, registry, words) if there.get(key)), None)
        if key is None:
            unmatched.append(each)
            continue
        then = there[key].pop()
        if key in speaking:
            same.append((each, then))
        else:
            altered.append(each)
    codes = Counter(_code_and_file(each, registry) for left in there.values() for each in left)
    gone: list[RuleFinding] = []
    for each in unmatched:
        of_kind = _code_and_file(each, registry)
        codes[of_kind] -= 1
        (altered if codes[of_kind] >= 0 else gone).append(each)
    return same, altered, gone


def _code_and_file(each: RuleFinding, registry: AnyDocument) -> Hashable:
    return each.rule.code, (each.finding.document or registry).path


def _identity(each: RuleFinding, registry: AnyDocument) -> _Known:
    finding = each.finding
    return each.rule.code, (finding.document or registry).path, finding.step, finding.message


def _identities(each: RuleFinding, registry: AnyDocument, words: Mapping[str, str]) -> Iterable[_Known]:
    """What a finding is known by: as it is, and with each misspelt word as it is meant."""
    code, path, step, message = _identity(each, registry)
    yield code, path, step, message
    named = [step, *_QUOTED.findall(message), *islice(words, _SEARCHED)]
    for wrong in dict.fromkeys(named):
        if wrong in words and (wrong in message or wrong == step):
            right = words[wrong]
            yield code, path, right if step == wrong else step, message.replace(wrong, right)


def _words(respelt: _Respelling) -> list[tuple[str, str]]:
    pairs = []
    for document, edit in respelt.edits:
        wrong, right = document.source.text[edit.start : edit.end].strip("\"'"), edit.text.strip("\"'")
        if wrong and right:
            pairs.append((wrong, right))
    return pairs


def _first(each: RuleFinding, riders: list[RuleFinding], registry: AnyDocument) -> RuleFinding:
    finding = each.finding
    sides = list(finding.sides)
    places = {(finding.document or registry, finding.span)} | {(side.document, side.span) for side in sides}
    for rider in sorted(riders, key=lambda rider: RANK[rider.severity])[:SHOWN]:
        document, span = rider.finding.document or registry, rider.finding.span
        own = Side(document, span, rider.finding.pointer, rider.finding.message)
        at_word = (document, span) == (finding.document or registry, finding.span)
        for side in rider.finding.sides if at_word and not finding.sides else (own,):
            if (side.document, side.span) not in places:
                places.add((side.document, side.span))
                sides.append(side)
    worst = min((each.severity, *(rider.severity for rider in riders)), key=RANK.__getitem__)
    return each._replace(finding=finding._replace(sides=sides, severity=worst))
