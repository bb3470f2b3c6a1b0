"""`stepflow run PIECE.yaml`: runs a TAKT piece to its end, a line for all that happens."""

import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

from stepflow_gui.cli.parser import Parser, add_language
from stepflow_gui.cli.run.configured import configured_era
from stepflow_gui.cli.run.options import UsageError, amount, report_usage_error
from stepflow_gui.cli.run.unparsable import REFUSED, refuses
from stepflow_gui.formats.takt.runners import EXAMPLE, RUNNER_NAMES, RUNNERS
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.problem_text import describe
from stepflow_gui.run.takt.loading import PieceRefusal
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.state import Event, PieceState, Started
from stepflow_gui.run.takt.opening import piece_in, runner_of
from stepflow_gui.run.takt.session import PieceRun
from stepflow_gui.run.takt.words import end_words, in_its_words, lines_of
from stepflow_gui.text.files.store import ReadProblem, SaveFailed, read
from stepflow_gui.text.source import Source

FINISHED, OTHERWISE = 0, 1
NAME = "stepflow run"
NextEvent = Callable[[PieceMachine, PieceState], Event]


def run_piece(agent: AgentFolder, arguments: Sequence[str]) -> int:
    """Run it: 0 where the piece was completed as expected, 1 where it ended otherwise, 2 for a wrong command line."""
    options = _options(arguments)
    if refuses(agent):
        return REFUSED
    try:
        if options.log:
            from stepflow_gui.cli.run.log import print_log

            return print_log(agent, options)
        return _Running(agent, options).run()
    except UsageError as error:
        return report_usage_error(NAME, error)


