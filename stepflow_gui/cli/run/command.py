"""`stepflow run`: runs an agent to its end, a line a step, and reports how it ended."""

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from stepflow_gui.cli.parser import AGENT, PIECE, UsageError
from stepflow_gui.cli.run.configured import configured_era, configured_prompts
from stepflow_gui.cli.run.lines import end_of, findings_at, line_of
from stepflow_gui.cli.run.options import (
    NAME,
    check_options,
    commands_for,
    make_parser,
    parameters_of,
    report_usage_error,
)
from stepflow_gui.cli.run.prompt_warnings import PromptWarnings
from stepflow_gui.cli.run.unparsable import REFUSED, refuses
from stepflow_gui.cli.streams import print_error
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.finding.choosing import NotChosen, broken_agent_file, choose_agent
from stepflow_gui.run.agent_run import AgentRun, Listener, RunOptions
from stepflow_gui.run.effects import Commands, Responder
from stepflow_gui.run.explanation import failed_validator, offered_intents, sentences_of
from stepflow_gui.run.host.host import HostEvent, Ran
from stepflow_gui.text.files.store import ReadProblem, read
from stepflow_gui.text.source import Source

FINISHED, OTHERWISE, NOT_BEGUN = 0, 1, 2
TAKT = "takt"


def main(arguments: Sequence[str]) -> int:
    """Run it: 0 where the run finished, 1 where it ended otherwise, 2 where it couldn't begin."""
    parser = make_parser()
    options = parser.read(arguments)
    agent = choose_agent(options.agent)
    if isinstance(agent, NotChosen):
        return report_usage_error(NAME, agent.message)
    kind = PIECE if agent.format == TAKT else AGENT
    try:
        check_options(parser, options, kind)
    except UsageError as error:
        return report_usage_error(NAME, error)
    if refuses(agent):
        return REFUSED
    if kind == PIECE:
        from stepflow_gui.cli.run.piece import run_piece

        return run_piece(agent, options)
    if broken := broken_agent_file(agent):
        print_error(f"{NAME}: {broken}")
    try:
        _refuse_unknown_entry(agent, options.entry)
        if options.explore:
            from stepflow_gui.cli.run.explore import explore_agent

            return explore_agent(agent, options)
        if options.log or options.follow:
            from stepflow_gui.cli.run.log import print_log

            return print_log(agent, options)
        return _Running(agent, options).run()
    except UsageError as error:
        return report_usage_error(NAME, error)


def _refuse_unknown_entry(agent: AgentFolder, named: str | None) -> None:
    flow = agent.flow
    if named is not None and named not in flow.steps and all(entry.key != named for entry in flow.entries):
        raise UsageError(_("unknown step “{step}” for --entry").format(step=named))


