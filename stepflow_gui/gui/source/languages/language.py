"""Which language a file of the source panel is in: its colours, and what comes in pairs."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from stepflow_gui.formats.climpt.vocabulary import REGISTRY_FORMATS
from stepflow_gui.gui.source.languages.json_lexer import Lex, json_parts, no_parts, schema_parts
from stepflow_gui.gui.source.languages.pairs import Pairs
from stepflow_gui.gui.source.languages.prompt_lexer import prompt_lexer
from stepflow_gui.gui.source.languages.toml_lexer import toml_parts
from stepflow_gui.gui.source.languages.yaml_lexer import yaml_parts
from stepflow_gui.lint.config.fields import CONFIG
from stepflow_gui.lint.config.file import NAMES
from stepflow_gui.lint.rules.table import MODULES, name_of
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.assist.names import Name
from stepflow_gui.project.assist.toml_completion import TomlTable
from stepflow_gui.project.assist.variables import steps_showing, variables_of

Language = Literal["json", "schema", "yaml", "toml", "prompt", "other"]
_OF_RULES = frozenset(("select", "extend-select", "ignore", "severity", "code"))
_PROJECT = NAMES[-1]


def language_of(agent: AgentFolder, path: Path) -> Language:
    """The language of a file of an agent, by its name and by what the agent uses it for."""
    own = {agent.registry.path, agent.layout_file, agent.agent_document.path if agent.agent_document else None}
    match path.suffix:
        case ".json":
            return "json" if path in own else "schema"
        case ".yaml" | ".yml":
            return "yaml"
        case ".toml":
            return "toml"
        case ".md":
            return "prompt"
    return "other"


def lexer_of(agent: AgentFolder, path: Path) -> tuple[object, Lex]:
    """How the lines of a file are taken apart, and what that depends on: the same as long as that is equal."""
    language = language_of(agent, path)
    if language == "prompt":
        known = frozenset(each.name for each in variables_of(agent, steps_showing(agent, path)))
        return (language, known), prompt_lexer(known)
    lexers: dict[Language, Lex] = {
        "json": json_parts,
        "schema": schema_parts,
        "toml": toml_parts,
        "yaml": yaml_parts,
    }
    return language, lexers.get(language, no_parts)


def pairs_of(agent: AgentFolder, path: Path) -> Pairs:
    """What comes in pairs in a file: in JSON, YAML and TOML brackets and quotes, in texts for people nothing."""
    match language_of(agent, path):
        case "json" | "schema":
            return Pairs(json_parts, '{["')
        case "yaml":
            return Pairs(yaml_parts, "{[\"'")
        case "toml":
            return Pairs(toml_parts, "{[\"'")
    return Pairs(no_parts)


def config_table(agent: AgentFolder, path: Path) -> TomlTable:
    """The possible values in a configuration: rules, steps and choices of the agent's own."""

    def words(below: tuple[str | int, ...]) -> Iterable[Name]:
        keys = [key for key in below if isinstance(key, str) and key]
        if not keys:
            return []
        if keys[-1] in _OF_RULES:
            return _rules()
        if keys[-1] == "step":
            return [Name(step.id, step.title) for step in agent.flow.steps.values()]
        return [Name(known) for known in REGISTRY_FORMATS] if below[-1] == "" and keys[-1] == "runtime" else []

    return TomlTable(CONFIG, ("tool", "stepflow") if path.name == _PROJECT else (), words)


def is_config(path: Path) -> bool:
    """Whether a file is a configuration of the linter."""
    return path.name in NAMES


def _rules() -> Iterator[Name]:
    return (Name(code, name_of(code)) for code in MODULES)
