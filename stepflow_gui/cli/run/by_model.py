"""Runs answered by a model: consent to what it costs, and what each answer took."""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping

from stepflow_gui.cli.parser import UsageError
from stepflow_gui.cli.streams import print_error
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.host.permissions import model_of
from stepflow_gui.run.responders.anthropic_agent import model_for
from stepflow_gui.run.responders.anthropic_costs import Spent
from stepflow_gui.run.responders.anthropic_progress import Exchanged, Progress, Waiting
from stepflow_gui.run.responders.anthropic_responder import AnthropicResponder
from stepflow_gui.run.responders.anthropic_settings import ModelSettings, SettingsProblem, read_settings
from stepflow_gui.run.schema_errors import Breach
from stepflow_gui.text.json.tree import JsonValue

PrintLine = Callable[[str], None]
_YES = frozenset({"y", "yes"})


def responder_by_model(
    agent: AgentFolder, options: Namespace, args: Mapping[str, JsonValue], print_line: PrintLine
) -> AnthropicResponder:
    """The model that answers, if the person agrees to what it costs. Raises UsageError where none can."""
    settings = read_settings()
    if isinstance(settings, SettingsProblem):
        raise UsageError(settings.message)
    consent(_models(agent, settings), settings, options)
    responder = model_for(agent, args=args, listener=listener_for(options, print_line), max_cost=options.max_cost)
    if isinstance(responder, SettingsProblem):
        raise UsageError(responder.message)
    return responder


def summary_of(spent: Spent) -> str:
    """What all answers took, as one line."""
    text = ngettext(
        "{count} answer: {sent} tokens sent, {received} received, {cost}",
        "{count} answers: {sent} tokens sent, {received} received, {cost}",
        spent.answers,
    )
    return text.format(
        count=spent.answers, sent=spent.usage.prompt, received=spent.usage.output, cost=dollars(spent.cost)
    )


def dollars(cost: float | None) -> str:
    """A cost as people read it."""
    return _("cost unknown") if cost is None else f"${cost:.4f}"


def listener_for(options: Namespace, print_line: PrintLine) -> Callable[[Progress], None]:
    """What prints the cost of each answer; prints nothing with `--quiet`."""
    return _silent if options.quiet else _reporter(print_line)


def consent(models: Iterable[str], settings: ModelSettings, options: Namespace) -> None:
    """Ask on a terminal, unless `--yes` or a limit of the cost has been given; elsewhere one of them is needed."""
    if options.yes or options.max_cost is not None:
        return
    if sys.stdin is None or not sys.stdin.isatty():
        raise UsageError(_("a model costs money: use --yes, or --max-cost with a limit in US dollars"))
    print_error(_("The prompts of this agent are sent to these models, which costs money:"))
    for model in models:
        print_error(printable(f"  {_priced(model, settings)}"))
    print_error(_("Continue? [y/N]"))
    if sys.stdin.readline().strip().lower() not in _YES:
        raise UsageError(_("cancelled; no model was called"))


def _models(agent: AgentFolder, settings: ModelSettings) -> Iterable[str]:
    """The models that the steps of an agent ask, each once."""
    default = agent.agent.default_model if agent.agent is not None else None
    named = default.value if default is not None else None
    steps = [step for step in agent.flow.steps.values() if not step.is_section]
    return dict.fromkeys(settings.model_of(model_of(step, named)) for step in steps)


def _priced(model: str, settings: ModelSettings) -> str:
    price = settings.known(model).price
    if price is None:
        return _("{model}: price unknown").format(model=model)
    return _("{model}: ${input} per million tokens sent, ${output} received").format(
        model=model, input=f"{price.rates.input:g}", output=f"{price.rates.output:g}"
    )


def _reporter(print_line: PrintLine) -> Callable[[Progress], None]:
    def report(progress: Progress) -> None:
        match progress:
            case Waiting(message=message):
                print_error(printable(message))
            case Exchanged():
                text = _("  {model}: {sent} tokens sent, {received} received, {cost}")
                usage, cost = progress.usage, dollars(progress.cost)
                print_line(text.format(model=progress.model, sent=usage.prompt, received=usage.output, cost=cost))
                for breach in progress.breaches:
                    print_line(_breach_text(breach))

    return report


def _breach_text(breach: Breach) -> str:
    text = _("  the answer doesn't match its schema at {place}: {message}")
    return text.format(place=breach.pointer or "/", message=breach.message)


def _silent(_progress: Progress) -> None:
    """`--quiet`."""
