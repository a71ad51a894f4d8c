import os
from pathlib import Path

import pytest

from hypershift.parts.cache import Cache, State
from hypershift.parts.part import GoModule, Part

MODULE = GoModule(name="pause", version="1.0.0", upstream="example", packages={"pause": "."})
PART = Part("pause", MODULE, "pause")


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "parts")


def stored(cache: Cache, content: bytes = b"binary") -> Path:
    made = cache.workspace("pause") / "pause"
    made.write_bytes(content)
    return cache.store(PART, made, source="build", toolchain="go1.26.8")


def test_a_stored_binary_is_found_executable_with_its_record(cache: Cache) -> None:
    file = stored(cache)
    assert cache.find(PART) == file
    assert os.access(file, os.X_OK)
    record = cache.record(PART)
    assert record is not None
    assert (record.size, record.source, record.toolchain) == (6, "build", "go1.26.8")


def test_an_empty_cache_has_nothing(cache: Cache) -> None:
    assert cache.look(PART) is State.ABSENT
    assert cache.find(PART) is None


def test_a_changed_file_is_noticed(cache: Cache) -> None:
    stored(cache).write_bytes(b"rotten")
    assert cache.look(PART) is State.CORRUPT
    assert cache.find(PART) is None


def test_a_touched_file_is_read_and_still_accepted(cache: Cache) -> None:
    os.utime(stored(cache), (1, 1))
    assert cache.look(PART) is State.READY


def test_a_thorough_look_sees_what_size_and_time_hide(cache: Cache) -> None:
    file = stored(cache)
    before = file.stat()
    file.write_bytes(b"rotten")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert cache.look(PART) is State.READY
    assert cache.look(PART, thorough=True) is State.CORRUPT


def test_a_binary_of_another_recipe_is_stale(cache: Cache) -> None:
    stored(cache)
    other = GoModule(
        name="pause", version="1.0.0", upstream="x", packages={"pause": "."}, tags=("x",)
    )
    assert cache.look(Part("pause", other, "pause")) is State.STALE


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"sha256": 5}'])
def test_an_unreadable_record_counts_as_absent(cache: Cache, content: bytes) -> None:
    file = stored(cache)
    file.with_name("pause.json").write_bytes(content)
    assert cache.look(PART) is State.ABSENT


def test_a_crash_between_binary_and_record_is_noticed(cache: Cache) -> None:
    stored(cache, b"first")
    record = cache.place(PART).with_name("pause.json").read_bytes()
    stored(cache, b"other")
    cache.place(PART).with_name("pause.json").write_bytes(record)
    assert cache.look(PART) is State.CORRUPT


def test_a_workspace_starts_empty_after_a_killed_predecessor(cache: Cache) -> None:
    (cache.workspace("x") / "leftover").write_text("half")
    assert list(cache.workspace("x").iterdir()) == []
