from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from hypershift.kit import UsageError
from hypershift.local.host import preflight
from hypershift.local.host.preflight import GIB, Machine, Work

GOOD = Machine(
    system="linux",
    root=True,
    tools=frozenset(preflight.PACKAGES),
    file_systems=frozenset(preflight.FILE_SYSTEMS),
    disk_free=100 * GIB,
    memory_free=16 * GIB,
)
WORK = Work(nodes=3)


def test_a_good_host_has_no_complaints() -> None:
    assert preflight.complaints(GOOD, WORK) == []
    preflight.check(GOOD, WORK)


@pytest.mark.parametrize(
    ("machine", "sentence"),
    [
        (replace(GOOD, system="darwin", root=False), "needs Linux; this is darwin"),
        (replace(GOOD, root=False), "needs root .* run it with sudo"),
    ],
)
def test_where_nothing_can_be_tried_one_sentence_says_so(machine: Machine, sentence: str) -> None:
    preflight.check_system(GOOD)
    with pytest.raises(UsageError, match=sentence):
        preflight.check_system(machine)


@pytest.mark.parametrize(
    ("machine", "word"),
    [
        (replace(GOOD, file_systems=frozenset({"proc", "tmpfs"})), "overlay"),
        (replace(GOOD, disk_free=GIB), "of disk"),
        (replace(GOOD, memory_free=GIB), "of memory"),
        (replace(GOOD, ports_taken=(5000,)), "port 5000"),
    ],
)
def test_each_obstacle_is_named_with_its_remedy(machine: Machine, word: str) -> None:
    with pytest.raises(UsageError, match=word):
        preflight.check(machine, WORK)


def test_a_tool_that_is_missing_is_known_by_its_package() -> None:
    assert preflight.absent(GOOD) == ()
    missing = preflight.absent(replace(GOOD, tools=frozenset()))
    assert [preflight.PACKAGES[tool] for tool in missing] == ["iproute2"]


def test_more_nodes_need_more() -> None:
    assert Work(nodes=6).memory > Work(nodes=1).memory
    assert Work(nodes=6).disk > Work(nodes=1).disk
    assert Work(nodes=1, build_time=timedelta(minutes=20)).disk > Work(nodes=1).disk


def test_the_summary_says_what_is_built_and_how_long_it_takes() -> None:
    lines = preflight.summary(Work(nodes=1, build_time=timedelta(minutes=18)), Path("/s"), ["etcd"])
    assert any("etcd" in line and "18 min" in line for line in lines)
    assert len(preflight.summary(WORK, Path("/s"), [])) == 2


def test_this_host_can_be_looked_at(tmp_path: Path) -> None:
    seen = preflight.look(tmp_path / "not" / "there" / "yet")
    assert seen.disk_free > 0
    assert seen.memory_free > 0
