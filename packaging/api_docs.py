"""The pages on the Python API, made of its docstrings: `python packaging/api_docs.py` writes them.

The English one is `docs/api.md`, the Japanese one `docs/ja/api.md`. A test fails when they are out of date.
"""

import ast
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from stepflow_gui import api

DOCS = Path(__file__).resolve().parent.parent / "docs"
FILES = {"en": "api.md", "ja": "ja/api.md"}  # below the docs
_WIDTH = 100


class Words(NamedTuple):
    """The words around the docstrings, in one language."""

    introduction: str
    columns: str


WORDS = {
    "en": Words(
        """\
# Python API

[日本語](ja/api.md)

The public names of `stepflow_gui.api`, with their docstrings. [Python](python-api.md) shows how to use them. Everything
is typed. No other module of Stepflow is a public interface.""",
        "| field | type | meaning |",
    ),
    "ja": Words(
        """\
# Python API

[English](../api.md)

`stepflow_gui.api` の公開名と docstring（英語）の一覧です。使い方は [Python からの利用](python-api.md)にあります。\
すべて型が付いています。Stepflow のほかのモジュールは公開インターフェースではありません。""",
        "| フィールド | 型 | 意味 |",
    ),
}

Named = ast.ClassDef | ast.FunctionDef | ast.Assign


def pages() -> dict[str, str]:
    """The page in every language, by its path below the docs."""
    return {file: "\n".join(_lines(WORDS[language])) + "\n" for language, file in FILES.items()}


def _lines(words: Words) -> Iterator[str]:
    yield words.introduction
    found = dict(_definitions())
    for name in api.__all__:
        node, text, lines = found[name]
        yield f"\n## {name}\n"
        match node:
            case ast.FunctionDef():
                yield from _function(node, name)
            case ast.ClassDef():
                yield from _class(node, lines, words)
            case _:
                yield f"```python\n{ast.unparse(node)}\n```\n\n{text}"


def _definitions() -> Iterator[tuple[str, tuple[Named, str, list[str]]]]:
    """What the modules of the API define, with the text behind an assignment and the lines of the module."""
    modules = dict.fromkeys(sys.modules[getattr(api, name).__module__] for name in api.__all__ if name != "Decide")
    for module in modules:
        source = inspect.getsource(module)
        body = ast.parse(source).body
        for node, after in zip(body, [*body[1:], None], strict=True):
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                yield node.name, (node, "", source.splitlines())
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                found = after.value if isinstance(after, ast.Expr) else None
                text = inspect.cleandoc(str(found.value)) if isinstance(found, ast.Constant) else ""
                yield node.targets[0].id, (node, text, source.splitlines())


def _function(node: ast.FunctionDef, title: str) -> Iterator[str]:
    yield f"```python\n{_signature(node, title)}\n```\n\n{ast.get_docstring(node)}"


def _class(node: ast.ClassDef, lines: list[str], words: Words) -> Iterator[str]:
    yield str(ast.get_docstring(node))
    fields = [each for each in node.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)]
    methods = [each for each in node.body if isinstance(each, ast.FunctionDef)]
    own = [each for each in methods if not each.name.startswith("_")]
    properties = [each for each in own if any(ast.unparse(one) == "property" for one in each.decorator_list)]
    if fields or properties:
        yield f"\n{words.columns}\n|---|---|---|"
    for field in fields:
        remark = lines[field.lineno - 1].partition("  # ")[2]
        yield f"| `{ast.unparse(field.target)}` | `{_cell(ast.unparse(field.annotation))}` | {_cell(remark)} |"
    for each in properties:
        found = " ".join(str(ast.get_docstring(each)).split())
        yield f"| `{each.name}` | `{_cell(ast.unparse(each.returns) if each.returns else '')}` | {_cell(found)} |"
    made = next((each for each in methods if each.name == "__init__"), None)
    if made is not None:
        yield f"\n```python\n{_signature(made, node.name)}\n```"
    for each in own:
        if each not in properties:
            yield f"\n### {node.name}.{each.name}\n"
            yield from _function(each, each.name)


def _signature(node: ast.FunctionDef, title: str) -> str:
    """The call as it is written, a parameter a line where one line doesn't hold it."""
    arguments = node.args
    if arguments.args and arguments.args[0].arg == "self":
        arguments.args.pop(0)
    returned = f" -> {ast.unparse(node.returns)}" if node.returns and node.name != "__init__" else ""
    line = f"{title}({ast.unparse(arguments)}){returned}"
    if len(line) <= _WIDTH:
        return line
    missing = [None] * (len(arguments.args) - len(arguments.defaults))
    plain = [_parameter(*each) for each in zip(arguments.args, [*missing, *arguments.defaults], strict=True)]
    named = [_parameter(*each) for each in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    every = [*plain, *(["*"] if named else []), *named]
    return "\n".join([f"{title}(", *(f"    {each}," for each in every), f"){returned}"])


def _parameter(given: ast.arg, default: ast.expr | None) -> str:
    typed = given.annotation
    shown = str(typed.value) if isinstance(typed, ast.Constant) else ast.unparse(typed) if typed else ""
    return f"{given.arg}: {shown}" + (f" = {ast.unparse(default)}" if default is not None else "")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def write() -> None:
    """Write the pages."""
    for file, text in pages().items():
        (DOCS / file).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write()
