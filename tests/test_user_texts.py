"""No text that a user reads is in the code outside the catalogue.

Two nets. Wide: any literal that reads like a sentence or a label must stand inside `_` or `ngettext`, wherever it is.
Fine: what is handed to print, argparse, a Qt text setter or one of our messages may hold no letters outside them.
"""

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

LOOK_UPS = {"_", "ngettext"}

# Functions and methods whose string arguments a user reads.
SINKS = {
    *("print", "write", "error", "add_argument", "add_parser", "add_subparsers", "ArgumentParser"),
    *("setText", "setToolTip", "setWindowTitle", "setStatusTip", "setWhatsThis", "setPlaceholderText", "setTitle"),
    *("setAccessibleName", "setAccessibleDescription", "setInformativeText", "setDetailedText", "setLabelText"),
    *("setHeaderLabels", "setHorizontalHeaderLabels", "setTabText", "setTabToolTip", "setItemText", "setIconText"),
    *("addAction", "addMenu", "addTab", "addItem", "addItems", "addToolBar", "showMessage", "drawText"),
    *("QLabel", "QPushButton", "QAction", "QMenu", "QGroupBox", "QCheckBox", "QRadioButton", "QDockWidget"),
    *("QTreeWidgetItem", "QListWidgetItem", "QTableWidgetItem", "QStandardItem", "QGraphicsSimpleTextItem"),
    *("Finding", "Side", "Proposal", "Refusal", "RunError", "Diagnostic", "Related", "Fix", "Offer", "Status"),
}
# Arguments of sinks that no user reads.
SILENT = {"action", "cause", "choices", "code", "color", "default", "dest", "end", "file", "format", "key", "kind"}
SILENT |= {
    "lacks",
    "metavar",
    "name",
    "nargs",
    "options",
    "pointer",
    "sep",
    "note_token",
    "severity",
    "step",
    "token",
    "type",
}

# Single words that the file formats and tools themselves use: the same in every language.
FILE_WORDS = {"allowedIntents", "transitions", "version", "json", "svg", "png"}