class _Running:
    """A run, or several random ones, and what is printed about them."""

    def __init__(self, agent: AgentFolder, options: Namespace) -> None:
        self._agent = agent
        self._options = options
        self._args = parameters_of(agent, options.args)
        self._input = _input_text(options.input)
        self._commands, self._real = commands_for(agent, options)
        self._warn_simulated = not self._real and not options.random  # by chance they pass or fail in any folder
        self._prompts = PromptWarnings(NAME, agent, silent=options.no_prompts or bool(options.replay))

    def run(self) -> int:
        options = self._options
        if options.random is not None and options.random > 1:
            if options.trace:
                raise UsageError(_("--trace needs a single run: use --random 1 and the --seed of that run"))
            return self._run_random_series()
        if options.script:
            return self._run_script(Path(options.script))
        if options.replay:
            return self._run_replay(Path(options.replay))
        run = self._prepare()
        if options.random is not None:
            from stepflow_gui.run.responders.random_answers import RandomResponder

            chance = RandomResponder(run.machine, options.seed, self._commands)
            return _exit_code(self._run(run, chance, chance), by_chance=True)
        if options.anthropic:
            return self._run_model(run)
        if sys.stdin is None or not sys.stdin.isatty():
            raise UsageError(_("choose who answers: --script, --replay, --random, --explore or --anthropic"))
        return self._run_by_hand(run)

    def _prepare(self, from_file: RunOptions | None = None) -> AgentRun:
        options = self._options
        given = from_file or RunOptions()
        return AgentRun(
            self._agent,
            given._replace(
                entry=options.entry or given.entry,
                args={**given.args, **self._args},
                input_text=self._input if self._input is not None else given.input_text,
                era=options.runtime or given.era,
                default_era=configured_era(self._agent),
                spare_prompts=configured_prompts(self._agent),
                shadow=options.shadow or given.shadow,
                max_iterations=options.max_iterations or given.max_iterations,
                needs_prompts=True if options.anthropic else False if options.no_prompts else given.needs_prompts,
                fresh=self._real or options.anthropic,
            ),
        )

    def _run_script(self, file: Path) -> int:
        from stepflow_gui.run.responders.script import ScriptProblem
        from stepflow_gui.run.responders.scripted import ScriptResponder
        from stepflow_gui.run.scripts.flow_tests import failures_of
        from stepflow_gui.run.scripts.script_file import misfits, not_needed, read_script_file

        script = read_script_file(_text_of(file).text, file.name)
        if isinstance(script, ScriptProblem):
            raise UsageError(f"{file}:{script.line}: {script.message}")
        wrong = misfits(script, self._agent.flow)
        if wrong:
            raise UsageError("\n".join(f"{file}:{each.line}: {each.message}" for each in wrong))
        from_file = RunOptions(
            script.entry, script.args, {}, script.input_text, script.era, max_iterations=script.max_iterations
        )
        run = self._prepare(from_file)
        responder = ScriptResponder(script.lines, run.machine.flow, run.machine.era, self._commands, str(file))
        path: list[str] = []

        def keep(happened: HostEvent) -> None:
            if happened.entry.step is not None and happened.entry.is_visit:
                path.append(happened.entry.step)

        ran = self._run(run, responder, responder, keep)
        if script.expected is not None:
            failures = list(failures_of(script, responder, ran, tuple(path)))
            for failure in failures:
                print_error(f"{file}:{failure.line}: {failure.message}")
            return OTHERWISE if failures else FINISHED
        if ran.unanswered is None:
            for each in not_needed(responder.unused):
                print_error(f"{file}:{each.line}: {each.message}")
        return _exit_code(ran)

    def _run_replay(self, file: Path) -> int:
        from stepflow_gui.run.responders.replay import ReplayResponder, why_not_of
        from stepflow_gui.run.traces.trace import TraceProblem, read_trace

        _text_of(file)  # reports why it can't be read
        trace = read_trace(file)
        problem = trace if isinstance(trace, TraceProblem) else why_not_of(trace, self._agent.flow)
        if isinstance(trace, TraceProblem) or problem is not None:
            assert problem is not None
            where = file if problem.line is None else f"{file}:{problem.line}"
            raise UsageError(f"{where}: {problem.message}")
        header = trace.header
        start = trace.events[0].event if trace.events else None
        from_file = RunOptions(
            start.entry if start else header.entry,
            header.args,
            start.payload if start else {},
            start.input if start else None,
            _known_era(header.era, file),
            max_iterations=header.max_iterations,
            needs_prompts=None if trace.has_prompts else False,
        )
        run = self._prepare(from_file)
        responder = ReplayResponder(trace, run.machine.flow)
        self._warn_simulated = False
        ran = self._run(run, responder, responder, responder.watch)
        parting = responder.parting
        for note in responder.notes if parting is None else ():
            self._print(note)
        if parting is not None:
            text = _("The run diverges from the trace at event {n} ({step}, iteration {iteration}): {why}")
            step = parting.step or _("the start")
            self._print(text.format(n=parting.n, step=step, iteration=parting.iteration, why=parting.message))
            return OTHERWISE
        return _exit_code(ran)

    def _run_random_series(self) -> int:
        from stepflow_gui.run.responders.random_answers import RandomResponder

        options = self._options
        ends: dict[str, int] = {}
        worst = FINISHED
        for seed in range(options.seed, options.seed + options.random):
            run = self._prepare()
            responder = RandomResponder(run.machine, seed, self._commands)
            ran = run.drive(responder, responder, self._prompts.watch)
            kind = ran.outcome.kind if ran.outcome else _("stopped")
            ends[kind] = ends.get(kind, 0) + 1
            code = _exit_code(ran, by_chance=True)
            worst = max(worst, code)
            if not options.quiet or ran.outcome is None:
                count = ran.state.iteration
                text = ngettext(
                    "seed {seed}: {count} iteration. {end}", "seed {seed}: {count} iterations. {end}", count
                )
                write = print_error if code == NOT_BEGUN else self._print
                write(text.format(seed=seed, count=count, end=end_of(ran)))
        self._print(", ".join(f"{kind}: {count}" for kind, count in sorted(ends.items())))
        return worst

    def _run_model(self, run: AgentRun) -> int:
        from stepflow_gui.cli.run.by_model import responder_by_model, summary_of

        responder = responder_by_model(self._agent, self._options, run.start.args, self._print)
        ran = self._run(run, responder, self._commands)
        self._print(summary_of(responder.spent))
        return _exit_code(ran)

    def _run_by_hand(self, run: AgentRun) -> int:
        from stepflow_gui.cli.run.by_hand import HandResponder, run_by_hand

        self._warn_simulated = False  # each is asked
        hand = HandResponder(run.machine, self._commands, ask_validators=not self._real)
        with self._trace_writers(run) as writers:
            ran, kept = run_by_hand(run, hand, self._report)
            trace = run.listener(*writers)
            for happened in kept:
                trace(happened)
        return self._report_end(run, ran)

    def _run(self, run: AgentRun, responder: Responder, commands: Commands, *listeners: Listener) -> Ran:
        with self._trace_writers(run) as writers:
            ran = run.drive(responder, commands, self._report, *listeners, *writers)
        self._report_end(run, ran)
        return ran

    @contextmanager
    def _trace_writers(self, run: AgentRun) -> Iterator[tuple[Listener, ...]]:
        """The listener that writes the trace, if there is to be one."""
        options = self._options
        if not options.trace:
            yield ()
            return
        from stepflow_gui.run.traces.trace import TraceProblem
        from stepflow_gui.run.traces.trace_writing import header_of, open_trace

        header = header_of(self._agent, run.machine, run.start, options.shadow, options.max_iterations)
        writer = open_trace(Path(options.trace), header, self._agent.root)
        if isinstance(writer, TraceProblem):
            raise UsageError(writer.message)
        with writer:
            yield (writer.write,)
        if writer.problem is not None:
            print_error(f"{NAME}: {writer.problem.message}")

    def _report_end(self, run: AgentRun, ran: Ran) -> int:
        """Print how it ended, or as an error that it can't begin; gives the exit code."""
        code = _exit_code(ran)
        write = print_error if code == NOT_BEGUN else self._print
        write(end_of(ran))
        if ran.stopped is not None:
            self._prompts.advise(ran.stopped.error, run.start.args)
            step = ran.stopped.error.step or ran.state.step
            for line in findings_at(self._agent, step, run.machine.era.name, Path.cwd()):
                write(f"  {line}")
        if run.parting is not None:
            self._print(run.parting.message)
        return code

    def _report(self, happened: HostEvent) -> None:
        checked = happened.entry.validator is not None
        if checked and self._warn_simulated:
            self._warn_simulated = False
            print_error(
                _("validators are simulated because the project isn't trusted; use --trust to run their commands")
            )
        self._prompts.watch(happened)
        if not self._options.quiet:
            for line in self._lines(happened, checked=checked):
                self._print(line)

    def _lines(self, happened: HostEvent, *, checked: bool) -> Iterator[str]:
        entry, request = happened.entry, happened.request
        if self._options.prompts and request is not None:
            text = request.prompt.text
            yield f"--- {entry.step}"
            yield from (text if text is not None else _("The runner builds this prompt itself")).splitlines()
            yield "---"
        yield line_of(entry)
        if failed := failed_validator(happened.state) if checked else "":
            yield f"    {failed}"
        if self._options.explain:
            agent = self._agent
            enum = offered_intents(agent, agent.flow.steps.get(entry.step or ""))
            yield from (f"    {each}" for each in sentences_of(agent.flow, entry, enum))

    @staticmethod
    def _print(line: str) -> None:
        print(printable(line))


def _exit_code(ran: Ran, *, by_chance: bool = False) -> int:
    if ran.outcome is None:
        return NOT_BEGUN if ran.stopped is not None and not ran.state.iteration else OTHERWISE
    return FINISHED if ran.outcome.success or by_chance else OTHERWISE


def _text_of(file: Path) -> Source:
    from stepflow_gui.cli.registries import read_problem_text

    found = read(file)
    if isinstance(found, ReadProblem):
        raise UsageError(read_problem_text(found))
    return found


def _input_text(named: str | None) -> str | None:
    if named is None:
        return None
    if named != "-":
        return _text_of(Path(named)).text
    if sys.stdin is None:
        raise UsageError(_("standard input is closed"))
    try:
        return Source.decode(sys.stdin.buffer.read()).text
    except UnicodeDecodeError as error:
        raise UsageError(_("standard input isn't UTF-8 text (byte {offset})").format(offset=error.start)) from error


def _known_era(name: str, file: Path) -> str:
    from stepflow_gui.formats.climpt.eras import ERAS

    if name not in ERAS:
        text = _(
            "{path}: the trace is for the runtime “{runtime}”, which this version doesn't know; choose another with"
            " --runtime"
        )
        raise UsageError(text.format(path=file, runtime=name))
    return name
