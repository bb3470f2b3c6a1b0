"""The command `stepflow`: finds the subcommand, and reports every error without a traceback."""

import gc
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from types import TracebackType

from stepflow_gui import __version__
from stepflow_gui.cli.parser import Parser, add_language
from stepflow_gui.cli.streams import drop_output, prepare_streams, print_error, show_trace
from stepflow_gui.messages import _, choose_language, use_language

USAGE_ERROR = 2
INTERRUPTED = 130  # 128 + SIGINT, as shells have it
FROM_GIT = "GIT_DIFF_PATH_COUNTER"  # git sets it for an external diff, whose command it takes for one word
GIT_WORDS = (1, 7, 9)  # for a file in conflict, a changed one, a renamed one
PIPE_CLOSED = 141  # 128 + SIGPIPE


class Subcommand:
    """A subcommand: its line of the help, and its module, whose `main(arguments)` gives the exit code.

    `make_parser()` of `options`, which is the same module where none is named, gives its parser. The modules are loaded
    when they are needed.
    """

    __slots__ = ("module", "options", "summary")

    def __init__(self, module: str, summary: Callable[[], str], options: str | None = None) -> None:
        self.module = module
        self.options = options or module
        self.summary = summary  # asked when it is shown, in the language in use then

    def run(self, arguments: Sequence[str]) -> int:
        """Run it."""
        code = import_module(f"stepflow_gui.cli.{self.module}").main(arguments)
        assert isinstance(code, int)
        return code

    def parser(self) -> Parser:
        """Its parser, with texts in the language in use."""
        parser = import_module(f"stepflow_gui.cli.{self.options}").make_parser()
        assert isinstance(parser, Parser)
        return parser


COMMANDS = {
    "gui": Subcommand("gui", lambda: _("open agents in the window")),
    "new": Subcommand("new", lambda: _("create an agent from a template")),
    "lint": Subcommand("lint.command", lambda: _("check registries, TAKT pieces and their files"), "lint.options"),
    "diff": Subcommand("diff.command", lambda: _("show differences between two flows, or since a git revision")),
    "convert": Subcommand(
        "convert.command",
        lambda: _("convert an agent to another format, or a piece to another release"),
        "convert.options",
    ),
    "export": Subcommand(
        "export.command", lambda: _("write the graph as a picture, a diagram or a report"), "export.options"
    ),
    "run": Subcommand(
        "run.command", lambda: _("run an agent or a piece: scripted, random, by a model or manually"), "run.options"
    ),
    "test": Subcommand(
        "flow_tests.command", lambda: _("run the scripts in an agent's flow_tests folder"), "flow_tests.options"
    ),
    "coverage": Subcommand("coverage", lambda: _("count what the logs of real runs went through")),
    "trust": Subcommand("trust", lambda: _("allow or forbid running a project's commands")),
    "explain": Subcommand("explain", lambda: _("explain a rule, or an error code of the runner")),
    "rules": Subcommand("rules", lambda: _("list the rules")),
    "demo": Subcommand("demo", lambda: _("show the bundled example")),
    "completion": Subcommand("completion", lambda: _("print a script that completes commands and options in a shell")),
    "help": Subcommand("help", lambda: _("show the help of a command")),
}


def command_like(word: str) -> str | None:
    """The command that was probably meant by a mistyped word; None where none is alike."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, COMMANDS, n=1, cutoff=0.7)), None)


def unknown_command(word: str) -> str:
    """What is wrong with a word that should have been a command."""
    from stepflow_gui.lint.config.file import with_guess

    return with_guess(_("unknown command “{command}”").format(command=word), command_like(word))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit code. `arguments` are without the program's name."""
    if arguments is None:  # a process of its own: what loads stays, so a small run needs no collection
        gc.set_threshold(200_000)
    words = list(sys.argv[1:] if arguments is None else arguments)
    prepare_streams()
    use_language(choose_language(_wished_language(words)))
    last = _LastResort()
    with last:
        try:
            last.code = _dispatch(words)
        except SystemExit as stop:  # argparse ends so, for --help as well as for a usage error
            last.code = stop.code if isinstance(stop.code, int) else USAGE_ERROR
        sys.stdout.flush()
    return last.code


