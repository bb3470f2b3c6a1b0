"""What a configuration has to contain so that a new registry is judged by the runner that it was written for."""

from pathlib import Path
from typing import NamedTuple

from stepflow_gui.formats.climpt.eras import era_for
from stepflow_gui.lint.config.config import Config, Options
from stepflow_gui.lint.config.file import NAMES, ConfigFile, ConfigProblem, find_config, read_config
from stepflow_gui.messages import _
from stepflow_gui.project.creating.new_agent import ConfigEdit, NewAgentPlan

_NEW = NAMES[1]
_PYPROJECT = NAMES[-1]


class Setting(NamedTuple):
    """`edit` is what is to be written, None: nothing. `hint` is what the person has to see to."""

    edit: ConfigEdit | None = None
    hint: str | None = None


def setting_for(wanted: NewAgentPlan) -> Setting:
    """What the registry of a new agent needs. A configuration outside the project's folder is left alone."""
    template, registry = wanted.template, wanted.opened
    if not template.runtime:
        return Setting()
    found = find_config(registry.parent)
    if found is None:
        return Setting(ConfigEdit(wanted.folder / _NEW, None, _new(template.format, template.runtime)))
    if isinstance(found, ConfigProblem):
        return Setting(hint=_hint(found.file, wanted))
    now = Config(found, Options()).runtime(registry, template.format)
    if era_for(template.format, now).name == template.runtime:
        return Setting()
    if not found.path.is_relative_to(wanted.folder):
        return Setting(hint=_hint(found.path, wanted))
    return _added(found, wanted)


def _new(format_id: str, runtime: str) -> str:
    head = _("The runtime that Stepflow uses for the registries of this project")
    return f'# {head}\nruntime = {{ {format_id} = "{runtime}" }}\n'


def _added(found: ConfigFile, wanted: NewAgentPlan) -> Setting:
    """Settings for the new files alone, at the end. Only a text that then means what it should is proposed."""
    before = found.document.source
    line = "\r\n" if "\r\n" in before.text else "\n"
    table = "tool.stepflow.per-path" if found.path.name == _PYPROJECT else "per-path"
    place = wanted.opened.parent.relative_to(found.path.parent).as_posix()
    lines = [f"[[{table}]]", f'paths = ["{place}/**"]', f'runtime = "{wanted.template.runtime}"', ""]
    start = before.text if not before.text or before.text.endswith("\n") else before.text + line
    text = start + (line if start else "") + line.join(lines)
    after = read_config(found.path, before.with_text(text))
    if isinstance(after, ConfigFile) and len(after.problems) == len(found.problems):
        meant = Config(after, Options()).runtime(wanted.opened, wanted.template.format)
        if meant == wanted.template.runtime:
            return Setting(ConfigEdit(found.path, before, text))
    return Setting(hint=_hint(found.path, wanted))


def _hint(path: Path, wanted: NewAgentPlan) -> str:
    text = _("{file} is unchanged. The new agent needs the runtime “{runtime}”: set it there for {path}.")
    place = wanted.opened.parent.relative_to(wanted.folder).as_posix()
    return text.format(file=path, runtime=wanted.template.runtime, path=place)
