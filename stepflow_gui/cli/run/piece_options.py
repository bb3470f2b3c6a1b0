"""The options of `stepflow run` for a TAKT piece or workflow."""

from argparse import Namespace
from collections.abc import Sequence

from stepflow_gui.cli.parser import Parser, add_language
from stepflow_gui.cli.run.options import amount
from stepflow_gui.formats.takt.runners import RUNNERS
from stepflow_gui.messages import _


def read_piece_options(arguments: Sequence[str]) -> Namespace:
    """The options; ends with exit code 2 where they are wrong."""
    parser = Parser(
        "stepflow run", _("Run a TAKT piece, answered by a script, by chance or by hand; nothing is written.")
    )
    parser.words.add_argument("piece", metavar=_("PIECE"), help=_("the YAML file of a piece or workflow"))
    who = parser.add_argument_group(
        _("Who answers (by hand in a terminal, if nobody is chosen)")
    ).add_mutually_exclusive_group()
    who.add_argument("--script", metavar=_("FILE"), help=_("a script: JSON or YAML"))
    who.add_argument("--replay", metavar=_("FILE"), help=_("a trace; says where the run parts from it"))
    who.add_argument("--random", type=int, metavar=_("N"), help=_("chance, in N runs"))
    who.add_argument("--explore", action="store_true", help=_("everything: each rule of each movement"))
    who.add_argument("--anthropic", action="store_true", help=_("a model, by the Messages API; this costs money"))
    options = parser.options
    options.add_argument(
        "--max-cost", type=amount, metavar=_("USD"), help=_("ask no model any more after so many US dollars")
    )
    options.add_argument("--yes", action="store_true", help=_("agree to what --anthropic costs without being asked"))
    options.add_argument("--seed", type=int, default=0, metavar=_("S"), help=_("the seed of --random (default 0)"))
    options.add_argument("--task", default=None, metavar=_("TEXT"), help=_("what {task} stands for"))
    options.add_argument("--entry", metavar=_("MOVEMENT"), help=_("begin at this movement"))
    options.add_argument(
        "--era",
        choices=tuple(RUNNERS),
        metavar=_("ERA"),
        help=_("the runner that is imitated: {eras}").format(eras=", ".join(RUNNERS)),
    )
    options.add_argument("--trace", metavar=_("FILE"), help=_("write the trace of the run"))
    options.add_argument(
        "--max-iterations", type=int, metavar=_("N"), help=_("the limit of iterations, in place of the piece's")
    )
    options.add_argument("--interactive", action="store_true", help=_("a person is there: rules for them alone count"))
    options.add_argument("--prompts", action="store_true", help=_("show every prompt as it is put together"))
    options.add_argument("--json", action="store_true", help=_("what --explore finds as JSON"))
    options.add_argument("--quiet", "-q", action="store_true", help=_("say only how it ended"))
    add_language(parser)
    return parser.parse_args(arguments)