def _dispatch(words: list[str]) -> int:
    front, rest = _front_options(words)
    options = top_parser().read(front)
    language = ["--lang", options.lang] if options.lang else []
    if not rest:
        return COMMANDS["gui"].run(language)
    if rest[0] in COMMANDS and rest[0] != "gui":  # the window shows it itself
        _settle_saves()
    if os.environ.get(FROM_GIT) and len(rest) in GIT_WORDS:
        return COMMANDS["diff"].run([*language, "--", *rest])
    if rest[0] in COMMANDS:
        return COMMANDS[rest[0]].run([*language, *rest[1:]])
    if not re.search(r"[./\\]", rest[0]) and not os.path.lexists(rest[0]):  # a word, not a path
        print_error(f"stepflow: {unknown_command(rest[0])}")
        print_error(_("Run “stepflow help” for a list."))
        return USAGE_ERROR
    return COMMANDS["gui"].run([*language, *rest])


def _settle_saves() -> None:
    from stepflow_gui.project.save_journal import settle_saves, settled_text  # --version and --help go without

    for settled in settle_saves():
        print_error(f"stepflow: {settled_text(settled)}")


def _front_options(words: list[str]) -> tuple[list[str], list[str]]:
    """The options before the first word that is none, and the rest."""
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] not in {"-", "--"}:
        at += 2 if words[at] == "--lang" else 1
    return words[:at], words[at:]


def _wished_language(words: list[str]) -> str | None:
    """The value of `--lang`, wherever it is: the help texts need it before the options are read."""
    for at, word in enumerate(words):
        if word == "--":
            break
        if word == "--lang":
            return words[at + 1] if at + 1 < len(words) else None
        if word.startswith("--lang="):
            return word.partition("=")[2]
    return None


def top_parser(*, commands: bool = True) -> Parser:
    """The parser of what precedes a command; `commands`: whether its help lists them."""
    parser = Parser(
        "stepflow",
        _("Edit, check, run and debug agents that are declared as step registries or TAKT pieces."),
        usage=_("stepflow [options] [PATH | COMMAND …]"),
    )
    listed = parser.add_argument_group(_("Commands"), _("A path without a command opens the window on it."))
    for name, command in COMMANDS.items() if commands else ():
        listed.add_argument(dest=name, help=command.summary(), nargs="?", metavar=name)
    parser.options.add_argument(
        "--version", action="version", version=f"{parser.prog} {__version__}", help=_("print the version and exit")
    )
    add_language(parser)
    parser.epilog = _("Run “stepflow help COMMAND” for the options of a command.")
    return parser


class _LastResort(AbstractContextManager[None]):
    """One line instead of a traceback. `code` is the exit code, also of what ends here."""

    def __init__(self) -> None:
        self.code = 0

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if isinstance(error, KeyboardInterrupt):
            self.code = INTERRUPTED
        elif isinstance(error, BrokenPipeError):  # whoever read the output has had enough
            self.code = PIPE_CLOSED
            drop_output()
        elif isinstance(error, FileNotFoundError) and error.filename is None:
            self.code = USAGE_ERROR
            print_error(_("stepflow: the current folder no longer exists"))
        elif isinstance(error, OSError) and error.filename is None:  # of standard output: a full disk
            self.code = USAGE_ERROR
            from stepflow_gui.text.files.store import reason_of

            drop_output()
            print_error(_("stepflow: the output can't be written ({reason})").format(reason=reason_of(error)))
        elif isinstance(error, Exception):
            self.code = USAGE_ERROR
            _report_bug(error)
        else:
            return error is None
        return True


def _report_bug(error: Exception) -> None:
    show_trace(error)
    print_error(
        _("stepflow: internal error: {error}. Set STEPFLOW_DEBUG=1 for details").format(
            error=f"{type(error).__name__}: {error}"
        )
    )
