"""The message catalogue while it is built: `compile` writes the `.mo`, `check` compares it with the code.

`resources/locale/<language>/<room>.po` hold the translations, a file a room, merged into one catalogue a language.
Those of the rules' docs, `rules_<family>.po`, make a second one, which `rule_catalogue.py` compares with the rules.
`missing` prints the entries that a language still lacks, ready to be filled in.
"""

import ast
import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("ja",)  # English is in the code
CATALOGUES = ("stepflow", "rules")
LOOK_UPS = {"_": 1, "ngettext": 2}  # function → how many of its first arguments are texts

_PLACEHOLDER = re.compile(r"\{(\w*)[^{}]*\}")


class Use(NamedTuple):
    """A text that the code asks the catalogue for."""

    id: str
    plural: str | None
    file: Path
    line: int


def uses(root: Path = ROOT) -> Iterator[Use]:
    """Every text in the package that goes through the catalogue, in file order."""
    for file, call, texts in _look_ups(root):
        match texts:
            case [ast.Constant(value=str(text))]:
                yield Use(text, None, file, call.lineno)
            case [ast.Constant(value=str(text)), ast.Constant(value=str(plural))]:
                yield Use(text, plural, file, call.lineno)


def unfindable(root: Path = ROOT) -> Iterator[tuple[Path, int]]:
    """File and line of each look-up of something that isn't written out there."""
    for file, call, texts in _look_ups(root):
        if not all(isinstance(text, ast.Constant) and isinstance(text.value, str) for text in texts):
            yield file, call.lineno


@cache
def _look_ups(root: Path) -> list[tuple[Path, ast.Call, list[ast.expr]]]:
    return [
        (file.relative_to(root), node, node.args[: LOOK_UPS[node.func.id]])
        for file in sorted((root / "stepflow_gui").rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in LOOK_UPS
    ]


def translations(language: str, root: Path = ROOT, catalogue: str = "stepflow") -> tuple[Catalog, list[str]]:
    """One of the merged catalogues of a language, and what is wrong inside its files."""
    merged = Catalog(locale=language, domain=catalogue, fuzzy=False)
    wrong: list[str] = []
    for file in sorted((root / "resources" / "locale" / language).glob("*.po")):
        if file.name.startswith("rules_") != (catalogue == "rules"):
            continue
        with file.open("rb") as stream:
            part = read_po(stream, locale=language, abort_invalid=True)
        entries = [message for message in part if message.id]
        if len(entries) < len(re.findall(r'^msgid +"(?!"\n(?!"))', file.read_text("utf-8"), re.MULTILINE)):
            wrong.append(f"{file.name}: an id appears twice")
        for message in entries:
            known = merged.get(_singular(message))
            if known is not None and known.string != message.string:
                wrong.append(f"{file.name}: another room translates {_singular(message)!r} differently")
            merged.add(message.id, message.string)
    return merged, wrong


def compile_catalogue(root: Path = ROOT) -> None:
    """Write the catalogues below `LC_MESSAGES` of each language."""
    for language, catalogue in product(LANGUAGES, CATALOGUES):
        catalog, wrong = translations(language, root, catalogue)
        if wrong:
            sys.exit("\n".join(wrong))
        target = root / "resources" / "locale" / language / "LC_MESSAGES" / f"{catalogue}.mo"
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_suffix(f".{os.getpid()}")
        with fresh.open("wb") as stream:
            write_mo(stream, catalog)
        fresh.replace(target)  # at once: a program that runs meanwhile reads the old or the new one


def problems(language: str, root: Path = ROOT) -> list[str]:
    """What keeps the catalogue and the code from fitting together, a line each."""
    catalog, wrong = translations(language, root)
    used: dict[str, Use] = {use.id: use for use in uses(root)}
    wrong += [f"{use.file}:{use.line}: no translation of {use.id!r}" for use in missing(catalog, used)]
    for message in catalog:
        if not message.id:
            continue
        use = used.get(_singular(message))
        if use is None:
            wrong.append(f"nothing asks for {_singular(message)!r} any more")
        elif use.plural != (message.id[1] if isinstance(message.id, tuple) else None):
            wrong.append(f"{use.file}:{use.line}: the plural of {use.id!r} differs in the translation")
        for text in _strings(message):
            if _placeholders(text) != _placeholders(_singular(message), *_ids(message)[1:]):
                wrong.append(f"the placeholders of {_singular(message)!r} and of its translation {text!r} differ")
    return wrong


def missing(catalog: Catalog, used: dict[str, Use]) -> list[Use]:
    """The texts without a translation."""
    found = ((use, catalog.get(use.id)) for use in used.values())
    return [use for use, message in found if message is None or not all(_strings(message))]


def _singular(message: Message) -> str:
    return _ids(message)[0]


def _ids(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def _strings(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def _placeholders(*texts: str) -> set[str]:
    return {name for text in texts for name in _PLACEHOLDER.findall(text.replace("{{", "").replace("}}", ""))}


def quoted(text: str) -> str:
    """The text as a po file holds it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _entry(use: Use) -> str:
    if use.plural is None:
        return f'#: {use.file}:{use.line}\nmsgid {quoted(use.id)}\nmsgstr ""\n'
    plural = f"msgid_plural {quoted(use.plural)}"
    return f'#: {use.file}:{use.line}\nmsgid {quoted(use.id)}\n{plural}\nmsgstr[0] ""\n'


def main(arguments: list[str]) -> int:
    """The commands `compile`, `check` and `missing`; 1 where the check finds something, 2 for an unknown command."""
    if arguments == ["compile"]:
        compile_catalogue()
        return 0
    found: list[str] = []
    if arguments == ["check"]:
        found = [line for language in LANGUAGES for line in problems(language)]
    elif arguments == ["missing"]:
        used = {use.id: use for use in uses()}
        found = [_entry(use) for language in LANGUAGES for use in missing(translations(language)[0], used)]
    else:
        sys.stderr.write("catalogue.py compile | check | missing\n")
        return 2
    sys.stdout.write("".join(line + "\n" for line in found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
