import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hypershift.kit import replace_file, temporary_name


def test_writers_of_one_file_do_not_meet(tmp_path: Path) -> None:
    path, texts = tmp_path / "run.json", [bytes([65 + at]) * 4096 for at in range(8)]

    def write(text: bytes) -> None:
        for _ in range(50):
            replace_file(path, text)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, texts))
    assert path.read_bytes() in texts
    assert [one.name for one in tmp_path.iterdir()] == ["run.json"]


def test_a_file_below_an_open_directory_is_replaced_there(tmp_path: Path) -> None:
    descriptor = os.open(tmp_path, os.O_PATH)
    replace_file("a", b"x", descriptor, mode=0o640)
    os.close(descriptor)
    assert (tmp_path / "a").read_bytes() == b"x"
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/full").touch()
    with pytest.raises(OSError, match="directory"):
        replace_file(tmp_path / "a", b"x")
    assert [one.name for one in tmp_path.iterdir()] == ["a"]


def test_no_two_temporary_names_are_the_same() -> None:
    assert len({temporary_name("a") for _ in range(1000)}) == 1000
