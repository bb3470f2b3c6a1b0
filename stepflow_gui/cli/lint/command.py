"""`stepflow lint`: checks registries and reports problems, for people or for programs; applies fixes on request."""

import atexit
import gc
import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING

from stepflow_gui.cli.lint.options import STDIN, lint_options, read_options
from stepflow_gui.cli.registries import CollectedRegistries, collect_registries
from stepflow_gui.cli.streams import print_error, show_trace, wants_color, write_bytes
from stepflow_gui.lint.config.config import Configs
from stepflow_gui.lint.config.file import ConfigProblem
from stepflow_gui.lint.diagnostic import ERROR, WARNING, Diagnostic
from stepflow_gui.lint.engine.engine import RuleFailure, Timings, lint
from stepflow_gui.lint.engine.outcome import LintOutcome, judge, settings_for, sources_of
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.lint.report.table import FORMATS
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.files.store import SaveFailed
from stepflow_gui.text.source import Source

if TYPE_CHECKING:
    from stepflow_gui.lint.suppressions.baseline import Baseline

CLEAN, FOUND, TROUBLE = 0, 1, 2


def main(arguments: Sequence[str]) -> int:
    """Run it: 0 without errors, 1 with, 2 if something couldn't be read or applied."""
    options = read_options(arguments)
    run = _Run(options)
    if options.show_settings:
        from stepflow_gui.cli.lint.settings import show_settings

        return show_settings(Path(options.show_settings), run.configs, as_json=options.format == "json")
    paths = [Path(path) for path in options.paths or ["."]]
    unsaved: dict[Path, Source] = {}
    if STDIN in options.paths:
        named = Path(options.stdin_filename or "steps_registry.json")
        source = _standard_input()
        if source is None:
            return TROUBLE
        unsaved[Path(os.path.normpath(named.absolute()))] = source
        paths = [named if str(path) == STDIN else path for path in paths]
    if options.watch:
        from stepflow_gui.cli.lint.watch import watch

        watch(paths, lambda: _Run(options).run_again(paths), sleep)
    gc.disable()  # a run makes next to no cycles, and looking for them in a large file takes a third of its time
    atexit.register(gc.freeze)  # nor are they looked for at the end, when all memory is given back anyway
    try:
        return run.run(paths, unsaved)
    finally:
        gc.enable()


