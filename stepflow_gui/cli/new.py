"""`stepflow new`: an agent from a template."""

import os
from collections.abc import Sequence
from pathlib import Path

from stepflow_gui.cli.parser import Parser, add_language
from stepflow_gui.cli.streams import print_error
from stepflow_gui.cli.wrapping import wrapped
from stepflow_gui.lint.closest_name import nearest
from stepflow_gui.lint.config.file import with_guess
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _
from stepflow_gui.project.creating.new_agent import NewAgentRefusal, free_name, make, want
from stepflow_gui.project.creating.templates import template_of, templates
from stepflow_gui.project.finding.locate import REGISTRY
from stepflow_gui.text.files.new_files import FilesNotCreated

DONE, TROUBLE = 0, 2
NAME = "stepflow new"
_WIDTH = 88


def main(arguments: Sequence[str]) -> int:
    """Run it: 0, or 2 where nothing was written."""
    options = make_parser().read(arguments)
    if options.list:
        print("\n".join(_listed()))
        return DONE
    if options.template is None:
        return _trouble(_("missing argument: TEMPLATE"), _("Run “stepflow new --list” for a list."))
    return _make(options.template, Path(options.folder), options.name, options.title)


def make_parser() -> Parser:
    """The options of `stepflow new`."""
    parser = Parser(
        NAME,
        _("Create an agent from a template: registry, agent.json, schemas, prompts and a script that runs it."),
    )
    parser.words.add_argument(
        "template", nargs="?", metavar=_("TEMPLATE"), help=_("the template; --list shows all of them")
    )
    parser.words.add_argument(
        "folder",
        nargs="?",
        default=".",
        metavar=_("FOLDER"),
        help=_("the project's folder; the agent is created in its .agent folder (default: the current folder)"),
    )
    parser.options.add_argument("--name", metavar=_("NAME"), help=_("set the agent's name, which is also its folder's"))
    parser.options.add_argument("--title", metavar=_("TEXT"), help=_("set the agent's display name"))
    parser.options.add_argument("--list", action="store_true", help=_("list the templates and exit"))
    add_language(parser)
    return parser


def _listed() -> list[str]:
    lines = []
    for template in templates():
        about = template.about
        lines += [f"{template.id}: {about.title}", *(f"    {line}" for line in wrapped(about.text, _WIDTH))]
    return lines


def _make(template_id: str, folder: Path, name: str | None, title: str | None) -> int:
    from stepflow_gui.lint.config.runtime_setting import setting_for

    template = template_of(template_id)
    if template is None:
        return _unknown(template_id)
    wanted = want(template, folder, template.name if name is None else name, title)
    if isinstance(wanted, NewAgentRefusal):
        if name is not None or wanted.about != "name":
            return _trouble(wanted.message)
        free = free_name(template, folder)
        return _trouble(wanted.message, _("Choose another with --name: “{name}” is free.").format(name=free))
    setting = setting_for(wanted)
    created = make(wanted, setting.edit)
    if isinstance(created, FilesNotCreated):
        return _trouble(_("{path}: can't be written ({reason})").format(path=created.path, reason=created.reason))
    here = Path.cwd()
    for path in created.paths:
        print(shown_path(path, here))
    if setting.hint:
        print(printable(setting.hint))
    opened = wanted.opened.parent if wanted.opened.name == REGISTRY else wanted.opened
    print(_("Open it: {command}").format(command=f"stepflow {_word(opened, here)}"))
    return DONE


def _word(path: Path, here: Path) -> str:
    from shlex import quote

    return quote(os.fspath(shown_path(path, here)))


def _unknown(word: str) -> int:
    ids = [template.id for template in templates()]
    text = with_guess(_("unknown template “{word}”").format(word=word), nearest(word, ids))
    return _trouble(text, _("Run “stepflow new --list” for a list."))


def _trouble(message: str, advice: str | None = None) -> int:
    print_error(f"{NAME}: {printable(message)}")
    if advice is not None:
        print_error(advice)
    return TROUBLE
