"""The options of `stepflow test`."""

from argparse import Namespace
from collections.abc import Sequence

from stepflow_gui.cli.parser import AGENT, Parser, UsageError, ValueType, add_color, add_language
from stepflow_gui.cli.run.options import add_agent, add_commands, add_max_iterations, add_no_prompts, add_runtime
from stepflow_gui.messages import _
from stepflow_gui.run.scripts.coverage import KINDS
from stepflow_gui.run.takt.scripts.piece_coverage import PIECE_KINDS

NAME = "stepflow test"


def make_parser() -> Parser:
    """The options of `stepflow test`, in groups by what they apply to."""
    parser = Parser(
        NAME, _("Run the scripts in the flow_tests folder of an agent, or in flow_tests/NAME beside a TAKT piece.")
    )
    add_agent(parser)
    options = parser.options
    options.add_argument("--only", metavar=_("PATTERN"), help=_("run only scripts whose name contains this text"))
    add_runtime(options)
    options.add_argument("-q", "--quiet", action="store_true", help=_("print only failures and the summary"))
    options.add_argument("--coverage", action="store_true", help=_("list what no script covers"))
    options.add_argument(
        "--coverage-min",
        type=ValueType(
            _minimum,
            lambda: _("steps, edges, validators or rules with a percentage from 0 to 100, such as edges=100"),
        ),
        action="append",
        default=[],
        metavar=_("KIND=PERCENT"),
        help=_(
            "fail if less of the steps, edges or validators is covered (of a piece: steps or rules), such as edges=100;"
            " can be repeated"
        ),
    )
    add_color(parser)
    agents = parser.add_only(AGENT)
    agents.add_argument("--junit", metavar=_("FILE"), help=_("write the results to this file as JUnit XML"))
    add_max_iterations(agents)
    add_no_prompts(agents)
    add_commands(agents)
    add_language(parser)
    parser.epilog = _(
        "Exit code: 0 if all scripts passed, 1 if one failed or too little is covered, 2 if they couldn't be run, 130"
        " after Ctrl-C."
    )
    return parser


def minimums_of(options: Namespace, kinds: Sequence[str]) -> dict[str, float]:
    """How much is to be covered at least, by its kind. Raises `UsageError` for a kind that doesn't exist."""
    unknown = next((kind for kind, _percent in options.coverage_min if kind not in kinds), None)
    if unknown is not None:
        text = _("--coverage-min: no “{kind}” are counted here, but {kinds}")
        raise UsageError(text.format(kind=unknown, kinds=_(", ").join(kinds)))
    return dict(options.coverage_min)


def _minimum(text: str) -> tuple[str, float]:
    name, _equals, number = text.partition("=")
    percent = float(number)
    if name not in {*KINDS, *PIECE_KINDS} or not 0 <= percent <= 100:
        raise ValueError
    return name, percent
