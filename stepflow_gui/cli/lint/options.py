"""The options of `stepflow lint`."""

from argparse import Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path

from stepflow_gui.cli.parser import Parser, add_color, add_language, integer
from stepflow_gui.formats.climpt.vocabulary import REGISTRY_FORMATS
from stepflow_gui.formats.runtimes import RUNTIMES
from stepflow_gui.lint.config.config import Options, unknown_rule
from stepflow_gui.lint.config.selecting import selector_meant
from stepflow_gui.lint.report.table import DEFAULT, FORMATS
from stepflow_gui.messages import _

STDIN = "-"
_NAMES = ("--config", "--baseline", "--write-baseline", "--output", "--show-settings", "--stdin-filename")


def read_options(arguments: Sequence[str]) -> Namespace:
    """The options, checked; exits if they are invalid."""
    parser = make_parser()
    options = parser.read(arguments)
    for name in ("select", "extend_select", "ignore"):
        setattr(options, name, _selectors(parser, getattr(options, name)))
    options.fixing = options.fix or options.fix_only or options.unsafe_fixes or options.diff
    for option in _NAMES:
        if getattr(options, option.strip("-").replace("-", "_")) == "":
            parser.error(_("{option} needs a value").format(option=option))
    if "" in options.paths:
        parser.error(_("a path must not be empty"))
    if options.paths.count(STDIN) > 1:
        parser.error(_("standard input can only be read once"))
    if options.stdin_filename and Path(options.stdin_filename).is_dir():
        parser.error(_("--stdin-filename must name a file; {path} is a folder").format(path=options.stdin_filename))
    if STDIN in options.paths and options.fixing and not options.diff:
        parser.error(_("standard input can't be fixed in place; use --diff to show the changes"))
    if options.stdin_filename and STDIN not in options.paths:
        parser.error(_("--stdin-filename needs the path “-”"))
    if options.watch and (STDIN in options.paths or options.fixing or options.write_baseline):
        parser.error(_("--watch can't be used with standard input, fixes or --write-baseline"))
    if options.write_baseline and options.fixing:
        parser.error(_("--write-baseline can't be used with fixes"))
    return options


def lint_options(options: Namespace) -> Options:
    """What the options set over the configuration."""
    return Options(
        select=options.select or None,
        extend=options.extend_select,
        ignore=options.ignore,
        runtime=options.runtime,
        format=options.registry_format,
        file=Path.cwd() / options.config if options.config else None,
        isolated=options.isolated,
    )


def _selectors(parser: Parser, given: Iterable[str] | None) -> list[str]:
    found = []
    for word in (word.strip() for words in given or () for word in words.split(",")):
        meant = selector_meant(word)
        if meant is None:
            parser.error(unknown_rule(word))
        found.append(meant)
    return found


def make_parser() -> Parser:
    """The options of `stepflow lint`."""
    parser = Parser(
        "stepflow lint",
        _("Check registries and TAKT pieces, and the schemas, prompts and other files that belong to them."),
    )
    parser.words.add_argument(
        dest="paths",
        nargs="*",
        metavar=_("PATH"),
        help=_(
            "registries, folders to search (default: the current folder), or files that belong to a registry; - is"
            " standard input"
        ),
    )
    _add_files(parser)
    _add_rules(parser)
    _add_fixes(parser)
    _add_output(parser)
    add_color(parser)
    add_language(parser)
    parser.epilog = _(
        "Exit code: 0 without errors, 1 with errors (with --strict also warnings, with --diff changes), 2 if a file"
        " could not be read or a setting could not be applied, 130 after Ctrl-C."
    )
    return parser


def _add_files(parser: Parser) -> None:
    group = parser.add_argument_group(_("Files"))
    group.add_argument(
        "--since",
        metavar=_("REVISION"),
        help=_("check only registries with files changed since this git revision"),
    )
    group.add_argument(
        "--if-owned", action="store_true", help=_("skip files that belong to no registry (for pre-commit)")
    )
    group.add_argument(
        "--jobs",
        type=integer(1),
        metavar=_("N"),
        help=_("set the number of processes that check many registries (default: one per processor)"),
    )
    group.add_argument("--watch", action="store_true", help=_("check again whenever a file changes, until Ctrl-C"))


def _add_rules(parser: Parser) -> None:
    group = parser.add_argument_group(_("Rules"))
    for option, text in (
        ("--select", _("enable only these rules: codes, code prefixes (SF2), names, or ALL")),
        ("--extend-select", _("enable these rules too")),
        ("--ignore", _("disable these rules")),
    ):
        group.add_argument(option, action="append", metavar=_("RULES"), help=text)
    group.add_argument(
        "--runtime",
        choices=RUNTIMES,
        metavar=_("RUNTIME"),
        help=_("check for this runtime: a name or, for TAKT, releases such as takt-0.27 or takt-0.12..0.35"),
    )
    group.add_argument(
        "--registry-format",
        choices=REGISTRY_FORMATS,
        metavar=_("FORMAT"),
        help=_("treat registries as this format instead of detecting it"),
    )
    group.add_argument("--config", metavar=_("FILE"), help=_("use this configuration file instead of the nearest one"))
    group.add_argument("--isolated", action="store_true", help=_("ignore all configuration files"))
    group.add_argument("--baseline", metavar=_("FILE"), help=_("leave out the findings in this baseline"))
    group.add_argument(
        "--write-baseline", metavar=_("FILE"), help=_("write current findings to this baseline and exit")
    )
    group.add_argument(
        "--show-settings", metavar=_("FILE"), help=_("show the settings for a file and where each one is set, and exit")
    )


def _add_fixes(parser: Parser) -> None:
    group = parser.add_argument_group(_("Fixes"))
    group.add_argument("--fix", action="store_true", help=_("apply safe fixes, then report the remaining findings"))
    group.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help=_("also apply unsafe fixes (the first, if there are several); implies --fix"),
    )
    group.add_argument(
        "--fix-only", action="store_true", help=_("apply fixes without reporting the remaining findings")
    )
    group.add_argument(
        "--diff", action="store_true", help=_("show what the fixes would change, without changing any file")
    )


def _add_output(parser: Parser) -> None:
    group = parser.add_argument_group(_("Output"))
    group.add_argument(
        "--format",
        choices=FORMATS,
        default=DEFAULT,
        metavar=_("FORMAT"),
        help=_("print the report as {formats} (default: full)").format(formats=", ".join(FORMATS)),
    )
    group.add_argument("-o", "--output", metavar=_("FILE"), help=_("write the report to this file"))
    group.add_argument("-q", "--quiet", action="store_true", help=_("print nothing if nothing is found"))
    group.add_argument(
        "--statistics", action="store_true", help=_("show the number of findings and the time of each rule")
    )
    group.add_argument("--strict", action="store_true", help=_("exit with 1 for warnings too"))
    group.add_argument("--exit-zero", action="store_true", help=_("exit with 0 even if there are findings"))
    group.add_argument(
        "--stdin-filename",
        metavar=_("FILE"),
        help=_("set the file name of standard input (default: steps_registry.json)"),
    )
