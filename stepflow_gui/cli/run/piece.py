"""`stepflow run PIECE.yaml`: runs a TAKT piece to its end, a line for all that happens."""

import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

from stepflow_gui.cli.run.options import UsageError, tell_usage
from stepflow_gui.cli.run.piece_options import read_piece_options
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.problem_text import describe
from stepflow_gui.run.takt.loading import PieceRefusal
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.state import Event, PieceState, Started
from stepflow_gui.run.takt.opening import piece_in, runner_of
from stepflow_gui.run.takt.session import PieceRun
from stepflow_gui.run.takt.words import end_words, lines_of
from stepflow_gui.text.files.store import ReadProblem, SaveFailed, read
from stepflow_gui.text.source import Source

FINISHED, OTHERWISE = 0, 1
NAME = "stepflow run"
NextEvent = Callable[[PieceMachine, PieceState], Event]


def run_piece(agent: AgentFolder, arguments: Sequence[str]) -> int:
    """Run it: 0 where the piece was completed as expected, 1 where it ended otherwise, 2 for a wrong command line."""
    options = read_piece_options(arguments)
    try:
        return _Running(agent, options).run()
    except UsageError as error:
        return tell_usage(NAME, error)


class _Running:
    def __init__(self, agent: AgentFolder, options: Namespace) -> None:
        self._options = options
        self._agent = agent
        if options.json and not options.explore:
            raise UsageError(_("{option} is for --explore").format(option="--json"))
        if options.trace and (options.explore or (options.random or 0) > 1):
            raise UsageError(_("--trace holds one run; take --random 1 and the --seed of the run"))
        self._machine = self._made(options.era, interactive=options.interactive)

    def _made(self, era: str | None, *, interactive: bool) -> PieceMachine:
        options = self._options
        runner = runner_of(self._agent, era)
        piece = piece_in(self._agent, runner)
        if isinstance(piece, PieceRefusal):
            raise UsageError(f"{self._agent.registry.path}: {piece.message}")
        if options.entry is not None and options.entry not in piece.movements:
            raise UsageError("--entry: " + _("There is no movement “{name}”.").format(name=options.entry))
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
            return self._scripted(Path(options.script))
        if options.replay:
            return self._replayed(Path(options.replay))
        if options.random is not None:
            return self._by_chance()
        if options.anthropic:
            return self._by_model()
        if sys.stdin is None or not sys.stdin.isatty():
            raise UsageError(_("nobody answers: take --script, --replay, --random, --explore or --anthropic"))
        from stepflow_gui.cli.run.piece_by_hand import lead_by_hand

        run = PieceRun(self._machine)
        code = lead_by_hand(run, options, lambda shown: self._tell(run, shown))
        self._keep(run)
        return code

    def _scripted(self, file: Path) -> int:
        from stepflow_gui.run.responders.script import ScriptProblem
        from stepflow_gui.run.takt.scripts.script import read_piece_script
        from stepflow_gui.run.takt.scripts.script_check import misses
        from stepflow_gui.run.takt.scripts.scripted import Scripted

        script = read_piece_script(_text_of(file).text, file.name, self._machine.piece)
        if isinstance(script, ScriptProblem):
            raise UsageError(f"{file}:{script.line}: {script.message}")
        era, interactive = self._options.era or script.era, self._options.interactive or script.interactive
        self._machine = self._made(era, interactive=interactive)
        run = self._led(Scripted(script).next_event, script.task, script.start, script.state)
        wrong = misses(run, script)
        for line in wrong:
            print(printable(f"{file}:{line.line}: {line.message}"))
        if script.expected is not None:
            return OTHERWISE if wrong else FINISHED
        return _code(run)

    def _by_chance(self) -> int:
        from stepflow_gui.run.takt.scripts.scripted import Chance

        options = self._options
        if options.random < 1:
            raise UsageError("--random: " + _("at least 1"))
        codes = []
        for seed in range(options.seed, options.seed + options.random):
            if options.random > 1:
                print(_("Seed {seed}").format(seed=seed))
            codes.append(_code(self._led(Chance(seed).next_event, "", None, {})))
        return max(codes)

    def _led(self, next_event: NextEvent, task: str, start: str | None, facts: object) -> PieceRun:
        from stepflow_gui.run.takt.machine.state import Begin
        from stepflow_gui.run.takt.scripts.scripted import lead

        options = self._options
        run = PieceRun(self._machine)
        run.send(Begin(options.task or task, options.entry or start, facts if isinstance(facts, dict) else {}))
        shown = self._tell(run, 0)
        for _position in lead(run, next_event):
            shown = self._tell(run, shown)
        self._tell_end(run)
        self._keep(run)
        return run

    def _by_model(self) -> int:
        from stepflow_gui.cli.run.by_model import consent, listener_for, sum_of
        from stepflow_gui.run.effects import NoAnswer
        from stepflow_gui.run.responders.anthropic_settings import SettingsProblem, read_settings
        from stepflow_gui.run.takt.machine.state import Begin
        from stepflow_gui.run.takt.prompts.model_answers import ModelAnswers, models_of

        options = self._options
        settings = read_settings()
        if isinstance(settings, SettingsProblem):
            raise UsageError(settings.message)
        consent(models_of(settings, self._machine.piece), settings, options)
        model = ModelAnswers(settings, listener_for(options, _say), max_cost=options.max_cost)
        run = PieceRun(self._machine)
        run.send(Begin(options.task or "", options.entry))
        shown = self._tell(run, 0)
        while run.state.waits != "nothing":
            event = model.next_event(run.machine, run.state)
            if isinstance(event, NoAnswer):
                _say(event.message, sum_of(model.spent))
                self._keep(run)
                return OTHERWISE
            run.send(event)
            shown = self._tell(run, shown)
        self._tell_end(run)
        _say(sum_of(model.spent))
        self._keep(run)
        return _code(run)

    def _replayed(self, file: Path) -> int:
        from stepflow_gui.run.takt.scripts.trace import TraceFault, read_trace, replayed

        trace = read_trace(_text_of(file).text)
        if isinstance(trace, TraceFault):
            raise UsageError(f"{file}:{trace.line}: {trace.message}")
        self._machine = self._made(self._options.era or trace.runner.name, interactive=trace.interactive)
        run = PieceRun(self._machine)
        shown = 0
        for _number in replayed(run, trace):
            shown = self._tell(run, shown)
        if run.length < len(trace.events):
            print(_("The run parts from the trace at its event {number}.").format(number=run.length + 1))
            return OTHERWISE
        if run.state.end is None:
            print(_("The trace ends here, the run doesn't."))
            return OTHERWISE
        self._tell_end(run)
        self._keep(run)
        return _code(run)

    def _keep(self, run: PieceRun) -> None:
        """Write the trace, where one is wanted."""
        if not self._options.trace:
            return
        from stepflow_gui.cli.output_file import write_output
        from stepflow_gui.run.takt.scripts.trace import trace_text

        saved = write_output(Path(self._options.trace), trace_text(run))
        if isinstance(saved, SaveFailed):
            text = _("{path}: can't be written ({reason})")
            raise UsageError(text.format(path=self._options.trace, reason=saved.reason))

    def _tell(self, run: PieceRun, shown: int) -> int:
        """Say what happened since so many events; gives how many there are."""
        if not self._options.quiet:
            for moment in run.moments[shown:]:
                for each in moment.happened:
                    indent = "" if isinstance(each, Started) else "   "
                    _say(*(indent + line for line in lines_of(run.machine, moment.state, each)))
                if self._options.prompts:
                    self._tell_prompts(run, moment.state)
        return run.position

    def _tell_prompts(self, run: PieceRun, state: PieceState) -> None:
        from stepflow_gui.run.takt.prompts.prompt_builder import compose

        for call in run.machine.calls(state)[:1]:
            prompt = compose(run.machine, state, call)
            if prompt.system is not None:
                _say(f"--- {_('Persona')}", *prompt.system.splitlines())
            _say(f"--- {call.task}, {call.kind}", *prompt.text.splitlines(), "---")

    def _tell_end(self, run: PieceRun) -> None:
        end = run.state.end
        print(printable(end_words(end) if end is not None else _("The run was given up after very many events.")))


def _say(*lines: str) -> None:
    for line in lines:
        print(printable(line))


def _code(run: PieceRun) -> int:
    return FINISHED if run.state.end is not None and run.state.end.success else OTHERWISE


def _text_of(file: Path) -> Source:
    source = read(file)
    if isinstance(source, ReadProblem):
        raise UsageError(describe(source))
    return source
