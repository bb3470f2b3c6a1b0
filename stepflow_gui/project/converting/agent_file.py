"""The agent.json of a converted agent, in today's layout."""

from pathlib import Path

from stepflow_gui.formats.change import plan
from stepflow_gui.formats.changes import ConvertAgent
from stepflow_gui.formats.climpt.agent.flat_fields import moves
from stepflow_gui.formats.climpt.agent.layouts import LEFT_OVER
from stepflow_gui.formats.climpt.vocabulary import OLDER_VERDICT_TYPES
from stepflow_gui.formats.converting.made import JsonObject, object_of
from stepflow_gui.formats.converting.of_checks import Checks
from stepflow_gui.formats.converting.rewriting import rewritten
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.messages import _
from stepflow_gui.project.converting.work import ConversionDraft, LostPart, with_values
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import apply
from stepflow_gui.text.json.edit import remove
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.pointer import join, split
from stepflow_gui.text.source import Source

_OLDER_GROUPS = frozenset({split(older)[0] for older, _newer in moves()})
_TYPE = "/runner/verdict/type"
_CONFIG = "/runner/verdict/config"
_LIMIT = 100  # iterations of a flow with checks


def convert_agent_file(work: ConversionDraft, source: str, checks: Checks) -> Refusal | None:
    """Bring agent.json into today's layout; a flow that had checks gets the iterations that it needs now."""
    document = work.agent.agent_document
    if document is None or document.root is None or not isinstance(document.root.value, dict):
        return None
    if (
        "runner" not in document.root.value
        or set(document.root.value) & {"behavior", "prompts", "logging"}
        or ("completion" in object_of(document.root.value.get("runner")))
    ):
        done = plan(work.agent, ConvertAgent(document.path))
        if isinstance(done, Refusal):
            return done
        work.apply(done.edits)
        _set_apart(work, document)
    if source == "checks":
        allow_iterations(work, document.path, checks)
    _call_verdict(work, document.path)
    _drop_left_over(work, document.path)
    return None


def _call_verdict(work: ConversionDraft, path: Path) -> None:
    """The verdict type by its name of today, as the entries of the registry are."""
    named = read_json(Source(work.now(path))).at(_TYPE)
    today = OLDER_VERDICT_TYPES.get(named.value) if named is not None and isinstance(named.value, str) else None
    if today is not None:
        work.write(path, with_values(work.now(path), {_TYPE: today}))


def _drop_left_over(work: ConversionDraft, path: Path) -> None:
    """Fields of the verdict's config that no runner reads any more."""
    tree = read_json(Source(work.now(path)))
    pointers = [pointer for key in LEFT_OVER if tree.at(pointer := join(_CONFIG, key)) is not None]
    if not pointers:
        return
    for pointer in pointers:
        what = _("“{word}”").format(word=".".join(split(pointer)))
        work.lost.append(LostPart(path, pointer, what, _("no runner reads it")))
    work.write(path, apply(work.now(path), remove(tree, *pointers)))


def _set_apart(work: ConversionDraft, document: ParsedFile) -> None:
    """What has no place in today's layout is kept under a key of its own, so nothing takes it for the old."""
    tree = read_json(Source(work.now(document.path)))
    value = object_of(tree.root.value if tree.root else None)
    made: JsonObject = {}
    renamed: dict[str, str] = {}
    for key, inner in value.items():
        apart = f"x-{key}"
        if key not in _OLDER_GROUPS or apart in value:
            made[key] = inner
            continue
        renamed[join("", key)] = apart
        made[apart] = inner
        for pointer in [join("", key, name) for name in inner] if isinstance(inner, dict) else [join("", key)]:
            why = _("the current layout has no place for it: it is kept under “{key}”, which no runner reads")
            what = _("“{word}”").format(word=".".join(split(pointer)))
            work.lost.append(LostPart(document.path, pointer, what, why.format(key=apart)))
    if renamed:
        work.write(document.path, rewritten(work.now(document.path), made, renamed))


def allow_iterations(work: ConversionDraft, path: Path, checks: Checks) -> None:
    """As many iterations as the flow took with its checks, which count now, and its closing."""
    tree = read_json(Source(work.now(path)))
    verdict = tree.at("/runner/verdict")
    if verdict is None or verdict.kind != "object":
        return
    config = object_of(verdict.value.get("config"))
    given = config.get("maxIterations")
    limit = given if isinstance(given, int) and not isinstance(given, bool) and given > 0 else _LIMIT
    wanted = limit * (2 if checks == "verification" else 1) + 1
    text = with_values(work.now(path), {"/runner/verdict/config/maxIterations": wanted})
    work.write(path, text)
    work.notes.append(
        _("maxIterations is now {count}: checks and the closing step count as iterations").format(count=wanted)
        if checks == "verification"
        else _("maxIterations is now {count}: the closing step counts as an iteration").format(count=wanted)
    )
