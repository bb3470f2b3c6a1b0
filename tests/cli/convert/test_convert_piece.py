"""`stepflow convert` on TAKT pieces."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.formats.takt.migrating.test_migration import PIECE, WORKFLOW


@pytest.fixture
def piece(tmp_path: Path) -> Path:
    file = tmp_path / "old.yaml"
    file.write_text(PIECE)
    return file


def test_what_would_change_is_shown_and_nothing_written(run: Run, piece: Path) -> None:
    code, out, err = run("convert", piece, "--to", "workflow")
    assert code == 1
    assert {"-movements:", "+steps:"} <= set(out.splitlines())
    assert "  /movements/0/rules/0/condition: ai(…) is a label now" in err
    assert piece.read_text() == PIECE


def test_it_is_written_in_place_or_elsewhere(run: Run, piece: Path, tmp_path: Path) -> None:
    assert run("convert", piece, "--output", tmp_path / "new.yaml").code == 0
    assert ((tmp_path / "new.yaml").read_text(), piece.read_text()) == (WORKFLOW, PIECE)
    assert run("convert", piece, "--write").code == 0
    assert piece.read_text() == WORKFLOW
    code, _out, err = run("convert", piece, "--write")
    assert (code, "doesn't load the file until this is fixed" in err) == (0, True)


def test_folders_are_made_and_files_are_kept(run: Run, piece: Path, tmp_path: Path) -> None:
    new = tmp_path / "not" / "there" / "new.yaml"
    assert run("convert", piece, "--output", new).code == 0
    assert new.read_text() == WORKFLOW
    for kept in (new, piece):
        kept.write_text("mine: 1\n" + PIECE)
        code, _out, err = run("convert", piece, "--output", kept)
        assert (code, kept.read_text()) == (2, "mine: 1\n" + PIECE)
        assert "it already exists; use --force to overwrite it" in err
        kept.write_text(PIECE)
    assert run("convert", piece, "--output", new, "--force").code == 0
    assert new.read_text() == WORKFLOW


def test_as_json(run: Run, piece: Path) -> None:
    told = json.loads(run("convert", piece, "--format", "json").out)
    assert told["text"] == WORKFLOW
    assert {"pointer", "message"} == set(told["left"][0])


def test_where_it_cannot_be_written_that_is_reported(run: Run, piece: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, _out, err = run("convert", piece, "--output", tmp_path / "file" / "new.yaml")
    assert (code, "can't be written" in err) == (2, True)
    assert run("convert", piece, "--output", tmp_path / "x.yaml", "--write").code == 2


@pytest.mark.parametrize("text", [b'name: x\nmovements:\n  - name: "a\n', b"name: \xff\xfe\n"], ids=["open", "bytes"])
def test_a_piece_that_cant_be_read_is_reported_so_and_not_that_the_format_is_wrong(
    text: bytes, run: Run, piece: Path
) -> None:
    piece.write_bytes(text)
    code, _out, err = run("convert", piece, "--to", "workflow")
    assert (code, str(piece) in err, "--to" in err) == (2, True, False)


def test_older_and_newer_releases_are_targets(run: Run, piece: Path) -> None:
    older = run("convert", piece, "--to", "takt-0.12")
    assert "+max_movements: 5" in older.out.splitlines()
    assert "-movements:" not in older.out.splitlines()
    told = json.loads(run("convert", piece, "--to", "takt-0.34", "--format", "json").out)
    assert (told["to"], told["written"]) == ("0.34.0", False)
    assert {each["pointer"] for each in told["refused"]} == {"/movements/0/output_contracts/report/1/format"}
    assert told["meaning"]


@pytest.mark.parametrize("word", ["takt", "0.36", "takt-x", "closing", ""])
def test_another_target_is_refused_with_what_is_meant(word: str, run: Run, piece: Path) -> None:
    code, _out, err = run("convert", piece, "--to", word)
    assert (code, "such as takt-0.36, takt-latest or takt-head" in err) == (2, True)


def test_settings_are_moved_beside_the_piece_only_where_that_is_asked_for(run: Run, tmp_path: Path) -> None:
    piece = tmp_path / ".takt" / "workflows" / "w.yaml"
    piece.parent.mkdir(parents=True)
    piece.write_text(WORKFLOW.replace("    required_", "    provider: claude\n    required_").replace(" && b", ""))
    runtime = tmp_path / ".takt" / "runtime.yaml"
    assert run("convert", piece).code == 1
    shown = run("convert", piece, "--move-settings")
    assert (shown.code, "+++ b/" in shown.out, "runtime.yaml" in shown.out, runtime.exists()) == (1, True, True, False)
    assert run("convert", piece, "--move-settings", "--write").code == 0
    assert "old/work:" in runtime.read_text()
    assert "provider" not in piece.read_text()
    runtime.write_text("provider: [\n")
    piece.write_text(piece.read_text().replace("    required_", "    provider: claude\n    required_"))
    code, _out, err = run("convert", piece, "--move-settings", "--write")
    assert (code, "runtime.yaml has to be read without mistakes" in err) == (2, True)
    assert "provider: claude" in piece.read_text()


def test_a_file_that_the_release_refuses_is_not_called_right(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "flow.yaml"
    file.write_text(
        "name: x\nmax_steps: 5\ninitial_step: a\nsteps:\n  - name: a\n    persona: c\n    instruction: y\n"
        "    promotion: [{at: 2, model: m}]\n    rules:\n      - {condition: done, next: COMPLETE}\n"
    )
    err = run("convert", file, "--to", "takt-0.60").err
    assert "/steps/0/promotion" in err
    assert "nothing has to change" not in err


STILL_READ = (  # by 0.34 and 0.35 in both words
    "name: x\nmax_steps: 5\ninitial_step: a\nsteps:\n"
    "  - {name: a, persona: c, instruction: do it, rules: [{condition: ok, next: COMPLETE}]}\n"
)


def _at(tmp_path: Path, folder: str, text: str) -> Path:
    file = tmp_path / ".takt" / folder / "mine" / "x.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    return file


@pytest.mark.parametrize(
    ("folder", "text", "target", "wanted"),
    [
        ("pieces", PIECE, "0.36", "workflows"),
        ("pieces", STILL_READ, "0.36", "workflows"),
        ("pieces", PIECE, "0.35", ""),
        ("workflows", STILL_READ, "0.60", ""),
        ("workflows", STILL_READ, "0.33", "pieces"),
        ("pieces", PIECE, "0.3", "workflows"),
    ],
)
def test_the_folder_of_the_release_is_named(
    folder: str, text: str, target: str, wanted: str, run: Run, tmp_path: Path
) -> None:
    file = _at(tmp_path, folder, text)
    err = run("convert", file, "--to", f"takt-{target}").err
    assert (f"looks for the file in .takt/{wanted}: move it there from .takt/{folder}" in err) == bool(wanted)
    assert ("looks for the file" in err) == bool(wanted)
    assert not wanted or "nothing has to change" not in err
    elsewhere = tmp_path / "free.yaml"
    elsewhere.write_text(text)
    assert "looks for the file" not in run("convert", elsewhere, "--to", f"takt-{target}").err


def test_the_file_is_moved_where_that_is_asked_for(run: Run, tmp_path: Path) -> None:
    file = _at(tmp_path, "pieces", PIECE)
    moved = tmp_path / ".takt" / "workflows" / "mine" / "x.yaml"
    (file.parent / "flow_tests" / "x").mkdir(parents=True)
    shown = run("convert", file, "--move-file")
    assert (shown.code, file.exists(), moved.exists()) == (1, True, False)
    assert "x.yaml goes to " in shown.err
    assert "Its tests stay in" in shown.err
    assert "looks for the file" not in shown.err
    assert run("convert", file, "--move-file", "--write").code == 0
    assert (moved.read_text(), file.exists()) == (WORKFLOW, False)
    file.write_text(PIECE)
    code, _out, err = run("convert", file, "--move-file", "--write")
    assert (code, "it exists already" in err, file.read_text(), moved.read_text()) == (2, True, PIECE, WORKFLOW)
    assert run("convert", file, "--move-file", "--output", tmp_path / "y.yaml").code == 2
    assert json.loads(run("convert", file, "--move-file", "--json").out)["goes"].endswith("workflows/mine/x.yaml")


def test_shared_options_are_named_as_the_release_names_them(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    shared = "persona: c, provider_options: {$ref: ./options/fast.yaml}"
    file.write_text(STILL_READ.replace("persona: c", shared))
    code, out, err = run("convert", file, "--to", "takt-0.47")
    assert (code, "provider_options: {extends: fast}" in out) == (1, True)
    assert "/steps/0/provider_options/$ref: “extends” looks it up by its name" in err
    assert run("convert", file, "--to", "takt-0.46").code == 0
    assert "refuses it" in run("convert", file, "--to", "takt-0.60").err


def test_a_file_of_which_the_release_reads_a_part_is_not_called_right(run: Run, tmp_path: Path) -> None:
    file = tmp_path / ".takt" / "workflows" / "x.yaml"
    file.parent.mkdir(parents=True)
    rules = "    rules:\n      - condition: done\n        next: COMPLETE\n"
    file.write_text(f"name: x\nsteps:\n  - name: a\n    agent: coder\n    instruction_template: do\n{rules}", "utf-8")
    err = run("convert", file, "--to", "takt-0.2").err
    assert "nothing has to change" not in err
    assert "TAKT 0.2.3 loads it as it is, but doesn't read all of it." in err
    assert "/steps/0/rules" in err
