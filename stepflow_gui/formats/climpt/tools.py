"""The tools that `allowedTools` can name: those that come with Claude Code, and those of MCP servers."""

_TOOLS = frozenset(
    {
        "Agent",
        "AskUserQuestion",
        "Bash",
        "BashOutput",
        "Edit",
        "EnterPlanMode",
        "EnterWorktree",
        "ExitPlanMode",
        "Glob",
        "Grep",
        "KillBash",
        "KillShell",
        "LS",
        "LSP",
        "ListMcpResources",
        "ListMcpResourcesTool",
        "MultiEdit",
        "NotebookEdit",
        "NotebookRead",
        "PowerShell",
        "Read",
        "ReadMcpResource",
        "ReadMcpResourceTool",
        "SendMessage",
        "Skill",
        "SlashCommand",
        "StructuredOutput",
        "Task",
        "TaskCreate",
        "TaskGet",
        "TaskList",
        "TaskOutput",
        "TaskStop",
        "TaskUpdate",
        "TodoRead",
        "TodoWrite",
        "ToolSearch",
        "WebFetch",
        "WebSearch",
        "Write",
    }
)
_ALL = "*"
_OF_SERVERS = "mcp__"


def tools() -> list[str]:
    """The tools by name."""
    return sorted(_TOOLS)


def is_known_tool(name: str) -> bool:
    """Whether a name, perhaps with a rule in brackets as in `Bash(git status:*)`, is that of a tool, or of all."""
    return name == _ALL or name.startswith(_OF_SERVERS) or name.partition("(")[0] in _TOOLS
