"""A new agent from a template: what would be written where, what speaks against it, and the writing."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.project.creating.templates import Template
from stepflow_gui.project.files import Files
from stepflow_gui.project.finding.choosing import AGENTS
from stepflow_gui.project.finding.locate import marked_root
from stepflow_gui.text.files.new_files import FilesCreated, FilesNotCreated, make_files
from stepflow_gui.text.files.store import Saved, SaveFailed, save
from stepflow_gui.text.source import Source

_NAME = re.compile(r"[a-z][a-z0-9-]*")
_LONGEST = 64  # characters of a name: with the other parts of a path it has to stay below the system's limit
_TAKEN = frozenset({"climpt", "con", "prn", "aux", "nul"})  # the prompt engine's own folder, and names Windows keeps


class NewAgentRefusal(NamedTuple):
    """Why nothing can be written, and which of the answers is to blame."""

    about: Literal["name", "title", "folder"]
    message: str


class NewAgentPlan(NamedTuple):
    """What would be written: new files, by path; and which of them is opened then."""

    template: Template
    folder: Path  # of the project
    name: str
    files: Mapping[Path, str]
    opened: Path


class ConfigEdit(NamedTuple):
    """A new text for a configuration file, in the project's folder; `before` is None where there is none yet."""

    path: Path
    before: Source | None
    text: str


def project_folder(folder: Path) -> Path:
    """The folder that `.agent` is in, or comes into: the one given, unless it lies in a project's `.agent` itself."""
    folder = Path(os.path.normpath(folder.absolute()))
    above = [each for each in (folder, *folder.parents) if each.name == AGENTS]
    return above[-1].parent if above else folder


def title_for(name: str) -> str:
    """A name for people, from an agent's name."""
    return " ".join(word.capitalize() for word in name.split("-") if word)


def free_name(template: Template, folder: Path) -> str:
    """The name that a template proposes, with a number where the folder has such an agent."""
    number = 1
    while True:
        name = template.name if number == 1 else f"{template.name}-{number}"
        if not isinstance(want(template, folder, name), NewAgentRefusal) or number == 100:
            return name
        number += 1


def want(template: Template, folder: Path, name: str, title: str | None = None) -> NewAgentPlan | NewAgentRefusal:
    """What a template would write for a name. Looks at the disk and writes nothing."""
    against = _against_name(name) or _against_title(title or "")
    if against is not None:
        return against
    root = project_folder(folder)
    there = _nearest(root)
    if not there.is_dir():
        return NewAgentRefusal("folder", _("“{path}” is a file, not a folder").format(path=there))
    project = Files(root, {})
    files: dict[Path, str] = {}
    for relative, text in template.files(name, title or title_for(name)).items():
        path = root / relative
        files[path] = text
        if not project.inside(path):
            outside = _("“{path}” would lie outside “{folder}”: a folder in its path is a link")
            return NewAgentRefusal("folder", outside.format(path=relative, folder=root))
    return _against_what_is_there(files, root, name) or NewAgentPlan(
        template, root, name, files, root / template.opened(name)
    )


def make(wanted: NewAgentPlan, config: ConfigEdit | None = None) -> FilesCreated | FilesNotCreated:
    """Write all of it or nothing; nothing that is there is written over but the text of the configuration."""
    texts = dict(wanted.files)
    project = marked_root(wanted.opened) or wanted.folder
    before = config.before if config else None
    if config is None or before is None:
        if config is not None:
            texts[config.path] = config.text
        return make_files(_encoded(texts), project)
    after = before.with_text(config.text)
    saved = save(config.path, after, before, project)
    if not isinstance(saved, Saved):
        return FilesNotCreated(
            config.path, saved.reason if isinstance(saved, SaveFailed) else _("it was changed meanwhile")
        )
    made = make_files(_encoded(texts), project)
    if isinstance(made, FilesNotCreated):
        save(config.path, before, after)
        return made
    return FilesCreated((*made.paths, config.path))


def _encoded(texts: Mapping[Path, str]) -> dict[Path, bytes]:
    return {path: text.encode("utf-8") for path, text in texts.items()}


def _against_name(name: str) -> NewAgentRefusal | None:
    if not name:
        return NewAgentRefusal("name", _("An agent needs a name"))
    if not _NAME.fullmatch(name):
        text = _("The name has to begin with a lower-case letter and consist of lower-case letters, digits and hyphens")
        return NewAgentRefusal("name", text)
    if len(name) > _LONGEST:
        return NewAgentRefusal("name", _("The name is longer than {count} characters").format(count=_LONGEST))
    if name in _TAKEN:
        return NewAgentRefusal("name", _("“{name}” can't be an agent's name: it is reserved").format(name=name))
    return None


def _against_title(title: str) -> NewAgentRefusal | None:
    if title.isprintable():
        return None
    return NewAgentRefusal("title", _("The display name has to be one line of readable characters"))


def _nearest(folder: Path) -> Path:
    """The folder, or the nearest above it that is there."""
    return next(each for each in (folder, *folder.parents) if os.path.lexists(each))


def _against_what_is_there(files: Mapping[Path, str], root: Path, name: str) -> NewAgentRefusal | None:
    own = root / AGENTS / name
    if any(path.is_relative_to(own) for path in files) and os.path.lexists(own) and not _is_empty(own):
        return NewAgentRefusal("name", _("An agent “{name}” already exists").format(name=name))
    taken = next((path for path in files if os.path.lexists(path)), None)
    if taken is not None:
        path = taken.relative_to(root)
        return NewAgentRefusal("name", _("The file “{path}” already exists").format(path=path.as_posix()))
    return None


def _is_empty(folder: Path) -> bool:
    try:
        return folder.is_dir() and not any(folder.iterdir())
    except OSError:
        return False
