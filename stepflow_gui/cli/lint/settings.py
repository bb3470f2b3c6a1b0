"""`stepflow lint --show-settings FILE`: the settings for a file, and where each value comes from."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from stepflow_gui.cli.registries import collect_registries, path_problem, read_problem_text
from stepflow_gui.cli.streams import print_error, write_bytes
from stepflow_gui.formats.climpt.eras import OTHER_RUNNERS, era_for
from stepflow_gui.lint.config.config import Config, Configs
from stepflow_gui.lint.config.fields import CONFIG
from stepflow_gui.lint.report.json_text import json_text
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.lint.rules.table import MODULES, name_of, rule_module
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder

if TYPE_CHECKING:
    from stepflow_gui.project.finding.takt_releases import Evidence

DONE, TROUBLE = 0, 2


class Value(NamedTuple):
    """A setting with its value, as JSON has it, and its origin."""

    name: str
    value: Any
    origin: str


def show_settings(path: Path, configs: Configs, *, as_json: bool) -> int:
    """Print the settings of a file; 2 if it can't be read or the configuration can't be applied."""
    problem = path_problem(path)
    if problem:
        print_error(f"stepflow lint: {read_problem_text(problem)}")
        return TROUBLE
    gathered = collect_registries([path], configs)
    agent = gathered.agents[0] if gathered.agents else None
    file = agent.registry.path if agent else Path(os.path.normpath(path.absolute()))
    config = configs.of(file)
    shown = _Settings(config, file, agent)
    values = [*shown.values(), *shown.rules()]
    folder = Path.cwd()
    if as_json:
        settings = {value.name: {"value": value.value, "origin": value.origin} for value in values}
        report = {"file": shown_path(file, folder), "config": _path_of(config, folder), "settings": settings}
        write_bytes(json_text(report, indent=2) + "\n")
    else:
        print(_("Settings for {file}").format(file=printable(shown_path(file, folder))))
        print(_("Configuration: {file}").format(file=printable(_path_of(config, folder) or _("none"))))
        for value in values:
            print(printable(f"{value.name} = {json_text(value.value)}  ({value.origin})"))
    for each in config.problems:
        line = "" if each.line is None else f":{each.line}"
        print_error(f"stepflow lint: {shown_path(each.file, folder)}{line}: {each.message}")
    for line in gathered.complaints:
        print_error(f"stepflow lint: {line}")
    return TROUBLE if config.problems or gathered.complaints else DONE


def _path_of(config: Config, folder: Path) -> str | None:
    return shown_path(config.file.path, folder) if config.file else None


class _Settings:
    def __init__(self, config: Config, registry: Path, agent: AgentFolder | None) -> None:
        self.config = config
        self.registry = registry
        self.agent = agent
        self.format_id = agent.format if agent else None

    def values(self) -> Iterator[Value]:
        """The keys of the configuration with their values, then what they come to for this file."""
        for field in CONFIG.fields:
            if field.name in {"runtime", "format"}:
                continue
            if field.name in self.config.values:
                yield Value(field.name, _plain(self.config.values[field.name]), self._line(field.name))
            else:
                yield Value(field.name, field.default, _("default"))
        yield Value("format", self.format_id, self._origin("format", _("detected from the file")))
        yield self._runtime()
        if self.agent is not None and self.format_id == "takt":
            runtime = self.config.runtime(self.registry, self.format_id)
            yield self._releases(self.agent, runtime)

    def _releases(self, agent: AgentFolder, runtime: str | None) -> Value:
        from stepflow_gui.formats.takt.releases.sets import named
        from stepflow_gui.project.finding.takt_releases import releases_of_piece

        found = releases_of_piece(self.registry, agent.registry.tree, runtime)
        origin = _("detected from the file")
        if found.narrowed_by:
            origin = _("detected from the file and {sources}").format(sources=_sources(found.narrowed_by))
        if found.against:
            origin = _("{origin}, against {sources}").format(origin=origin, sources=_sources(found.against))
        return Value("releases", named(found.releases) or None, origin)

    def _runtime(self) -> Value:
        runtime = self.config.runtime(self.registry, self.format_id)
        if self.agent is None or self.format_id != "takt":
            era = era_for(self.format_id or "", runtime)
            return Value("runtime", era.name, self._origin("runtime", _("default of the format")))
        # None stands for all releases that the file is for: naming one of them can find more, or less.
        if runtime is not None and runtime.startswith(OTHER_RUNNERS):
            return Value("runtime", runtime, self._origin("runtime", _("default")))
        return Value("runtime", None, _("default"))

    def rules(self) -> Iterator[Value]:
        """Each rule for files of the format: its severity, or off."""
        for code in MODULES:
            rule = rule_module(code).RULE
            if rule.applies_to(self.format_id):
                verdict = self.config.choice.verdict(code, [self.registry])
                level = (verdict.severity or rule.severity) if verdict.on else "off"
                yield Value(f"{code} {name_of(code)}", level, verdict.origin or _("default"))

    def _origin(self, name: str, otherwise: str) -> str:
        if getattr(self.config.options, name):
            return {"format": "--registry-format", "runtime": "--runtime"}[name]
        for each in reversed(self.config.per_path):
            if name in each.values and each.meets(self.registry) and self._applies(each.values[name]):
                return self._line("per-path", each.number, name)
        if name in self.config.values and self._applies(self.config.values[name]):
            return self._line(name)
        return otherwise

    def _applies(self, value: Any) -> bool:
        return not isinstance(value, dict) or self.format_id in value

    def _line(self, *keys: str | int) -> str:
        assert self.config.file
        return f"{self.config.file.path.name}:{self.config.file.line(*keys)}"


def _sources(evidence: "Iterable[Evidence]") -> str:
    return _(", ").join(each.source for each in evidence)


def _plain(value: Any) -> Any:
    """A value of TOML as JSON has it: days become texts."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)
