"""Lints many agents in several processes; the findings are those of one process, in the same order."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from stepflow_gui.cli.progress import with_progress
from stepflow_gui.lint.config.config import Configs
from stepflow_gui.lint.engine.engine import OnFailure, RuleFailure
from stepflow_gui.lint.engine.outcome import AgentLint, judge_one
from stepflow_gui.project.agent_folder import AgentFolder

# Measured with two processes: 60 agents of 4 KB took as long as with one, 100 a fifth less, 400 and 20 of 800 KB a
# third less, for up to a quarter more CPU time. Opening the agents, which isn't shared out, is an eighth of the work.
_ENOUGH = 1_200_000  # characters of registries and what counts as much
_AROUND = 8_000  # characters: what the files around a registry take, in terms of its own

Answer = tuple[AgentLint | None, list[int]]
"""What was found, None where a rule failed, and which suppressions of the configuration were of use."""

# What forked processes inherit: to send agents would cost more than to lint them.
_work: list[tuple[Sequence[AgentFolder], Configs]] = []


@contextmanager
def in_parallel(
    agents: Sequence[AgentFolder], configs: Configs, jobs: int | None, on_failure: OnFailure
) -> Iterator[Callable[[AgentFolder], AgentLint]]:
    """A function that gives the findings of the agents, to be asked in their order.

    `jobs` is the number of processes; None: one for each processor where that pays off.
    """
    count = min(len(agents), jobs or _worth(agents))
    if count > 1 and sys.platform != "win32" and hasattr(os, "fork"):
        with _pool(agents, configs, count) as answers:
            waiting = with_progress(answers, len(agents))
            yield lambda agent: _take_answer(next(waiting), agent, configs, on_failure)
            _exhaust(waiting)
    else:
        alone = with_progress((judge_one(agent, configs, on_failure) for agent in agents), len(agents))
        yield lambda _agent: next(alone)
        _exhaust(alone)


def _worth(agents: Iterable[AgentFolder]) -> int:
    if sum(len(agent.registry.source.text) + _AROUND for agent in agents) < _ENOUGH:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _exhaust(items: Iterator[object]) -> None:
    for _item in items:
        pass


@contextmanager
def _pool(agents: Sequence[AgentFolder], configs: Configs, count: int) -> Iterator[Iterator[Answer]]:
    import multiprocessing
    import signal

    _work[:] = [(agents, configs)]
    chunk = max(1, min(32, len(agents) // (4 * count)))
    with multiprocessing.get_context("fork").Pool(count, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        yield pool.imap(_judge_number, range(len(agents)), chunk)  # leaving ends the processes at once


def _judge_number(number: int) -> Answer:
    ((agents, configs),) = _work
    agent = agents[number]
    failures: list[RuleFailure] = []
    linted = judge_one(agent, configs, failures.append)
    suppressions = configs.of(agent.registry.path).suppressions
    return None if failures else linted, [index for index, each in enumerate(suppressions) if each.used]


def _take_answer(answer: Answer, agent: AgentFolder, configs: Configs, on_failure: OnFailure) -> AgentLint:
    linted, used = answer
    for index in used:
        configs.of(agent.registry.path).suppressions[index].used = True
    return linted or judge_one(agent, configs, on_failure)  # a failure is met again here, with its trace
