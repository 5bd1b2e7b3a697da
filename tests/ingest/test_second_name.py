"""A second name of a file: a link where there are links, and never something else's place."""

import os

import pytest

from rulings.ingest.second_name import second_name


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "file"
    path.write_text("written once")
    return path


def test_it_is_the_same_file(file, tmp_path):
    second_name(file, tmp_path / "other")
    assert (tmp_path / "other").samefile(file)


def test_a_copy_does_where_there_are_no_links(file, tmp_path, monkeypatch):
    def none(*_):
        raise OSError("no links here")

    monkeypatch.setattr(os, "link", none)
    second_name(file, tmp_path / "other")
    assert (tmp_path / "other").read_text() == "written once"
    assert not (tmp_path / "other").samefile(file)


@pytest.mark.parametrize("links", [True, False])
def test_what_is_there_stays(file, tmp_path, monkeypatch, links):
    mine, former = tmp_path / "mine", tmp_path / "former"
    former.write_text("mine")
    os.link(former, mine)
    if not links:
        monkeypatch.setattr(os, "link", lambda *_: (_ for _ in ()).throw(PermissionError()))
    with pytest.raises(FileExistsError):
        second_name(file, mine)
    assert former.read_text() == "mine"


def test_of_a_symbolic_link_the_file_is_named(file, tmp_path):
    (tmp_path / "pointer").symlink_to(file)
    second_name(tmp_path / "pointer", tmp_path / "other")
    assert not (tmp_path / "other").is_symlink()
    assert (tmp_path / "other").samefile(file)
