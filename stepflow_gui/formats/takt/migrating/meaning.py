"""What a release takes otherwise than others although it loads the same text."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from stepflow_gui.formats.takt.migrating.places import Object, as_object, items, places
from stepflow_gui.formats.takt.releases.sets import Releases, before, between, since
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import JsonValue

_SPECIAL = re.compile(r"(all|any|ai|when)\(")
_TEXTS = ("instruction", "instruction_template")
_SECTION = {
    "persona": "personas",
    "agent": "personas",
    "policy": "policies",
    "knowledge": "knowledge",
    "instruction": "instructions",
}
"""The keys whose values may be names of facets, with their sections."""


class Meaning(NamedTuple):
    """Of what the text holds, how some releases take it."""

    releases: Releases
    applies: Callable[[Object], bool]
    message: Callable[[], str]


def changes_of_meaning(root: Object, source: Releases, target: Releases) -> Iterator[str]:
    """How the target release takes what the text holds, where releases that it was made for take it otherwise."""
    for row in _ROWS:
        if target & row.releases and source & ~row.releases and row.applies(root):
            yield row.message()


def _rules(root: Object) -> Iterator[list[JsonValue]]:
    for place in places(root):
        yield items(place.value.get("rules"))


def _conditions(rules: list[JsonValue]) -> list[str]:
    return [text for rule in rules if isinstance(text := as_object(rule).get("condition"), str)]


def _choose(root: Object) -> bool:
    return any(len(rules) > 1 for rules in _rules(root))


def _order_matters(root: Object) -> bool:
    """Whether a rule that is more than a label stands below a label."""
    for rules in _rules(root):
        special = [bool(_SPECIAL.match(text.strip())) for text in _conditions(rules)]
        if any(later and not all(special[:at]) for at, later in enumerate(special)):
            return True
    return False


def _has_transitions(root: Object) -> bool:
    return any(items(place.value.get("transitions")) for place in places(root))


def _has_monitors(root: Object) -> bool:
    return bool(items(root.get("loop_monitors")))


def _names_reports(root: Object) -> bool:
    texts = [place.value.get(key) for place in places(root) for key in _TEXTS]
    sections = [*as_object(root.get("instructions")).values(), *as_object(root.get("report_formats")).values()]
    return any(isinstance(text, str) and "{report:" in text for text in (*texts, *sections))


def _names_facets(root: Object) -> bool:
    for place in places(root):
        for key, section in _SECTION.items():
            known = as_object(root.get(section))
            value = place.value.get(key)
            for name in value if isinstance(value, list) else [value]:
                if isinstance(name, str) and re.fullmatch(r"[\w-]+", name) and name not in known:
                    return True
    return False


_ROWS = (
    Meaning(
        since("0.3.0"),
        _has_transitions,
        lambda: _("A result is chosen by its tag or by the judge; 0.1 and 0.2 look for a status in the response"),
    ),
    Meaning(
        since("0.53.0"),
        _order_matters,
        lambda: _("Rules are tried in their order in the file; before 0.53, all(), any() and ai() came first"),
    ),
    Meaning(
        before("0.53.0"),
        _order_matters,
        lambda: _("Rules with all(), any() and ai() come before labels, whatever their order in the file"),
    ),
    Meaning(
        since("0.53.0"),
        _has_monitors,
        lambda: _("A loop monitor fires only when the next step is the first of its cycle"),
    ),
    Meaning(
        before("0.53.0"),
        _has_monitors,
        lambda: _("A loop monitor fires on the steps that have run, whichever step comes next"),
    ),
    Meaning(since("0.53.0"), _names_reports, lambda: _("{report:…} stands for the report's text, not for its path")),
    Meaning(before("0.53.0"), _names_reports, lambda: _("{report:…} stands for the report's path, not for its text")),
    Meaning(
        before("0.31.0") | since("0.53.0"),
        _choose,
        lambda: _("A run ends where the judge's answer can't be read; in 0.31–0.52 the step's own answer decides then"),
    ),
    Meaning(
        between("0.31.0", "0.52.0"),
        _choose,
        lambda: _("Where the judge's answer can't be read, the step's own answer decides; other releases end the run"),
    ),
    Meaning(
        since("0.22.0"),
        _names_facets,
        lambda: _("Names of personas, policies and so on are looked up in .takt/facets/: move their files there"),
    ),
    Meaning(
        between("0.9.0", "0.21.0"),
        _names_facets,
        lambda: _("Names of personas, policies and so on are looked up in .takt/personas/ and so on, not in facets/"),
    ),
    Meaning(
        before("0.9.0"),
        _names_facets,
        lambda: _("Names of personas, policies and so on aren't looked up: they are the text of the prompt"),
    ),
)
