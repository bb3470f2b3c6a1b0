"""Shows flows laid out: at once, or after a while on a thread of its own, with provisional places until then."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal

from PySide6.QtCore import QObject, QTimer

from stepflow_gui.flow.layout import Corners
from stepflow_gui.flow.layout.router import Router
from stepflow_gui.flow.model import Flow
from stepflow_gui.gui.canvas.arrange import LONG_LAYOUT, Arranged, Arrangement, LayoutTask, MeasuredFlow
from stepflow_gui.gui.canvas.canvas_messages import CanvasMessages
from stepflow_gui.gui.canvas.scene import GraphScene
from stepflow_gui.gui.document.background.work import Background, BackgroundJob

Then = Callable[[], object]
"""What is done once a flow is laid out."""
_SECOND = 1000  # milliseconds
_AT_ONCE = 3  # chunks made before the first paint; of what is laid out on the thread one
_News = Literal["none", "places", "drawing", "all"]  # what of the picture is new: `all`: nothing is where it was


class LayingOut:
    """Of one canvas. A layout that another overtakes is cancelled, and never shown."""

    def __init__(
        self,
        owner: QObject,
        graph: GraphScene,
        arrangement: Arrangement,
        messages: CanvasMessages,
        chunk_built: Callable[[bool], object],
        placed: Callable[[bool], object],
    ) -> None:
        """`placed(new)` is called when boxes got places, `new` where nothing is where it was; see `ChunkedBuild`."""
        self._graph = graph
        self._arrangement = arrangement
        self._messages = messages
        self._placed = placed
        self._verdict: str | None = None
        self._then: list[Then] = []
        self._build = ChunkedBuild(owner, chunk_built)
        self._task: LayoutTask | None = None  # what is laid out on the thread
        self._background = Background("stepflow-layout", owner)
        self._background.reported.connect(self._measured)
        self._background.done.connect(self._done)
        self._seconds = 0
        self._clock = QTimer(owner)
        self._clock.setInterval(_SECOND)
        self._clock.timeout.connect(self._tick)

    @property
    def is_running(self) -> bool:
        """Whether a flow is still laid out on its thread."""
        return self._task is not None

    @property
    def is_building(self) -> bool:
        """Whether that is so, or items are to be made."""
        return self.is_running or self._build.is_running

    def show(self, flow: Flow, verdict: str | None, *, keep: bool, given: Corners, then: Then | None) -> None:
        """Lay a flow out and show it. `then` is called once it is shown, be it a later state of the flow."""
        self._verdict = verdict
        waiting = self._task
        if waiting is not None:
            keep = keep and waiting.corners is not None  # what isn't laid out yet can't be kept
            given = {**waiting.given, **given}
        self._then += [then] if then is not None else []
        task = self._arrangement.task(flow, keep=keep, given=given)
        if self._begin(task):
            return
        changes = self._arrangement.changes(task)
        if changes is not None:
            self._arrangement.take(changes.done())
        self._finish(flow, "none" if changes is None else "drawing" if keep else "all")

    def move(self, flow: Flow, corners: Corners) -> None:
        """Put the boxes of the flow that is shown elsewhere, all of them."""
        self._then.clear()
        task = self._arrangement.moving(flow, corners)
        if self._begin(task):
            self._arrangement.take_moved(corners)
            self._show(flow, "places")
            return
        before = self._arrangement.layout.boxes.keys()
        self._arrangement.take(task.done())
        self._finish(flow, "places" if before == self._arrangement.layout.boxes.keys() else "drawing")

    def cancel(self) -> None:
        """Lay out nothing any more."""
        self._stop()
        self._then.clear()
        self._messages.set_laying_out(None)

    def _begin(self, task: LayoutTask) -> bool:
        """Have a long task done on the thread; False for a short one."""
        self._stop()
        if not self._arrangement.is_long(task):
            return False
        self._task = task._replace(router=Router())
        self._background.start(partial(_work, self._task))
        self._seconds = 0
        self._clock.start()
        self._messages.set_laying_out(len(task.flow.steps))
        return True

    def _stop(self) -> None:
        if self._task is not None:
            self._background.drop()
        self._clock.stop()
        self._task = None

    def _measured(self, found: MeasuredFlow) -> None:
        if self._task is None or found.flow.steps.keys() == self._arrangement.steps:
            return
        if self._task.corners is None:
            self._arrangement.take_provisional(found)
            self._show(found.flow, "all")
        else:
            self._arrangement.take_kept(found, {**self._task.corners, **self._task.given})
            self._show(found.flow, "drawing")

    def _done(self, arranged: Arranged) -> None:
        task = self._task
        assert task is not None
        self._stop()
        self._arrangement.take(arranged)
        self._finish(task.flow, "all" if task.corners is None else "drawing")

    def _finish(self, flow: Flow, news: _News) -> None:
        then, self._then = self._then, []
        self._messages.set_laying_out(None)
        self._show(flow, news)
        for each in then:
            each()

    def _show(self, flow: Flow, news: _News) -> None:
        graph, arrangement = self._graph, self._arrangement
        if arrangement.folded is not None or graph.groups.cards:
            groups = arrangement.groups if arrangement.folded is not None else ()
            graph.groups.set_groups(flow, groups, arrangement.folded)
        whole = not self._build.is_running
        if news == "none" and whole:
            graph.refresh(flow, self._verdict)
            return
        if news == "places" and whole:
            graph.update_layout(arrangement.layout)
        else:
            if graph.selected is not None and graph.selected not in flow.steps:
                graph.select(None)
            elif graph.also:
                graph.select(graph.selected, also=graph.also & flow.steps.keys())
            chunks = graph.show_layout(flow, arrangement.layout, arrangement.shapes, self._verdict)
            self._build.start(chunks, at_once=_AT_ONCE if len(flow.steps) <= LONG_LAYOUT else 1)
        self._placed(news == "all")

    def _tick(self) -> None:
        self._seconds += 1
        if self._task is not None:
            self._messages.set_laying_out(len(self._task.flow.steps), self._seconds)


class ChunkedBuild:
    """Makes the items of a large flow in chunks, so the window answers in between.

    It goes through one iterator at a time, whose every step makes a chunk.
    """

    def __init__(self, owner: QObject, after_chunk: Callable[[bool], object]) -> None:
        """`after_chunk` is called with whether it was the last one."""
        self._after_chunk = after_chunk
        self._chunks: Iterator[None] | None = None
        self._timer = QTimer(owner)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._make_chunk)

    @property
    def is_running(self) -> bool:
        """Whether chunks are still to be made."""
        return self._chunks is not None

    def start(self, chunks: Iterator[None], at_once: int) -> None:
        """Make so many chunks now and the others by and by; those of an earlier call are left out."""
        self._chunks = chunks
        for _chunk in range(at_once):
            self._make_chunk()
        if self._chunks is not None:
            self._timer.start()

    def _make_chunk(self) -> None:
        if self._chunks is None:
            return
        done = next(self._chunks, self) is self
        if done:
            self._chunks = None
            self._timer.stop()
        self._after_chunk(done)


def _work(task: LayoutTask, job: BackgroundJob) -> Arranged:
    found = task.measured()
    job.report(found)
    return task._replace(known=found).done()
