"""The options of `stepflow lint`."""

from argparse import Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path

from stepflow_gui.cli.parser import Parser, add_language
from stepflow_gui.formats.climpt.vocabulary import REGISTRY_FORMATS
from stepflow_gui.formats.runtimes import RUNTIMES
from stepflow_gui.lint.config.config import Options, unknown_rule
from stepflow_gui.lint.config.selecting import selector_meant
from stepflow_gui.lint.report.table import DEFAULT, FORMATS
from stepflow_gui.messages import _

STDIN = "-"
_NAMES = ("--config", "--baseline", "--write-baseline", "--output-file", "--show-settings", "--stdin-filename")


def read_options(arguments: Sequence[str]) -> Namespace:
    """The options, checked; exits if they are invalid."""
    parser = _parser()
    options = parser.parse_args(arguments)
    for name in ("select", "extend_select", "ignore"):
        setattr(options, name, _selectors(parser, getattr(options, name)))
    options.fixing = options.fix or options.fix_only or options.unsafe_fixes or options.diff
    for option in _NAMES:
        if getattr(options, option.strip("-").replace("-", "_")) == "":
            parser.error(_("{option} wants a value").format(option=option))
    if "" in options.paths:
        parser.error(_("a path is empty"))
    if options.paths.count(STDIN) > 1:
        parser.error(_("standard input can be read once"))
    if options.stdin_filename and Path(options.stdin_filename).is_dir():
        parser.error(_("--stdin-filename names a folder: {path}").format(path=options.stdin_filename))
    if STDIN in options.paths and options.fixing and not options.diff:
        parser.error(_("what is read from standard input can't be fixed in place; --diff shows the changes"))
    if options.stdin_filename and STDIN not in options.paths:
        parser.error(_("--stdin-filename goes with the path “-”"))
    if options.watch and (STDIN in options.paths or options.fixing or options.write_baseline):
        parser.error(_("--watch doesn't go with standard input, fixes or --write-baseline"))
    if options.jobs is not None and options.jobs < 1:
        parser.error(_("--jobs wants a number from 1"))
    if options.write_baseline and options.fixing:
        parser.error(_("--write-baseline doesn't go with fixes"))
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


def _parser() -> Parser:
    parser = Parser("stepflow lint", _("Check registries and the agent.json, schemas and prompts around them."))
    parser.words.add_argument(
        dest="paths",
        nargs="*",
        metavar=_("PATH"),
        help=_(
            "registries, folders to search for them (default: the current folder), or files that belong to some; - is"
            " standard input"
        ),
    )
    _add_files(parser)
    _add_rules(parser)
    _add_fixes(parser)
    _add_output(parser)
    add_language(parser)
    parser.epilog = _(
        "Exit code: 0 without errors, 1 with errors (or warnings under --strict, or changes under --diff), 2 where"
        " something could not be looked at or heeded, 130 after Ctrl-C."
    )
    return parser


def _add_files(parser: Parser) -> None:
    group = parser.add_argument_group(_("Which files"))
    group.add_argument(
        "--since",
        metavar=_("REVISION"),
        help=_("only registries of which a file differs from this git revision, or is new"),
    )
    group.add_argument(
        "--if-owned", action="store_true", help=_("pass over files that belong to no registry, as hooks hand them over")
    )
    group.add_argument(
        "--jobs",
        type=int,
        metavar=_("NUMBER"),
        help=_("how many processes lint many registries (default: one for each processor)"),
    )
    group.add_argument("--watch", action="store_true", help=_("lint again whenever a file changes, until Ctrl-C"))


def _add_rules(parser: Parser) -> None:
    group = parser.add_argument_group(_("Which rules"))
    for option, text in (
        ("--select", _("only these rules: codes, beginnings of codes as SF2, names, or ALL")),
        ("--extend-select", _("these rules besides")),
        ("--ignore", _("not these rules")),
    ):
        group.add_argument(option, action="append", metavar=_("RULES"), help=text)
    group.add_argument(
        "--runtime",
        choices=RUNTIMES,
        metavar=_("RUNNER"),
        help=_("the runner that findings are about, or guide; takt-0.27, takt-0.12..0.35"),
    )
    group.add_argument(
        "--registry-format",
        choices=REGISTRY_FORMATS,
        metavar=_("FORMAT"),
        help=_("read registries as of this format instead of telling it from the file"),
    )
    group.add_argument("--config", metavar=_("FILE"), help=_("take this configuration, not the nearest one"))
    group.add_argument("--isolated", action="store_true", help=_("take no configuration"))
    group.add_argument("--baseline", metavar=_("FILE"), help=_("leave out the findings that this file holds"))
    group.add_argument("--write-baseline", metavar=_("FILE"), help=_("write all findings to this file and end"))
    group.add_argument(
        "--show-settings", metavar=_("FILE"), help=_("show what holds for a file, and where that is said; lint nothing")
    )


def _add_fixes(parser: Parser) -> None:
    group = parser.add_argument_group(_("Fixes"))
    group.add_argument("--fix", action="store_true", help=_("apply the fixes that are safe, then report the rest"))
    group.add_argument(
        "--unsafe-fixes", action="store_true", help=_("apply suggestions too, of several the first; implies --fix")
    )
    group.add_argument("--fix-only", action="store_true", help=_("apply fixes and report nothing"))
    group.add_argument("--diff", action="store_true", help=_("show what fixes would change, and change nothing"))


def _add_output(parser: Parser) -> None:
    group = parser.add_argument_group(_("Output"))
    group.add_argument(
        "--format",
        choices=FORMATS,
        default=DEFAULT,
        metavar=_("FORMAT"),
        help=_("what the report looks like: {formats} (default: full)").format(formats=", ".join(FORMATS)),
    )
    group.add_argument("--output-file", metavar=_("FILE"), help=_("write the report to this file"))
    group.add_argument("--statistics", action="store_true", help=_("count the findings of each rule, with its time"))
    group.add_argument("--strict", action="store_true", help=_("let warnings fail the run as errors do"))
    group.add_argument("--exit-zero", action="store_true", help=_("end with 0 whatever is found"))
    group.add_argument(
        "--stdin-filename", metavar=_("FILE"), help=_("which file standard input is (default: steps_registry.json)")
    )