# Literals that read like a text and are none: file → why, and which.
NO_TEXTS = {
    "formats/takt/migrating/reports.py": ("a row of the table of releases", r"output_contracts\.report label form"),
    "formats/takt/release_fields.py": ("a row of the table of releases", r"provider as .*"),
    "formats/takt/renames.py": (
        "a word of Japanese texts, and where words are",
        r"(.|\n)*ピース(.|\n)*",
    ),
    "lint/rules/takt/t008_condition_syntax.py": ("what is written into a condition", r"when\("),
    "gui/inspector/conditions/state.py": ("examples of code", r"""structured\..*|item\.status.*|"open\""""),
    "gui/runs/piece/explore_page.py": ("the name of a thread", r"explore piece"),
    "run/logs/verbose_log.py": ("messages of climpt", r"Assistant response|SDK result|Query execution failed"),
    "run/logs/climpt_log.py": (
        "messages of climpt, and kinds of notes",
        r"(\\\[|\(\?:|[A-Z]).*|(closure|no|wrong) \w+",
    ),
    "run/logs/opening.py": ("beginnings of climpt's messages", r"Starting (agent|step flow): "),
    "text/yaml/problems.py": ("examples of mistakes", r"a: one: two"),
    "gui/problems/rule_page.py": ("markup", r"""\s?<.*|[";].*"""),
    "cli/parser.py": ("what argparse says, to be translated", r".*(\(\?P<|required: ).*"),
    "cli/wrapping.py": ("letters before which no line ends", r"、.*"),
    "cli/export/options.py": ("an option", r"--theme auto"),
    "export/dot.py": ("words of DOT", r" +subgraph cluster_"),
    "export/formats.py": ("names of formats and the marks in their files", r"[A-Z]\w+|.*Stepflow.*"),
    "export/html_report.py": ("markup", r"<(.|\n)*"),
    "export/coverage_report.py": ("markup", r"(<|background:)(.|\n)*"),
    "export/html_page.py": ("markup", r"(<|:root)(.|\n)*|\}+\n@media(.|\n)*"),
    "export/mermaid.py": ("words of Mermaid", r"flowchart TD| +classDef .*"),
    "export/svg.py": ("SVG and its fonts", r".*<.*|system-ui, sans-serif"),
    "formats/climpt/changes/steps/removing.py": ("an option of a change", r"force"),
    "formats/climpt/fields.py": ("what a string names, for programs", r"schema file|failure pattern"),
    "formats/climpt/runner_texts.py": ("the runner's own words", r"(.|\n)+"),
    "gui/canvas/hand/drags.py": ("the id of a node", r"offered to "),
    "formats/climpt/eras.py": ("a choice among an era's mechanics", r"moves at c2 closure"),
    "gui/editing/canvas_menu.py": ("what is printed on keys", r"Del|Ins"),
    "gui/app/help/about.py": ("fields of a package's metadata", r"License(-Expression)?"),
    "gui/pictures/painting.py": ("a keyword of PNG", r"Software"),
    "gui/editing/canvas_commands.py": ("what is printed on keys", r"Del|Ins"),
    "gui/source/assist/hover.py": ("markup", r"[;<].*"),
    "gui/source/languages/json_lexer.py": ("keywords of JSON Schema", r"[$\w ]+"),
    "project/assist/go_to.py": ("what a string names, for programs", r"schema file|failure pattern"),
    "project/assist/target_lookup.py": ("what a string names, for programs", r"schema file|failure pattern"),
    "project/assist/names.py": ("what a string names, for programs", r"schema file|failure pattern"),
    "gui/widgets/application.py": ("words of Qt", r"Fusion|&Look in:|Files of &type:|Drive|Folder"),
    "gui/inspector/forms/choices.py": ("what a string names, for programs", r"schema file|failure pattern"),
    "gui/widgets/fonts.py": ("names of fonts", r".+"),
    "gui/runs/panel/agent_setup_form.py": ("an example of what is typed", r"issue=42"),
    "gui/runs/logs/log_words.py": ("colour tokens", r"active|closure|error|text|warning"),
    "gui/runs/run_text.py": ("colour tokens", r"active|closure|error"),
    "gui/app/preferences/choices.py": ("the languages' own names for themselves", r"English|日本語"),
    "gui/versions/comparing.py": ("the name of a key", r"Esc"),
    "text/toml_errors.py": ("what tomllib says, to be translated", r"[A-Z][\w'\]=/ \\]*(\{\}.*)?"),
    "cli/flow_tests/junit.py": ("tags of XML", r" *<.*"),
    "export/file_difference.py": ("the words of diff and patch", r"\n\\ No newline at end of file\n"),
    "gui/app/motion/portal.py": ("a method of the desktop's portal", r"Read"),
    "project/user_folders.py": ("a folder of macOS", r"Application Support"),
    "lint/rules/prelude.py": ("names that are handed out", r"[A-Z]\w+"),
    "lint/examples/agent.py": ("contents of example files", r"(.|\n)+"),
    "lint/examples/piece.py": ("contents of example files", r"(.|\n)+"),
    "lint/examples/checks.py": ("contents of example files", r"(.|\n)+"),
    "lint/report/junit.py": ("tags of XML", r" *<.*"),
    "lint/rules/flow/example_steps.py": ("contents of example files", r"(.|\n)+"),
    "lint/rules/prompts/sf501_fallback_key_form.py": (
        "the runner's own words",
        r"No fallback prompt found for key: \"",
    ),
    "lint/rules/schemas/sf703_schema_invalid.py": ("what an object holds, for programs", r"named schemas"),
    "lint/rules/validators/example_checks.py": ("contents of example files", r"(.|\n)+"),
    "formats/takt/releases/graph.py": ("names of facts in the table of releases", r".+"),
    "formats/takt/releases/rules.py": ("names of facts in the table of releases", r".+"),
    "formats/takt/releases/steps.py": ("names of facts in the table of releases", r".+"),
    "formats/takt/releases/table.py": ("names of facts in the table of releases", r".+"),
    "formats/takt/releases/shipped.py": ("names of files", r"[a-z0-9 -]+"),
    "formats/takt/releases/top.py": ("names of facts in the table of releases", r".+"),
    "qt_libraries.py": ("a command to type", r"apt-get install "),
    "run/machine/check_answer.py": ("what a model writes", r"result: (ok|ng)"),
    "run/machine/boundary.py": ("arguments of a command", r"issue (edit|close) "),
    "run/responders/anthropic_request.py": ("what a model is told", r"(.|\n)+"),
    "run/prompts/retry_prompt.py": ("the runner's own words, for the model", r"(.|\n)+"),
    "run/machine/run_errors.py": ("a code of upstream's", r"Error"),
    "run/machine/loading.py": ("a code of upstream's", r"Error"),
    "lint/rules/agent/sf817_settings_missing.py": ("the name of a tool", r"Read"),
    "run/host/permissions.py": ("names of tools", r"[A-Z][A-Za-z]+"),
    "run/takt/picking.py": ("what a judge answers", r"cannot determine"),
    "run/takt/machine/tags.py": ("words that mark a question", r"必要な情報|質問|理由|確認"),
    "run/validators/error_places.py": ("the runner's own words, for the model", r".+"),
    "run/validators/judging.py": ("the runner's own words, for the model", r"Permission denied|Missing files: "),
    "run/validators/test_report.py": ("the runner's own words, for the model", r"Unknown error"),
    "run/javascript/values.py": ("what JavaScript makes of a value", r"\[object Object\]|-?Infinity"),
}
ROOMS_THAT_SHOW = {"cli", "export", "gui", "lint", "run"}  # a lone capitalised word is a label there