class _Run:
    """One run of the linter: its options, and the problems it meets."""

    def __init__(self, options: Namespace) -> None:
        self.options = options
        self.folder = Path(os.path.normpath(Path.cwd()))
        self.configs = Configs(lint_options(options))
        self.baselines: list[Baseline] = []
        self.agents: list[AgentFolder] = []
        self.complaints: list[str] = []
        self.failures: list[RuleFailure] = []
        self.timings: Timings | None = {} if options.statistics else None

    def run_again(self, paths: Iterable[Path]) -> list[AgentFolder]:
        """Lint once more; gives the agents that were looked at."""
        self.run(paths, {})
        return self.agents

    def run(self, paths: Iterable[Path], unsaved: Mapping[Path, Source]) -> int:
        """Lint what paths mean."""
        wanted = None
        if self.options.since is not None:
            from stepflow_gui.cli.lint.changed_files import ChangeProblem, owned_by_changed

            changed = owned_by_changed(self.options.since, self.folder)
            if isinstance(changed, ChangeProblem):
                print_error(f"stepflow lint: {changed.message}")
                return TROUBLE
            wanted = changed
        lenient = self.options.if_owned or wanted is not None
        gathered = collect_registries(paths, self.configs, unsaved, wanted=wanted, lenient=lenient)
        self.agents = gathered.agents
        return self._run(gathered, unsaved)

    def _run(self, gathered: CollectedRegistries, unsaved: Mapping[Path, Source]) -> int:
        self._check_configurations()
        code = self._fix(gathered, unsaved) if self.options.fixing else None
        if code is None:
            code = self._lint(gathered)
        for line in (*gathered.complaints, *self.complaints):
            print_error(f"stepflow lint: {line}")
        self._report_failures()
        return TROUBLE if gathered.complaints or self.complaints or self.failures else code

    def _check_configurations(self) -> None:
        problems = [problem for config in self.configs.all() for problem in config.problems]
        if not self.options.write_baseline:
            problems += self._read_baselines()
        for problem in problems:
            where = shown_path(problem.file, self.folder)
            line = "" if problem.line is None else f":{problem.line}"
            self.complaints.append(f"{where}{line}: {problem.message}")

    def _read_baselines(self) -> list[ConfigProblem]:
        named = [self.folder / self.options.baseline] if self.options.baseline else []
        if not named:
            named = list(dict.fromkeys(config.baseline for config in self.configs.all() if config.baseline))
        if not named:
            return []
        from stepflow_gui.lint.suppressions.baseline import Baseline, read_baseline

        found = [read_baseline(path) for path in named]
        self.baselines = [each for each in found if isinstance(each, Baseline)]
        return [each for each in found if isinstance(each, ConfigProblem)]

    def _fix(self, gathered: CollectedRegistries, unsaved: Mapping[Path, Source]) -> int | None:
        """Apply fixes; the exit code if nothing is to be reported after that."""
        from stepflow_gui.cli.lint.fixes import save_fixes, show_changes
        from stepflow_gui.lint.fixing import any_fixes, fix_all, safe_fixes

        choosing = any_fixes if self.options.unsafe_fixes else safe_fixes
        fixed = fix_all(gathered.agents, self._wanted, choosing, unsaved, self._runtime_of_piece)
        if not fixed.converged:
            print_error(_("stepflow lint: some fixes undo each other or had no effect; their findings remain"))
        if self.options.diff:
            return (
                FOUND if show_changes(fixed, self.folder, self.options.color) and not self.options.exit_zero else CLEAN
            )
        self.complaints += save_fixes(fixed, self.folder)
        gathered.agents[:] = [agent.with_buffers({}) for agent in fixed.agents]
        return CLEAN if self.options.fix_only else None

    def _runtime_of_piece(self, path: Path) -> str | None:
        return self.configs.of(path).runtime(path, "takt")

    def _wanted(self, agent: AgentFolder) -> list[Diagnostic]:
        """The findings of an agent that aren't known from a baseline."""
        settings = settings_for(agent.registry.path, agent.format, self.configs)
        found = lint(agent, settings, self._note_failure)
        for baseline in self.baselines:
            found = baseline.split(found, sources_of(agent, found)).new
        return found

    def _lint(self, gathered: CollectedRegistries) -> int:
        outcome = self._judged(gathered)
        for problem in outcome.unread:
            gathered.complain(problem)
        if self.options.write_baseline:
            return self._write_baseline(outcome)
        for baseline in self.baselines:
            outcome.diagnostics, known = baseline.split(outcome.diagnostics, outcome.sources)
            outcome.known += known
        if gathered.agents or gathered.undecodable or not FORMATS[self.options.format].for_people:
            self._report(outcome)
        elif self.options.since is not None and not gathered.complaints and not self.options.quiet:
            text = _("No registry has changed since {revision}")
            print(printable(text.format(revision=self.options.since)))
        if self.timings is not None:
            from stepflow_gui.cli.lint.statistics import statistics

            to_people = FORMATS[self.options.format].for_people and not self.options.output
            for line in statistics(outcome, self.timings):
                print(line, file=sys.stdout if to_people else sys.stderr)
        return FOUND if any(map(self._fails, outcome.diagnostics)) and not self.options.exit_zero else CLEAN

    def _judged(self, gathered: CollectedRegistries) -> LintOutcome:
        agents = gathered.agents
        if len(agents) == 1 or self.timings is not None:  # times are those of one process
            return judge(agents, gathered.undecodable, self.configs, self._note_failure, self.timings)
        from stepflow_gui.cli.lint.jobs import in_parallel

        with in_parallel(agents, self.configs, self.options.jobs, self._note_failure) as judging:
            return judge(agents, gathered.undecodable, self.configs, judging=judging)

    def _fails(self, found: Diagnostic) -> bool:
        if found.severity == WARNING:
            return bool(self.options.strict) or self.configs.of(found.file).strict
        return found.severity == ERROR

    def _report(self, outcome: LintOutcome) -> None:
        form = FORMATS[self.options.format]
        if form.for_people and self.options.quiet and not outcome.diagnostics:
            return
        color = wants_color(self.options.color) and (not self.options.output or self.options.color == "always")
        lines = form.lines(outcome, self.folder, color=color)
        if self.options.output:
            self._write(self.folder / self.options.output, "".join(f"{line}\n" for line in lines))
        elif form.for_people:
            for line in lines:
                print(line)
        else:
            for line in lines:
                write_bytes(f"{line}\n")

    def _write(self, path: Path, text: str) -> None:
        from stepflow_gui.cli.output_file import write_output

        result = write_output(path, text)
        if isinstance(result, SaveFailed):
            self._not_written(result)

    def _write_baseline(self, outcome: LintOutcome) -> int:
        from stepflow_gui.lint.suppressions.baseline import write_baseline

        written = write_baseline(self.folder / self.options.write_baseline, outcome.diagnostics, outcome.sources)
        if isinstance(written, SaveFailed):
            self._not_written(written)
        else:
            path, count = written
            text = ngettext("{count} finding written to {path}", "{count} findings written to {path}", count)
            print(printable(text.format(count=count, path=shown_path(path, self.folder))))
        return CLEAN

    def _not_written(self, failed: SaveFailed) -> None:
        text = _("{path}: can't be written ({reason})")
        self.complaints.append(text.format(path=shown_path(failed.path, self.folder), reason=failed.reason))

    def _note_failure(self, failure: RuleFailure) -> None:
        if (failure.code, failure.file) not in {(known.code, known.file) for known in self.failures}:
            self.failures.append(failure)

    def _report_failures(self) -> None:
        for failure in self.failures:
            show_trace(failure.error)
            print_error(
                _(
                    "stepflow lint: rule {code} failed on {file} ({error}). This is a bug in the rule; its other"
                    " findings are valid"
                ).format(code=failure.code, file=failure.file, error=f"{type(failure.error).__name__}: {failure.error}")
            )


def _standard_input() -> Source | None:
    """The text on standard input; None, after an error message, if it can't be read."""
    if sys.stdin is None:
        print_error(_("stepflow lint: standard input is closed"))
        return None
    try:
        return Source.decode(sys.stdin.buffer.read())
    except UnicodeDecodeError as error:
        print_error(_("stepflow lint: standard input isn't UTF-8 text (byte {offset})").format(offset=error.start))
        return None
