"""Open documents without widgets: edits, undo, saves, merges and fixes while another program writes the files."""

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from types import TracebackType

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.open_texts import OpenText, on_disk
from stepflow_gui.gui.document.three_way_merge import ThreeWayMerge
from stepflow_gui.text.edit import TextEdit, difference
from stepflow_gui.text.files.store import Saved
from stepflow_gui.text.source import Source
from tests.fuzz import originals
from tests.fuzz.cases import Case, Cases, lay_out
from tests.fuzz.mutations import mutated

_DEEDS = 25
_LONGEST_LINT = 20.0  # seconds


def draw(chance: random.Random) -> Case:
    """An agent or a piece, and what is done by chance."""
    files, registry = originals.piece(chance) if chance.random() < 0.3 else originals.agent(chance)
    named = {name: text for name, text in files.items() if text or name == registry}
    return Case({**named, ".registry": registry}, chance.getrandbits(32))


def check(case: Case, folder: Path) -> None:
    """Do this and that; in the end take all of it back, and do it again."""
    files = dict(case.files)
    registry = files.pop(".registry", "")
    lay_out(files, folder)
    _application()
    document = Document.open(folder / registry)
    if not isinstance(document, Document):
        return
    with _raising():
        try:
            _Person(document, {folder / name: text for name, text in files.items()}, case.choices).work()
        finally:
            document.close()
            document.deleteLater()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def _application() -> None:
    if QApplication.instance() is None:
        QApplication([])


@contextmanager
def _raising() -> Iterator[None]:
    """Raise what went wrong in a slot, where Qt prints it and goes on."""
    met: list[BaseException] = []

    def meet(_kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        met.append(error)

    before, sys.excepthook = sys.excepthook, meet
    try:
        yield
    finally:
        sys.excepthook = before
    if met:
        raise met[0]


class _Person:
    def __init__(self, document: Document, files: dict[Path, str], seed: int) -> None:
        self._document = document
        self._files = files
        self._chance = random.Random(seed)
        self._merge = ThreeWayMerge(document)
        self._begun: dict[Path, str] = {}

    def work(self) -> None:
        deeds: Sequence[Callable[[], None]] = (
            *(
                self._edit,
                self._edit,
                self._edit,
                self._type,
                self._undo,
                self._undo,
                self._redo,
                self._save,
                self._save,
            ),
            *(self._write_outside, self._write_outside, self._look, self._merge_with_disk, self._choose, self._reload),
            *(self._overwrite, self._fix, self._fix, self._keep_mine),
        )
        for _time in range(_DEEDS):
            self._chance.choice(deeds)()
            self._remember()
        self._take_back()

    def _remember(self) -> None:
        for text in self._document.texts:
            self._begun.setdefault(text.path, text.source.text)

    def _take_back(self) -> None:
        document = self._document
        stack, index = document.stack, document.stack.index()
        now = {text.path: text.source.text for text in document.texts}
        stack.setIndex(0)
        for text in document.texts:
            assert text.source.text == self._begun[text.path], text.path
        stack.setIndex(index)
        assert {text.path: text.source.text for text in document.texts} == now

    def _path(self) -> Path:
        path = self._document.path if self._chance.random() < 0.6 else self._chance.choice(sorted(self._files))
        source = self._document.source(path)
        if isinstance(source, Source):
            self._remember()
            return path
        return self._document.path

    def _text(self, path: Path) -> str:
        source = self._document.source(path)
        assert isinstance(source, Source)
        return source.text

    def _edit(self) -> None:
        path = self._path()
        text = self._text(path)
        self._document.apply({path: list(difference(text, mutated(text, path.name, self._chance)))}, "Put", "canvas")

    def _type(self) -> None:
        path = self._path()
        at = self._chance.randint(0, len(self._text(path)))
        for number, letter in enumerate(self._chance.choice(("a{", '"語"', "🙂x", "\n  "))):
            self._document.apply({path: [TextEdit(at + number, at + number, letter)]}, "Typing", "source", typing=True)

    def _undo(self) -> None:
        self._document.undo()

    def _redo(self) -> None:
        self._document.redo()

    def _save(self) -> None:
        texts = [text for text in self._document.texts if text.dirty]
        bases = {text.path: None if text.base is None else text.base.encode() for text in texts}
        there = {path: _bytes_of(path) for path in bases}
        result = self._document.save()
        if isinstance(result, Saved):
            assert there == bases, "what another program wrote is lost"
            self._check_written(texts)
            assert not any(text.dirty for text in texts)

    def _overwrite(self) -> None:
        texts = [text for text in self._document.texts if text.dirty]
        there = {path: found for text in texts for path, found in on_disk(text.path).items()}
        if isinstance(self._document.save(there), Saved):
            self._check_written(texts)

    @staticmethod
    def _check_written(texts: Sequence[OpenText]) -> None:
        for text in texts:
            data = text.source.encode()
            expected = (None, data) if text.begun and not data else (data,)  # one that was begun here goes again
            assert _bytes_of(text.path) in expected, text.path

    def _write_outside(self) -> None:
        path = self._chance.choice([self._document.path, *sorted(self._files)])
        match self._chance.randrange(4):
            case 0:
                path.unlink(missing_ok=True)
            case 1:
                path.write_bytes(self._files[path].encode())
            case _:
                before = _bytes_of(path) or b""
                text = mutated(before.decode("utf-8", "replace"), path.name, self._chance)
                path.write_bytes(text.encode("utf-8", "surrogatepass"))

    def _look(self) -> None:
        self._document.check_disk()

    def _merge_with_disk(self) -> None:
        self._merge.with_disk()

    def _choose(self) -> None:
        conflicts = self._merge.conflicts
        if conflicts:
            self._merge.choose(self._chance.choice(conflicts), self._chance.choice(("ours", "theirs")))

    def _reload(self) -> None:
        self._document.reload()

    def _keep_mine(self) -> None:
        self._document.keep_mine()

    def _fix(self) -> None:
        document = self._document
        end = monotonic() + _LONGEST_LINT
        while not document.linted and monotonic() < end:
            QTest.qWait(2)
        fixes = [fix for each in document.diagnostics for fix in each.fixes]
        if fixes:
            fix = self._chance.choice(fixes)
            for edit in fix.edits:
                source = document.source(edit.file)
                self._begun.setdefault(edit.file, source.text if isinstance(source, Source) else "")
            document.apply_fix(fix)


def _bytes_of(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


DOCUMENTS = Cases("documents", draw, check)
