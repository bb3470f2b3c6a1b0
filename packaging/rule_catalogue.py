"""The translations of the rules' docs beside the rules: `check` reports mismatches, `missing` what is to be written.

`resources/locale/<language>/rules_<family>.po` hold them; the ids are the English texts, `catalogue.py` compiles them.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import catalogue
from stepflow_gui.lint.examples.rule_docs import english_docs_of
from stepflow_gui.lint.rules.table import MODULES, rule_module

_KEPT = re.compile(r"`[^`]*`|\bSF\d{3}\b|\d{4}-\d\d-\d\d|\{\w*\}|\b[a-z]+[A-Z]\w*|\w+\.(?:json|md)\b")
"""What is the same in every language: marked words, rules, days, placeholders, names of fields and files."""


class Use(NamedTuple):
    """A part of a rule's docs."""

    id: str
    code: str
    part: str  # what, why or fix
    family: str  # the rule's folder

    @property
    def entry(self) -> str:
        """The entry of a po file that is to be filled in."""
        return f'#. {self.code} {self.part}, rules_{self.family}.po\nmsgid {catalogue.quoted(self.id)}\nmsgstr ""\n'


def uses() -> Iterator[Use]:
    """Every part of every rule's docs, in order."""
    for code in MODULES:
        docs = english_docs_of(code)
        family = rule_module(code).__name__.split(".")[-2]
        for part, text in (("what", docs.what), ("why", docs.why), ("fix", docs.fix)):
            yield Use(text, code, part, family)


def missing(strings: Mapping[str, str], used: Mapping[str, Use]) -> list[Use]:
    """The texts without a translation."""
    return [use for use in used.values() if not strings.get(use.id)]


def problems(language: str, root: Path = catalogue.ROOT) -> list[str]:
    """What keeps the rules and their translations from fitting together, a line each."""
    strings, wrong = _strings(language, root)
    used = {use.id: use for use in uses()}
    wrong += [f"{use.code}: no translation of {use.id!r}" for use in missing(strings, used)]
    for text, string in strings.items():
        if text not in used:
            wrong.append(f"no rule says {text!r} any more")
        elif string and set(_KEPT.findall(text)) != set(_KEPT.findall(string)):
            wrong.append(f"{used[text].code}: the names and marked words of {text!r} and of {string!r} differ")
    return wrong


def _strings(language: str, root: Path) -> tuple[dict[str, str], list[str]]:
    catalog, wrong = catalogue.translations(language, root, "rules")
    return {str(message.id): str(message.string) for message in catalog if message.id}, wrong


def main(arguments: list[str]) -> int:
    """The commands `check` and `missing`; 1 where something is found, 2 for an unknown command."""
    if arguments not in (["check"], ["missing"]):
        sys.stderr.write("rule_catalogue.py check | missing\n")
        return 2
    found: list[str] = []
    for language in catalogue.LANGUAGES:
        if arguments == ["check"]:
            found += problems(language)
        else:
            strings, _wrong = _strings(language, catalogue.ROOT)
            found += [use.entry for use in missing(strings, {use.id: use for use in uses()})]
    sys.stdout.write("".join(line + "\n" for line in found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
