"""The bands of stages on the canvas: named, around their steps, gone where there are no stages."""

from stepflow_gui.formats.read import read_flow
from stepflow_gui.gui.canvas.layers.stage_bands import shown_area
from tests.formats.test_shapes import document_of
from tests.gui.canvas.conftest import ShowView, issue_flow, picture
from tests.seeds.documents import COMPLETE


def test_each_stage_has_its_band(show: ShowView) -> None:
    view = show(read_flow(document_of(COMPLETE)))
    bands = view.graph.regions.bands
    assert [name for name, _area in bands.areas] == ["initial", "continuation", "complete"]
    for name, area in bands.areas:
        item = view.graph.step_item(f"{name}.issue")
        assert item is not None
        assert area.contains(item.frame)
        assert view.graph.content_rect().contains(area)
    assert shown_area(view.graph.flow, view.arrangement.layout).contains(bands.areas[0][1])
    before = bands.areas
    view.set_layout_positions({"initial.issue": (0.0, -60.0)})
    assert bands.areas[0][1].top() < before[0][1].top()
    view.zoom_to(0.2)  # painted without items
    assert not picture(view).isNull()
    view.show_flow(issue_flow(), keep_positions=False, verdict=None)
    assert bands.areas == []