def _options(arguments: Sequence[str]) -> Namespace:
    """The options; ends with exit code 2 where they are wrong."""
    parser = Parser(
        "stepflow run", _("Run a TAKT piece, answered by a script, by chance or by hand; nothing is written.")
    )
    parser.words.add_argument("piece", nargs="?", metavar=_("PIECE"), help=_("the YAML file of a piece or workflow"))
    who = parser.add_argument_group(
        _("Who answers (by hand in a terminal, if nobody is chosen)")
    ).add_mutually_exclusive_group()
    who.add_argument("--script", metavar=_("FILE"), help=_("a script: JSON or YAML"))
    who.add_argument("--replay", metavar=_("FILE"), help=_("a trace; says where the run parts from it"))
    who.add_argument(
        "--log", metavar=_("FILE"), help=_("show the log of a real run, and where its rules lead in this piece")
    )
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
        *("--era", "--runtime"),
        choices=RUNNER_NAMES,
        metavar=_("ERA"),
        help=_("the runner that is imitated: {eras}, or a release such as {release}").format(
            eras=", ".join(RUNNERS), release=EXAMPLE
        ),
    )
    options.add_argument(
        "--shadow", choices=RUNNER_NAMES, metavar=_("ERA"), help=_("run along in this era and say where it parts")
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


class _Running:
    def __init__(self, agent: AgentFolder, options: Namespace) -> None:
        self._options = options
        self._agent = agent
        if options.json and not options.explore:
            raise UsageError(_("{option} is for --explore").format(option="--json"))
        if options.trace and (options.explore or (options.random or 0) > 1):
            raise UsageError(_("--trace holds one run; take --random 1 and the --seed of the run"))
        if options.shadow and options.explore:
            raise UsageError(_("--shadow is for runs, not for --explore"))
        self._machine = self._make_machine(options.era, interactive=options.interactive)

    def _make_machine(self, era: str | None, *, interactive: bool) -> PieceMachine:
        options = self._options
        runner = runner_of(self._agent, era or configured_era(self._agent))
        piece = piece_in(self._agent, runner)
        if isinstance(piece, PieceRefusal):
            raise UsageError(f"{self._agent.registry.path}: {piece.message}")
        if options.entry is not None and options.entry not in piece.movements:
            raise UsageError(
                "--entry: " + in_its_words(piece, _("There is no movement “{name}”.")).format(name=options.entry)
            )
        if options.max_iterations is not None:
            if options.max_iterations < 1:
                raise UsageError("--max-iterations: " + _("at least 1"))
            piece = piece._replace(limit=options.max_iterations)
        return PieceMachine(piece, runner, interactive=interactive)

    def run(self) -> int:
        options = self._options
        if options.explore:
            from stepflow_gui.cli.run.piece_explore import explore_piece

            return explore_piece(self._machine, options)
        if options.script:
            return self._run_script(Path(options.script))
        if options.replay:
            return self._run_replay(Path(options.replay))
        if options.random is not None:
            return self._run_random()
        if options.anthropic:
            return self._run_model()
        if sys.stdin is None or not sys.stdin.isatty():
            raise UsageError(_("nobody answers: take --script, --replay, --random, --explore or --anthropic"))
        from stepflow_gui.cli.run.piece_by_hand import run_piece_by_hand

        run = PieceRun(self._machine)
        code = run_piece_by_hand(run, options, lambda shown: self._report(run, shown))
        self._write_trace(run)
        return code

    def _run_script(self, file: Path) -> int:
        from stepflow_gui.run.responders.script import ScriptProblem
        from stepflow_gui.run.takt.scripts.script import read_piece_script
        from stepflow_gui.run.takt.scripts.script_check import misses
        from stepflow_gui.run.takt.scripts.scripted import Scripted

        script = read_piece_script(_text_of(file).text, file.name, self._machine.piece)
        if isinstance(script, ScriptProblem):
            raise UsageError(f"{file}:{script.line}: {script.message}")
        era, interactive = self._options.era or script.era, self._options.interactive or script.interactive
        self._machine = self._make_machine(era, interactive=interactive)
        run = self._run(Scripted(script).next_event, script.task, script.start, script.state)
        wrong = misses(run, script)
        for line in wrong:
            print(printable(f"{file}:{line.line}: {line.message}"))
        if script.expected is not None:
            return OTHERWISE if wrong else FINISHED
        return _exit_code(run)

    def _run_random(self) -> int:
        from stepflow_gui.run.takt.scripts.scripted import Chance

        options = self._options
        if options.random < 1:
            raise UsageError("--random: " + _("at least 1"))
        codes = []
        for seed in range(options.seed, options.seed + options.random):
            if options.random > 1:
                print(_("Seed {seed}").format(seed=seed))
            codes.append(_exit_code(self._run(Chance(seed).next_event, "", None, {})))
        return max(codes)

    def _run(self, next_event: NextEvent, task: str, start: str | None, facts: object) -> PieceRun:
        from stepflow_gui.run.takt.machine.state import Begin
        from stepflow_gui.run.takt.scripts.scripted import drive

        options = self._options
        run = PieceRun(self._machine)
        run.send(Begin(options.task or task, options.entry or start, facts if isinstance(facts, dict) else {}))
        shown = self._report(run, 0)
        for _position in drive(run, next_event):
            shown = self._report(run, shown)
        self._print_end(run)
        self._write_trace(run)
        return run

    def _run_model(self) -> int:
        from stepflow_gui.cli.run.by_model import consent, listener_for, summary_of
        from stepflow_gui.run.effects import NoAnswer
        from stepflow_gui.run.responders.anthropic_settings import SettingsProblem, read_settings
        from stepflow_gui.run.takt.machine.state import Begin
        from stepflow_gui.run.takt.prompts.model_answers import ModelAnswers, models_of

        options = self._options
        settings = read_settings()
        if isinstance(settings, SettingsProblem):
            raise UsageError(settings.message)
        consent(models_of(settings, self._machine.piece), settings, options)
        model = ModelAnswers(settings, listener_for(options, _print), max_cost=options.max_cost)
        run = PieceRun(self._machine)
        run.send(Begin(options.task or "", options.entry))
        shown = self._report(run, 0)
        while run.state.waits != "nothing":
            event = model.next_event(run.machine, run.state)
            if isinstance(event, NoAnswer):
                _print(event.message, summary_of(model.spent))
                self._write_trace(run)
                return OTHERWISE
            run.send(event)
            shown = self._report(run, shown)
        self._print_end(run)
        _print(summary_of(model.spent))
        self._write_trace(run)
        return _exit_code(run)

    def _run_replay(self, file: Path) -> int:
        from stepflow_gui.run.takt.scripts.trace import TraceFault, read_trace, replayed

        trace = read_trace(_text_of(file).text)
        if isinstance(trace, TraceFault):
            raise UsageError(f"{file}:{trace.line}: {trace.message}")
        self._machine = self._make_machine(self._options.era or trace.runner.name, interactive=trace.interactive)
        run = PieceRun(self._machine)
        shown = 0
        for _number in replayed(run, trace):
            shown = self._report(run, shown)
        if run.length < len(trace.events):
            print(_("The run parts from the trace at its event {number}.").format(number=run.length + 1))
            return OTHERWISE
        if run.state.end is None:
            print(_("The trace ends here, the run doesn't."))
            return OTHERWISE
        self._print_end(run)
        self._write_trace(run)
        return _exit_code(run)

    def _write_trace(self, run: PieceRun) -> None:
        """Write the trace, where one is wanted."""
        if not self._options.trace:
            return
        from stepflow_gui.cli.output_file import write_output
        from stepflow_gui.run.takt.scripts.trace import trace_text

        saved = write_output(Path(self._options.trace), trace_text(run))
        if isinstance(saved, SaveFailed):
            text = _("{path}: can't be written ({reason})")
            raise UsageError(text.format(path=self._options.trace, reason=saved.reason))

    def _report(self, run: PieceRun, shown: int) -> int:
        """Print what happened since so many events; gives how many there are."""
        if not self._options.quiet:
            for moment in run.moments[shown:]:
                for each in moment.happened:
                    heads = 1 if isinstance(each, Started) else 0
                    lines = lines_of(run.machine, moment.state, each)
                    _print(*lines[:heads], *("   " + line for line in lines[heads:]))
                if self._options.prompts:
                    self._print_prompts(run, moment.state)
        return run.position

    def _print_prompts(self, run: PieceRun, state: PieceState) -> None:
        from stepflow_gui.run.takt.prompts.prompt_builder import compose

        for call in run.machine.calls(state)[:1]:
            prompt = compose(run.machine, state, call)
            if prompt.system is not None:
                _print(f"--- {_('Persona')}", *prompt.system.splitlines())
            left = [f"--- {prompt.left}"] if prompt.left else []
            _print(f"--- {call.task}, {call.kind}", *prompt.text.splitlines(), *left, "---")

    def _print_end(self, run: PieceRun) -> None:
        end = run.state.end
        print(
            printable(
                end_words(end, run.machine.piece_at(run.state))
                if end is not None
                else _("The run was given up after very many events.")
            )
        )
        if self._options.shadow:
            self._print_shadow(run)

    def _print_shadow(self, run: PieceRun) -> None:
        """Where the run would go another way as another runner."""
        from stepflow_gui.run.takt.shadow import parting

        name = self._options.shadow
        found = parting(run, self._make_machine(name, interactive=run.machine.interactive))
        if found is None:
            print(_("{runtime} takes the same path.").format(runtime=name))
            return
        print(printable(found.message))


def _print(*lines: str) -> None:
    for line in lines:
        print(printable(line))


def _exit_code(run: PieceRun) -> int:
    return FINISHED if run.state.end is not None and run.state.end.success else OTHERWISE


def _text_of(file: Path) -> Source:
    source = read(file)
    if isinstance(source, ReadProblem):
        raise UsageError(describe(source))
    return source
