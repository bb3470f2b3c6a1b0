"""What the configuration and the command line wish for a run, made into settings for one registry."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from stepflow_gui.formats.climpt.vocabulary import REGISTRY_FORMATS
from stepflow_gui.lint.closest_name import nearest
from stepflow_gui.lint.config.file import ConfigFile, ConfigProblem, find_config, read_config, with_guess
from stepflow_gui.lint.config.globs import Glob
from stepflow_gui.lint.config.selecting import Level, RuleSelection, SelectionLayer, nearest_rule, selector_meant
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.suppressions.suppressing import Suppression
from stepflow_gui.messages import _
from stepflow_gui.text.document import TextFile
from stepflow_gui.text.pointer import split
from stepflow_gui.text.source import Source, Span


class Options(NamedTuple):
    """What a command line wishes; it goes before the configuration. Selectors are in their plain form."""

    select: Sequence[str] | None = None
    extend: Sequence[str] = ()
    ignore: Sequence[str] = ()
    runtime: str | None = None
    format: str | None = None
    file: Path | None = None  # the configuration to take instead of the nearest
    isolated: bool = False  # no configuration is looked for


class ConfigPattern(NamedTuple):
    """A pattern of a configuration: which it is, and where it is."""

    glob: Glob
    document: TextFile
    span: Span

    @property
    def text(self) -> str:
        """The pattern as written."""
        return self.glob.text


class PathSettings(NamedTuple):
    """Settings for some files."""

    number: int  # among those of the configuration, from 0
    globs: Sequence[Glob]
    values: Mapping[str, Any]
    wishes: SelectionLayer

    def meets(self, file: Path) -> bool:
        """Whether they are for a file."""
        return any(glob.meets(file) for glob in self.globs)


class Config:
    """The configuration of a folder, as far as it is valid. `file` is None if there is none."""

    __slots__ = ("choice", "file", "options", "patterns", "per_path", "problems", "suppressions", "values")

    def __init__(self, found: ConfigFile | ConfigProblem | None, options: Options) -> None:
        self.options = options
        self.file = found if isinstance(found, ConfigFile) else None
        self.problems = list(self.file.problems) if self.file else [found] if isinstance(found, ConfigProblem) else []
        self.values: Mapping[str, Any] = self.file.values if self.file else {}
        self.patterns: list[ConfigPattern] = []
        self.per_path: list[PathSettings] = []
        self.suppressions: list[Suppression] = []
        layers: list[SelectionLayer] = []
        if self.file:
            reading = _Meaning(self.file)
            layers.append(reading.wishes(self.values))
            reading.runtimes(self.values)
            self.per_path = list(reading.per_path(self.values.get("per-path") or []))
            self.suppressions = list(reading.suppressions(self.values.get("suppress") or []))
            self.patterns = reading.patterns
            self.problems = sorted(self.problems + reading.problems, key=lambda problem: problem.line or 0)
        self.choice = RuleSelection(_in_order(layers, self.per_path, options))

    def settings(self, registry: Path, format_id: str | None) -> LintSettings:
        """The settings for a registry."""
        return LintSettings(
            self.runtime(registry, format_id),
            fallback_keys=self.fallback_keys,
            choice=self.choice,
            suppressions=self.suppressions,
        )

    @property
    def fallback_keys(self) -> frozenset[str]:
        """Keys of prompts that are known besides the built-in ones."""
        return frozenset(key for key in self.values.get("fallback-keys") or [] if key)

    def runtime(self, registry: Path, format_id: str | None) -> str | None:
        """The era that a registry is judged by; None: its format's default."""
        if self.options.runtime:
            return self.options.runtime
        for values in self._values_for(registry):
            found = values.get("runtime")
            found = found.get(format_id) if isinstance(found, dict) else found
            if isinstance(found, str):
                return found
        return None

    def format(self, registry: Path) -> str | None:
        """The format that a registry is read as; None: detected from the file itself."""
        if self.options.format:
            return self.options.format
        return next((values["format"] for values in self._values_for(registry) if values.get("format")), None)

    @property
    def strict(self) -> bool:
        """Whether warnings fail a run."""
        return bool(self.values.get("strict"))

    @property
    def baseline(self) -> Path | None:
        """The file of known findings."""
        named = self.values.get("baseline")
        return self.file.path.parent / named if named and self.file else None

    def _values_for(self, registry: Path) -> Iterator[Mapping[str, Any]]:
        """What may hold for a registry, what goes before first."""
        yield from (each.values for each in reversed(self.per_path) if each.meets(registry))
        yield self.values


def _in_order(
    base: Iterable[SelectionLayer], paths: Iterable[PathSettings], options: Options
) -> Iterator[SelectionLayer]:
    """The layers, later ones going before: `--select` starts over, and only what is off for some files stays off."""
    yield from base
    if options.select is not None:
        yield SelectionLayer("--select", select=options.select)
    for each in paths:
        wishes = each.wishes._replace(paths=each.meets)
        yield wishes if options.select is None else wishes._replace(extend=())
    yield SelectionLayer("--extend-select", extend=options.extend)
    yield SelectionLayer("--ignore", ignore=options.ignore)


