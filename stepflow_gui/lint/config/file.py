"""The configuration file of a folder: where it is, what it holds, and what in it is invalid."""

import os
import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from stepflow_gui.formats.fields import Shape
from stepflow_gui.lint.closest_name import nearest
from stepflow_gui.lint.config.choices import choice_names, nearest_choice
from stepflow_gui.messages import _
from stepflow_gui.text.document import TextFile
from stepflow_gui.text.files.store import ReadProblem, read
from stepflow_gui.text.source import Source, Span

if TYPE_CHECKING:
    from stepflow_gui.text.toml_places import TomlPlaces

Keys = tuple[str | int, ...]
NAMES = (".stepflow.toml", "stepflow.toml", "pyproject.toml")
_AT_LINE = re.compile(r"at line (\d+)")
_INK = re.compile(r"^[ \t]*[^\s#]", re.MULTILINE)


class ConfigProblem(NamedTuple):
    """What is invalid in a configuration file, and in which line; None if it doesn't concern a line."""

    file: Path
    line: int | None
    message: str


class ConfigFile:
    """A file as read: `values` are the valid ones, `problems` report the others."""

    __slots__ = ("_places", "_prefix", "document", "problems", "values")

    def __init__(self, document: TextFile, prefix: Keys = ()) -> None:
        self.document = document
        self.problems: list[ConfigProblem] = []
        self.values: dict[str, Any] = {}
        self._prefix = prefix
        self._places: TomlPlaces | None = None

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self.document.path

    def span(self, *keys: str | int) -> Span:
        """Where a value stands."""
        return self._read_places().value((*self._prefix, *keys))

    def line(self, *keys: str | int) -> int:
        """In which line a key stands, from 1."""
        return self.document.source.position(self._read_places().key((*self._prefix, *keys)).start).line

    def complain(self, message: str, *keys: str | int) -> None:
        """Note what is invalid, and where it is."""
        line = self.document.source.position(self.span(*keys).start).line
        self.problems.append(ConfigProblem(self.path, line, message))

    def _read_places(self) -> "TomlPlaces":
        if self._places is None:
            from stepflow_gui.text.toml_places import TomlPlaces  # only what is in the file has a place

            self._places = TomlPlaces(self.document.source.text)
        return self._places


def find_config(
    folder: Path, reading: "Reading | None" = None, unsaved: Collection[Path] = ()
) -> "ConfigFile | ConfigProblem | None":
    """The configuration of a folder: the nearest upward. A pyproject.toml without `[tool.stepflow]` is passed over.

    `reading` may give what was read before; files of `unsaved` count as if they were there.
    """
    for above in (folder, *folder.parents):
        for name in NAMES:
            path = above / name
            if path in unsaved or os.path.lexists(path):
                found = (reading or read_config)(path)
                if found is not None:
                    return found
    return None


def read_config(path: Path, unsaved: Source | None = None) -> ConfigFile | ConfigProblem | None:
    """A configuration file, or its text that isn't saved yet; None for a pyproject.toml that holds none."""
    source = unsaved or read(path)
    if isinstance(source, ReadProblem):
        return ConfigProblem(path, None, _unread(source))
    is_pyproject = path.name == NAMES[-1]
    if is_pyproject and "stepflow" not in source.text:
        return None
    document = TextFile(path, source)
    if not _INK.search(source.text):  # nothing but comments: it only marks the project's root
        return ConfigFile(document)
    import tomllib  # slow to load, and most projects have no such file

    try:
        table: Any = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        from stepflow_gui.text.toml_errors import toml_error_text

        text = toml_error_text(str(error))
        return ConfigProblem(path, _line_of(str(error), source), _("not TOML: {error}").format(error=text))
    except RecursionError:
        return ConfigProblem(path, None, _("it is nested too deeply"))
    except ValueError:  # from 4,300 digits on
        return ConfigProblem(path, None, _("a number in it is too long"))
    if not is_pyproject:
        return _checked(ConfigFile(document), table)
    tools = table.get("tool")
    table = tools.get("stepflow") if isinstance(tools, dict) else None
    return None if table is None else _checked(ConfigFile(document, ("tool", "stepflow")), table)


Reading = Callable[[Path], ConfigFile | ConfigProblem | None]


def _unread(problem: ReadProblem) -> str:
    if problem.kind == "not-utf8":
        return _("not UTF-8 text")
    return _("can't be read ({reason})").format(reason=why_unread(problem))


