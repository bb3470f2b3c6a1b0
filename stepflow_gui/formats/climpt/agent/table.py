"""Which fields an agent.json may have, by its layout: what forms show and changes are held against."""

from stepflow_gui.formats.climpt.agent.agent_file import AgentDefinition
from stepflow_gui.formats.climpt.agent.fields import AGENT
from stepflow_gui.formats.climpt.agent.flat_fields import AGENT_FLAT
from stepflow_gui.formats.climpt.eras import CLIMPT_2026_01_18, GUIDE
from stepflow_gui.formats.fields import Shape


def agent_table(agent: AgentDefinition) -> tuple[Shape, str]:
    """The shape of the file and the era by which its fields are known.

    A file that is half moved has the current layout, with the parts of the older one that are still there.
    """
    if agent.layout == "flat":
        return AGENT_FLAT, GUIDE.name
    root = agent.document.root
    value = root.value if root is not None and isinstance(root.value, dict) else {}
    runner = value.get("runner")
    older = isinstance(runner, dict) and "completion" in runner and "verdict" not in runner
    known = {field.name for field in AGENT.fields}
    left = tuple(field for field in AGENT_FLAT.fields if field.name not in known and field.name in value)
    return AGENT._replace(fields=(*AGENT.fields, *left)), (CLIMPT_2026_01_18 if older else GUIDE).name
