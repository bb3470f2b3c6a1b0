"""`stepflow run PIECE.yaml`: runs a TAKT piece to its end, a line for all that happens."""

import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from stepflow_gui.cli.parser import UsageError
from stepflow_gui.cli.run.configured import configured_era
from stepflow_gui.cli.run.options import NAME, report_usage_error
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
NextEvent = Callable[[PieceMachine, PieceState], Event]


def run_piece(agent: AgentFolder, options: Namespace) -> int:
    """Run it: 0 where the piece was completed as expected, 1 where it ended otherwise, 2 where it couldn't begin."""
    try:
        if options.log or options.follow:
            from stepflow_gui.cli.run.log import print_log

            return print_log(agent, options)
        return _Running(agent, options).run()
    except UsageError as error:
        return report_usage_error(NAME, error)


class _Running:
    def __init__(self, agent: AgentFolder, options: Namespace) -> None:
        self._options = options
        self._agent = agent
        if options.trace and (options.random or 0) > 1:
            raise UsageError(_("--trace needs a single run: use --random 1 and the --seed of that run"))
        self._machine = self._make_machine(options.runtime, interactive=options.interactive)

    def _make_machine(self, era: str | None, *, interactive: bool) -> PieceMachine:
        options = self._options
        runner = runner_of(self._agent, era or configured_era(self._agent))
        piece = piece_in(self._agent, runner)
        if isinstance(piece, PieceRefusal):
            raise UsageError(f"{self._agent.registry.path}: {piece.message}")
        if options.entry is not None and options.entry not in piece.movements:
            raise UsageError(in_its_words(piece, _("unknown movement “{name}” for --entry")).format(name=options.entry))
        if options.max_iterations is not None:
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
            raise UsageError(_("choose who answers: --script, --replay, --random, --explore or --anthropic"))
        from stepflow_gui.cli.run.piece_by_hand import run_piece_by_hand

        run = PieceRun(self._machine)
        code = run_piece_by_hand(run, options, lambda shown: self._report(run, shown))
        self._write_trace(run)
        return code

    def _run_script(self, file: Path) -> int:
        from stepflow_gui.run.responders.script import ScriptProblem
        from stepflow_gui.run.takt.scripts.script import read_piece_script
        from stepflow_gui.run.takt.scripts.script_check import misses, unused_answers
        from stepflow_gui.run.takt.scripts.scripted import Scripted

        script = read_piece_script(_text_of(file).text, file.name, self._machine.piece)
        if isinstance(script, ScriptProblem):
            raise UsageError(f"{file}:{script.line}: {script.message}")
        era, interactive = self._options.runtime or script.era, self._options.interactive or script.interactive
        self._machine = self._make_machine(era, interactive=interactive)
        run = self._run(Scripted(script).next_event, script.task, script.start, script.state)
        wrong = misses(run, script)
        for line in (*wrong, *unused_answers(run, script)):
            print(printable(f"{file}:{line.line}: {line.message}"))
        if script.expected is not None:
            return OTHERWISE if wrong else FINISHED
        return _exit_code(run)

    def _run_random(self) -> int:
        from stepflow_gui.run.takt.scripts.scripted import Chance

        options = self._options
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
        self._machine = self._make_machine(self._options.runtime or trace.runner.name, interactive=trace.interactive)
        run = PieceRun(self._machine)
        shown = 0
        for _number in replayed(run, trace):
            shown = self._report(run, shown)
        if run.length < len(trace.events):
            print(_("The run diverges from the trace at event {number}.").format(number=run.length + 1))
            return OTHERWISE
        if run.state.end is None:
            print(_("The trace ends here, but the run doesn't."))
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
                else _("The run was stopped because it has too many events.")
            )
        )
        if self._options.shadow:
            self._print_shadow(run)

    def _print_shadow(self, run: PieceRun) -> None:
        """Where the run would take another path under another runner."""
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
