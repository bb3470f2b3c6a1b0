"""The field table of a piece as one release of TAKT reads it, for forms: no field that it drops or refuses."""

from collections.abc import Iterator
from functools import lru_cache

from stepflow_gui.formats.fields import Field, Shape, choice
from stepflow_gui.formats.takt.fields import JUDGE, JUDGE_RULE, MONITOR, MOVEMENT, PIECE_FILE, RULE, SUB, TRANSITION
from stepflow_gui.formats.takt.newer_fields import PROVIDER
from stepflow_gui.formats.takt.releases.places import row_at
from stepflow_gui.formats.takt.releases.sets import Row, row, value_row
from stepflow_gui.formats.takt.releases.table import RELEASES, VALUES
from stepflow_gui.formats.takt.releases.top import PAIRS

LEVELS = (
    *((PIECE_FILE, "top"), (MOVEMENT, "step"), (SUB, "sub"), (MONITOR, "monitor"), (JUDGE, "judge")),
    *((RULE, "rule"), (JUDGE_RULE, "judge_rule"), (TRANSITION, "transition")),
)
"""The shapes whose keys the tables of releases have, and what these call their level."""

_PAIRS = (*PAIRS, ("movements", "steps"))  # the word of pieces and that of workflows


@lru_cache(maxsize=4)
def table_of_release(release: str, notation: str) -> Shape:
    """The table of a release, such as 0.27.1. `notation` decides about keys in which releases don't differ."""
    return _Table(RELEASES.index(release), notation).of(PIECE_FILE)


class _Table:
    def __init__(self, release: int, notation: str) -> None:
        self._release = release
        self._notation = notation
        self._levels = {id(shape): level for shape, level in LEVELS}
        self._made: dict[int, Shape] = {}
        # Releases from 0.34 to 0.35 read the words of pieces and of workflows: a file keeps to its own.
        both_read = [all(self._is_read(row_at("top", name)) for name in pair) for pair in _PAIRS]
        own = 0 if notation == "piece" else 1
        self._other_words = {pair[1 - own] for pair, both in zip(_PAIRS, both_read, strict=True) if both}

    def of(self, shape: Shape) -> Shape:
        if id(shape) not in self._made:
            self._made[id(shape)] = shape._replace(
                of=self.of(shape.of) if shape.of is not None else None,
                fields=tuple(self._fields(shape)),
                either=tuple(map(self.of, shape.either)),
            )
        return self._made[id(shape)]

    def _fields(self, shape: Shape) -> Iterator[Field]:
        level = self._levels.get(id(shape))
        chosen: dict[str, Field] = {}
        for field in shape.fields:
            read = self._reads(field, level)
            if read and (field.name not in chosen or field.known_in(self._notation)):
                chosen[field.name] = field
        for name in self._other_words if level == "top" else ():
            chosen.pop(name, None)
        for field in chosen.values():
            yield field._replace(shape=self._values(level, field) or self.of(field.shape), formats=())

    def _values(self, level: str | None, field: Field) -> Shape | None:
        """The values that the release takes, where releases differ in them; a provider may be an object, too."""
        key = f"{'step' if level == 'sub' else level}.{field.name}"
        taken = [value for value in VALUES.get(key, ()) if self._is_read(value_row(key, value))]
        if not taken:
            return None
        if field.name == "provider" and self._is_read(row("step", "provider as {type,model,…}")):
            return Shape("either", either=(choice(*taken), PROVIDER))
        return choice(*taken)

    def _reads(self, field: Field, level: str | None) -> bool:
        row = row_at(level, field.name) if level is not None else None
        return field.known_in(self._notation) if row is None else self._is_read(row)

    def _is_read(self, row: Row | None) -> bool:
        return row is None or bool(row.read >> self._release & 1)