class _Meaning:
    """Reads the accepted values of a file: selectors, patterns, suppressions."""

    def __init__(self, file: ConfigFile) -> None:
        self.file = file
        self.patterns: list[ConfigPattern] = []
        self.problems: list[ConfigProblem] = []

    def wishes(self, values: Mapping[str, Any], *keys: str | int) -> SelectionLayer:
        return SelectionLayer(
            self.file.path.name,
            select=self.selectors(values["select"], *keys, "select") if "select" in values else None,
            extend=self.selectors(values.get("extend-select") or [], *keys, "extend-select"),
            ignore=self.selectors(values.get("ignore") or [], *keys, "ignore"),
            severity=self.severities(values.get("severity") or {}, *keys, "severity"),
        )

    def selectors(self, words: Iterable[str | None], *keys: str | int) -> list[str]:
        found = []
        for index, word in enumerate(words):
            if word is None:
                continue
            meant = selector_meant(word)
            if meant is None:
                self.complain(unknown_rule(word), *keys, index)
            else:
                found.append(meant)
        return found

    def severities(self, levels: Mapping[str, Level], *keys: str | int) -> dict[str, Level]:
        found = {}
        for word, level in levels.items():
            meant = selector_meant(word)
            if meant is None:
                self.complain(unknown_rule(word), *keys, word)
            else:
                found[meant] = level
        return found

    def runtimes(self, values: Mapping[str, Any], *keys: str | int) -> None:
        """Complain of formats that don't exist."""
        by_format = values.get("runtime")
        for word in by_format if isinstance(by_format, dict) else ():
            if word not in (*REGISTRY_FORMATS, "takt"):
                text = _("there is no format “{word}”").format(word=word)
                self.complain(with_guess(text, nearest(word, (*REGISTRY_FORMATS, "takt"))), *keys, "runtime", word)

    def per_path(self, tables: Iterable[Mapping[str, Any] | None]) -> Iterator[PathSettings]:
        for index, values in enumerate(tables):
            if values is None:
                continue
            texts = [(number, text) for number, text in enumerate(values["paths"]) if text]
            if not values["paths"]:
                self.complain(_("“paths” names no files: what is set here has no effect"), "per-path", index, "paths")
            self.runtimes(values, "per-path", index)
            globs = [self.glob(text, "per-path", index, "paths", number) for number, text in texts]
            yield PathSettings(index, globs, values, self.wishes(values, "per-path", index))

    def suppressions(self, tables: Iterable[Mapping[str, Any] | None]) -> Iterator[Suppression]:
        for index, values in enumerate(tables):
            if values is None:
                continue
            made = Suppression(dict(values), self.file.document, self.file.span("suppress", index))
            if made.fault == "no-code":
                text = _("{key} has no “{field}”").format(key=_("“{word}”").format(word="suppress"), field="code")
                self.complain(text, "suppress", index)
                continue
            if made.fault:
                text = (
                    unknown_rule(made.fault_about)
                    if made.fault == "unknown-code"
                    else _("“until” must be a date such as 2030-12-31, and is “{text}”").format(text=made.fault_about)
                )
                self.complain(text, "suppress", index, "code" if made.fault == "unknown-code" else "until")
                continue
            made.step = values.get("step")
            made.pointer = values.get("pointer")
            if made.pointer and not _is_pointer(made.pointer):
                self.complain(_("a JSON Pointer begins with “/”"), "suppress", index, "pointer")
                continue
            if values.get("path"):
                made.files = self.glob(values["path"], "suppress", index, "path")
            yield made

    def glob(self, text: str, *keys: str | int) -> Glob:
        glob = Glob(text, self.file.path.parent)
        self.patterns.append(ConfigPattern(glob, self.file.document, self.file.span(*keys)))
        return glob

    def complain(self, message: str, *keys: str | int) -> None:
        line = self.file.document.source.position(self.file.span(*keys).start).line
        self.problems.append(ConfigProblem(self.file.path, line, message))


class Configs:
    """The configurations of a run, each read once."""

    def __init__(self, options: Options | None = None, unsaved: Mapping[Path, Source] | None = None) -> None:
        self._options = options or Options()
        self._unsaved = unsaved or {}
        self._written = [path for path, source in self._unsaved.items() if source.text]
        self._by_folder: dict[Path, Config] = {}
        self._by_file: dict[Path, Config] = {}
        self._read: dict[Path, ConfigFile | ConfigProblem | None] = {}

    def of(self, file: Path) -> Config:
        """The configuration that holds for a file (an absolute path)."""
        folder = file.parent
        if folder not in self._by_folder:
            found = self._found(folder)
            path = found.path if isinstance(found, ConfigFile) else found.file if found else None
            config = self._by_file.get(path) if path else None
            self._by_folder[folder] = config or Config(found, self._options)
            if path:
                self._by_file[path] = self._by_folder[folder]
        return self._by_folder[folder]

    def all(self) -> list[Config]:
        """Those that were asked for, each once."""
        return list({id(config): config for config in self._by_folder.values()}.values())

    def _found(self, folder: Path) -> ConfigFile | ConfigProblem | None:
        if self._options.file is not None:
            path = self._options.file
            return self._reading(path) or ConfigProblem(path, None, _("there is no table [tool.stepflow] in it"))
        return None if self._options.isolated else find_config(folder, self._reading, self._written)

    def _reading(self, path: Path) -> ConfigFile | ConfigProblem | None:
        if path not in self._read:
            self._read[path] = read_config(path, self._unsaved.get(path))
        return self._read[path]


def unknown_rule(word: str) -> str:
    """That a selector means no rule, and what was probably meant."""
    return with_guess(_("there is no rule “{word}”").format(word=word), nearest_rule(word))


def _is_pointer(text: str) -> bool:
    try:
        split(text)
    except ValueError:
        return False
    return True