def why_unread(problem: ReadProblem) -> str:
    """Why a file can't be read, in a few words."""
    match problem.kind:
        case "missing":
            return _("file not found")
        case "folder":
            return _("it is a folder")
        case "not-utf8":
            return _("not UTF-8 text")
    return problem.detail


def _line_of(error: str, source: Source) -> int | None:
    found = _AT_LINE.search(error)
    if found:
        return int(found[1])
    return source.line_count if "end of document" in error else None


def _checked(file: ConfigFile, table: Any) -> ConfigFile:
    from stepflow_gui.lint.config.fields import CONFIG

    if isinstance(table, dict):
        file.values = dict(_members(file, CONFIG, table, ()))
    else:
        file.complain(_("“tool.stepflow” must be a table"))
    return file


_REFUSED = object()


def _value(file: ConfigFile, shape: Shape, value: Any, keys: Keys) -> Any:
    """The valid part of a value; _REFUSED if there is none."""
    if shape.kind == "any":
        return value
    if shape.kind == "either":
        shape = next((each for each in shape.either if _fits(each, value)), shape.either[0])
    if not _fits(shape, value):
        return _refuse(file, shape, keys)
    if shape.choices and value not in shape.choices:
        text = _("{key} can't be “{value}”; it is one of {choices}").format(
            key=_name(keys), value=value, choices=", ".join(choice_names(shape.choices))
        )
        file.complain(with_guess(text, nearest_choice(value, shape.choices)), *keys)
        return _REFUSED
    if value == "" and keys[-1] != "reason":  # of that SF093 speaks
        file.complain(_("{key} is empty").format(key=_name(keys)), *keys)
        return _REFUSED
    if shape.kind == "list" and shape.of:
        items = [_item(file, shape, item, (*keys, index)) for index, item in enumerate(value)]
        return [None if item is _REFUSED else item for item in items]
    if shape.kind == "map" and shape.of:
        inner = {key: _value(file, shape.of, below, (*keys, key)) for key, below in value.items()}
        return {key: below for key, below in inner.items() if below is not _REFUSED}
    if shape.kind == "object":
        before = len(file.problems)
        missing = [field.name for field in shape.fields if field.need == "load" and field.name not in value]
        for name in missing:
            file.complain(_("{key} has no “{field}”").format(key=_name(keys), field=name), *keys)
        members = dict(_members(file, shape, value, keys))
        if keys[0] == "suppress" and len(file.problems) > before:
            return _REFUSED  # without what narrows it down it would hide more than was meant
        needed = [field.name for field in shape.fields if field.need == "load"]
        return members if all(name in members for name in needed) else _REFUSED
    return value


def _item(file: ConfigFile, shape: Shape, item: Any, keys: Keys) -> Any:
    """The valid part of an item of a list; where texts are wanted, the whole list is named."""
    of = shape.of or shape
    return _refuse(file, shape, keys) if of.kind == "string" and not _fits(of, item) else _value(file, of, item, keys)


def _members(file: ConfigFile, shape: Shape, table: dict[str, Any], keys: Keys) -> Iterator[tuple[str, Any]]:
    known = {field.name: field.shape for field in shape.fields}
    for key, value in table.items():
        if key not in known:
            text = _("unknown key “{key}”").format(key=key)
            file.complain(with_guess(text, nearest(key, known)), *keys, key)
            continue
        accepted = _value(file, known[key], value, (*keys, key))
        if accepted is not _REFUSED:
            yield key, accepted


_TYPES: dict[str, type] = {"string": str, "boolean": bool, "list": list, "map": dict, "object": dict}


def _fits(shape: Shape, value: Any) -> bool:
    return isinstance(value, _TYPES[shape.kind])


def _refuse(file: ConfigFile, shape: Shape, keys: Keys) -> Any:
    text = _("{key} must be {expected}").format(key=_name(keys), expected=_expected(shape, keys))
    file.complain(text, *keys)
    return _REFUSED


def _expected(shape: Shape, keys: Keys) -> str:
    """The expected value, in TOML's words."""
    from stepflow_gui.lint.rules.document.json_types import expectation

    if shape.kind in ("map", "object"):
        return _("a table")
    if shape.kind == "list" and shape.of and shape.of.kind == "object":
        return _("a list of tables, each headed [[{name}]]").format(name=keys[-1])
    return expectation(shape)


def _name(keys: Keys) -> str:
    """The key that a message is about, numbers left out."""
    return _("“{word}”").format(word=".".join(key for key in keys if isinstance(key, str)))


def with_guess(text: str, meant: str | None) -> str:
    """A message, with what was probably meant."""
    return text + _(". Did you mean “{meant}”?").format(meant=meant) if meant else text
