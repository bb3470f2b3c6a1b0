"""`stepflow completion`: a script that completes commands, options and their values in a shell."""

import argparse
from collections.abc import Iterable, Mapping, Sequence

from stepflow_gui.cli.main import COMMANDS, top_parser
from stepflow_gui.cli.parser import Parser, add_language
from stepflow_gui.cli.streams import print_error
from stepflow_gui.messages import _

DONE, TROUBLE = 0, 2
SHELLS = ("bash", "zsh", "fish", "powershell")
NAME = "stepflow completion"


def main(arguments: Sequence[str]) -> int:
    """Run it: 0, or 2 without shtab."""
    shell = make_parser().read(arguments).shell
    try:
        import shtab
    except ImportError:
        print_error(f"{NAME}: " + _("shtab is not installed; install it with “pip install shtab”"))
        return TROUBLE
    script = shtab.complete(_all_commands(), shell)
    print(
        script.replace("complete -o bashdefault ", "complete -o bashdefault -o default ")
    )  # files, for `stepflow PATH`
    return DONE


def make_parser() -> Parser:
    """The options of `stepflow completion`."""
    parser = Parser(NAME, _("Print a script that completes commands, options and their values in a shell."))
    parser.words.add_argument(
        "shell", choices=SHELLS, metavar=_("SHELL"), help=_("the shell: bash, zsh, fish or powershell")
    )
    add_language(parser)
    parser.epilog = _(
        'For bash, add “eval "$(stepflow completion bash)"” to ~/.bashrc. For zsh, save the script as _stepflow in a'
        " folder of $fpath. For fish, save it as ~/.config/fish/completions/stepflow.fish. For PowerShell, add"
        " “stepflow completion powershell | Out-String | Invoke-Expression” to $PROFILE."
    )
    return parser


def _all_commands() -> argparse.ArgumentParser:
    """One parser of all commands, as shtab reads it."""
    import shtab

    files = {_("FILE"): shtab.FILE, _("PATH"): shtab.FILE, _("AGENT"): shtab.FILE, _("FOLDER"): shtab.DIRECTORY}
    words = _known_words()
    parser = top_parser(commands=False)
    commands = parser.add_subparsers(parser_class=argparse.ArgumentParser)
    for name, command in COMMANDS.items():
        made = command.parser()
        for action in (action for section in made.sections for action in section.actions):
            placeholder = str(action.metavar)
            if placeholder in files:
                vars(action)["complete"] = files[placeholder]  # what shtab looks for
            elif action.choices is None:
                action.choices = words.get(placeholder)
        commands.add_parser(name, help=command.summary(), parents=[made], add_help=False)
    return parser


def _known_words() -> Mapping[str, Iterable[str]]:
    """What is completed for placeholders of values that argparse takes as they are."""
    from stepflow_gui.lint.rules.table import MODULES
    from stepflow_gui.project.converting.conversion import TARGETS
    from stepflow_gui.project.converting.pieces import NEWEST
    from stepflow_gui.project.creating.templates import templates

    codes = tuple(MODULES)
    return {
        _("RULE"): codes,
        _("RULES"): codes,
        _("TEMPLATE"): [template.id for template in templates()],
        _("COMMAND"): tuple(COMMANDS),
        _("FORMAT"): (*TARGETS, NEWEST),  # of `convert --to`: all others have choices
    }
