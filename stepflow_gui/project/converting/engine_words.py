"""The configuration of the prompt engine beside a converted agent: words of its steps that it doesn't take yet."""

from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.converting.work import ConversionDraft
from stepflow_gui.project.prompt_engine import engine_patterns


def tell_engine_words(work: ConversionDraft) -> None:
    """List each c2 and c3 that steps have got and that no pattern of the configuration lets through.

    The files lie outside the agent's folder and may serve others: they stay as they are.
    """
    known = set(_words(work.before))
    patterns = engine_patterns(work.agent)
    for name, word in dict.fromkeys(_words(work.agent)):
        asked = [(file, pattern) for file, pattern in patterns if pattern.name == name]
        if (name, word) in known or not asked or any(pattern.accepts(word) for _file, pattern in asked):
            continue
        what = _("{name}: “{word}” is missing").format(name=name, word=word)
        work.tell_of(asked[-1][0].path, what, _("the prompt engine takes no words but those: add it to the pattern"))


def _words(agent: AgentFolder) -> list[tuple[str, str]]:
    return [
        (name, text.value)
        for step in agent.flow.steps.values()
        for name, text in (("directiveType", step.c2), ("layerType", step.c3))
        if text is not None and text.value
    ]
