"""The templates that come with Stepflow: which there are, and their texts for a name.

A template is a folder of `resources/templates`: `template.toml` describes it, `files` holds what is written below
the project's folder. `@name@` and `@title@` are replaced by the names, in paths `@name@` too. Texts rewritten for
Japanese are in `files.ja`; the texts of the other files are translated by `ja.toml`, beside the templates.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources.abc import Traversable
from typing import NamedTuple

from stepflow_gui.bundled import resource
from stepflow_gui.messages import language

NAME, TITLE = "@name@", "@title@"
_SAID = re.compile(
    r"""("(?:name|description)": "|^title: )([^"\n]+)("?)""", re.MULTILINE
)  # in JSON, and a test's title
_QUOTED = (".json", ".yaml")  # where a title is between double quotes


class TemplateText(NamedTuple):
    """What a person reads of a template, in one language."""

    title: str
    text: str


class Template:
    """What can be created: an agent, or anything else that one file opens."""

    __slots__ = ("_about", "_opened", "format", "id", "name", "order", "runtime")

    def __init__(self, template_id: str, values: Mapping[str, object]) -> None:
        self.id = template_id
        self.order = int(str(values["order"]))
        self.format = str(values["format"])
        self.runtime = str(values.get("runtime", ""))  # the era that its files follow; "": detected from them
        self.name = str(values["name"])  # the one that is proposed
        self._opened = str(values["open"])
        self._about = {
            key: TemplateText(str(part["title"]), str(part["about"]))
            for key, part in values.items()
            if isinstance(part, dict)
        }

    @property
    def about(self) -> TemplateText:
        """What it is, in the language in use."""
        return self._about.get(language()) or self._about["en"]

    def opened(self, name: str) -> str:
        """The file that is opened of what is made, relative to the project's folder."""
        return self._opened.replace(NAME, name)

    def files(self, name: str, title: str) -> dict[str, str]:
        """The texts by path relative to the project's folder, in order. `name` must be one that needs no escaping."""
        made = {}
        for path, text in _texts(self.id, language()):
            shown = json.dumps(title, ensure_ascii=False)[1:-1] if path.endswith(_QUOTED) else title
            made[path.replace(NAME, name)] = text.replace(NAME, name).replace(TITLE, shown)
        return made


@cache
def templates() -> tuple[Template, ...]:
    """All of them, the simplest first."""
    found = [
        Template(folder.name, tomllib.loads(folder.joinpath("template.toml").read_text("utf-8")))
        for folder in resource("templates").iterdir()
        if folder.joinpath("template.toml").is_file()
    ]
    return tuple(sorted(found, key=lambda template: template.order))


def template_of(template_id: str) -> Template | None:
    """The template of an id."""
    return next((template for template in templates() if template.id == template_id), None)


@cache
def _texts(template_id: str, spoken: str) -> tuple[tuple[str, str], ...]:
    """The files by path, in a language where they are there in it, else in English."""
    files = dict(_below(resource("templates", template_id, "files"), ""))
    own = resource("templates", template_id, f"files.{spoken}")
    translated = dict(_below(own, "")) if own.is_dir() else {}
    words = _words(spoken)
    return tuple((path, translated.get(path) or _in_words(text, words)) for path, text in sorted(files.items()))


@cache
def _words(spoken: str) -> Mapping[str, str]:
    file = resource("templates", f"{spoken}.toml")
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


def _in_words(text: str, words: Mapping[str, str]) -> str:
    return _SAID.sub(lambda found: found[1] + words.get(found[2], found[2]) + found[3], text) if words else text


def _below(folder: Traversable, path: str) -> Iterator[tuple[str, str]]:
    for child in folder.iterdir():
        if child.is_dir():
            yield from _below(child, f"{path}{child.name}/")
        else:
            yield path + child.name, child.read_text("utf-8")