PROGRAM = re.compile(r"\b[Ss]tepflow\b( (gui|lint|demo)\b)?")  # the program's name and what is typed
SENTENCE = re.compile(r"[A-Za-z]{2}[,;:…”]? [“‘(]?[A-Za-z]{2}")
LABEL = re.compile(r"&?[A-Z][a-z]{2,}…?")
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
LETTERS = re.compile(r"[A-Za-z]{2}|" + JAPANESE.pattern)
STYLE = re.compile(r"[\w:#]+ \{ [a-z-]+: ")  # a style sheet
SIGN = re.compile(r"-[a-z]|--[a-z-]+|(/\w+)+")  # an option, a JSON Pointer

NEVER = re.compile(r"(?!)")
WAYS = (
    "a text that a user reads goes through _() of stepflow_gui.messages; what only looks like one is named, "
    "with its file, in NO_TEXTS of tests/test_user_texts.py"
)

Net = Callable[[ast.Module, str], Iterator[ast.Constant]]


def literals(node: ast.AST, *, look_ups: bool = False) -> Iterator[ast.Constant]:
    """The string literals below a node, those inside a look-up or a subscript (a key) left out."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node
        elif look_ups or not (isinstance(node, ast.Call) and called(node) in LOOK_UPS):
            key = node.slice if isinstance(node, ast.Subscript) else None
            waiting += [child for child in ast.iter_child_nodes(node) if child is not key][::-1]


def called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def unread(tree: ast.Module) -> set[int]:
    """Literals that no user reads, by their place: docstrings, raise and assert, logs, types, patterns, comparisons."""
    places: list[ast.AST] = []
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Raise() | ast.Assert() | ast.Compare():
                places.append(node)
            case ast.Assign(targets=[ast.Name(id="BAD" | "GOOD")]):  # the examples of a rule: contents of files
                places.append(node)
            case ast.AnnAssign(annotation=place) | ast.arg(annotation=ast.expr() as place):
                places.append(place)
            case ast.FunctionDef(returns=ast.expr() as place):
                places.append(place)
            case ast.Subscript(value=ast.Name(id="Literal"), slice=place):
                places.append(place)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="_log"))):
                places.append(node)
            case ast.Call(args=[place, *_]) if called(node) in {"add_argument", "add_parser"}:  # a name
                places.append(place)
            case ast.Call() if called(node) in {
                "compile",
                "QKeySequence",
                "setObjectName",
                "setStyleSheet",
                "cast",
                "TypeVar",
            }:
                places.append(node)
    return {id(found) for place in places for found in literals(place, look_ups=True)}


def wide(tree: ast.Module, file: str) -> Iterator[ast.Constant]:
    label = LABEL if file.split("/", maxsplit=1)[0] in ROOMS_THAT_SHOW else NEVER
    for found in literals(tree):
        text = PROGRAM.sub("", str(found.value))
        reads = SENTENCE.search(text) or JAPANESE.search(text) or label.fullmatch(text)
        if reads and not STYLE.match(text):
            yield found


def fine(tree: ast.Module, _file: str) -> Iterator[ast.Constant]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) in SINKS:
            said = [*node.args, *(each.value for each in node.keywords if each.arg not in SILENT)]
            for found in (literal for argument in said for literal in shown(argument)):
                text = PROGRAM.sub("", str(found.value))
                if LETTERS.search(text) and text not in FILE_WORDS and not SIGN.fullmatch(text):
                    yield found


def shown(node: ast.expr) -> Iterator[ast.Constant]:
    """The literals that become part of the value: not those that other functions take, but for joining and filling."""
    match node:
        case ast.Constant(value=str()):
            yield node
        case ast.Call(func=ast.Attribute(value=ast.expr() as text, attr="format" | "join")):
            for part in (text, *node.args, *(each.value for each in node.keywords)):
                yield from shown(part)
        case ast.JoinedStr(values=parts) | ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.BoolOp(values=parts):
            for part in parts:
                yield from shown(part)
        case ast.BinOp(left=left, right=right) | ast.IfExp(body=left, orelse=right):
            yield from shown(left)
            yield from shown(right)
        case ast.FormattedValue(value=value) | ast.Starred(value=value):
            yield from shown(value)


@cache
def outside(package: Path) -> dict[Net, list[str]]:
    """`file:line: text` of what each net catches."""
    caught: dict[Net, list[str]] = {wide: [], fine: []}
    for file in sorted(package.rglob("*.py")):
        name = file.relative_to(package).as_posix()
        tree = ast.parse(file.read_text("utf-8"))
        silent = unread(tree)
        allowed = re.compile(NO_TEXTS[name][1]) if name in NO_TEXTS else NEVER
        for net, lines in caught.items():
            lines += [
                f"{name}:{found.lineno}: {found.value!r}"
                for found in net(tree, name)
                if id(found) not in silent and not allowed.fullmatch(str(found.value))
            ]
    return caught


@pytest.mark.slow
@pytest.mark.parametrize("net", [wide, fine])
def test_every_text_a_user_reads_is_in_the_catalogue(net: Net, checkout: Path) -> None:
    found = outside(checkout / "stepflow_gui")[net]
    assert not found, "\n".join([*found, WAYS])


@pytest.mark.parametrize("file", NO_TEXTS)
def test_each_exception_is_still_needed(file: str, checkout: Path) -> None:
    tree = ast.parse((checkout / "stepflow_gui" / file).read_text("utf-8"))
    needed = any(re.fullmatch(NO_TEXTS[file][1], str(found.value)) for net in (wide, fine) for found in net(tree, file))
    assert needed, f"take {file!r} out of NO_TEXTS in tests/test_user_texts.py: nothing in it needs the exception"


@pytest.mark.parametrize(
    ("net", "line"),
    [
        (wide, 'text = "Nothing is selected"'),
        (wide, 'page.note(f"Nothing of {step} is selected")'),
        (wide, 'title = "Project"'),
        (wide, 'title = "開く"'),
        (fine, 'label.setText("ready")'),
        (fine, 'print(f"{count} steps")'),
        (fine, 'print("{count} steps".format(count=2))'),
        (fine, 'parser.add_argument("--lang", help="of the texts")'),
        (fine, 'Finding(_("{step} is odd") + " or so", span)'),
        (fine, 'label.setText("done" if over else _("running"))'),
    ],
)
def test_a_text_outside_is_caught(net: Net, line: str, tmp_path: Path) -> None:
    (tmp_path / "gui").mkdir()
    (tmp_path / "gui" / "panel.py").write_text(line, "utf-8")
    assert outside(tmp_path)[net]


@pytest.mark.parametrize(
    "line",
    [
        'label.setText(_("Nothing is selected"))',
        'label.setText(names["some key"])',
        'label.setObjectName("Panel")',
        'raise ValueError("that can only be a bug")',
        'print(_("{count} steps").format(count=count), end="")',
        'parser.add_argument("--lang", dest="language", choices=["en", "ja"])',
        'window.setWindowTitle(f"{name} – Stepflow")',
        '_log.error("%s failed on %s", rule, file)',
    ],
)
def test_what_is_no_text_passes(line: str, tmp_path: Path) -> None:
    (tmp_path / "gui").mkdir()
    (tmp_path / "gui" / "panel.py").write_text(line, "utf-8")
    assert outside(tmp_path) == {wide: [], fine: []}
