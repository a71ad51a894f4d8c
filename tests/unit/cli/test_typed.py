"""Options of commands as types, and what commands read by the names of their flags."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from hypershift.cli.command import Command, flags_of
from hypershift.cli.flags import INT, Flag, Values
from hypershift.cli.main import HCP, HYPERSHIFT
from hypershift.cli.typed import Typed, named, options
from hypershift.kit import UsageError


@dataclass(frozen=True, slots=True)
class Grow:
    name: str
    max_nodes: int
    zones: int | None


def given(*names: str) -> Values:
    return Values({"name": "demo", "max-nodes": 3, "zones": 0}, frozenset(names))


def test_options_are_the_values_of_flags() -> None:
    assert options(Grow, given("zones")) == Grow("demo", 3, 0)


def test_an_option_that_may_lack_is_none_unless_given() -> None:
    assert options(Grow, given()) == Grow("demo", 3, None)


def test_a_command_runs_with_its_options() -> None:
    seen: list[Grow] = []
    assert Typed(Grow, seen.append)(given()) is None
    assert seen == [Grow("demo", 3, None)]


@dataclass(frozen=True, slots=True)
class Move:
    as_: str
    subject: str
    words: tuple[str, ...]
    passed: tuple[str, ...]
    given: frozenset[str]


def test_words_beside_the_flags_have_fields_of_their_own() -> None:
    line = Values({"as": "me"}, frozenset({"as"}), ("demo",), ())
    assert options(Move, line) == Move("me", "demo", ("demo",), (), frozenset({"as"}))


def test_a_command_about_one_object_refuses_two_names() -> None:
    with pytest.raises(UsageError, match="give exactly one NAME"):
        options(Move, Values({"as": ""}, frozenset(), ("one", "two")))


def test_an_option_without_a_flag_is_found() -> None:
    flags = {"name": Flag("name"), "zones": Flag("zones", type=INT)}
    assert list(Typed(Grow, print).unknown(flags)) == ["max-nodes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Disk:
    kind: str = named("diskType")
    size: int = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    disk: Disk
    name: str


def test_a_part_takes_its_options_from_the_same_flags() -> None:
    line = Values({"diskType": "ssd", "size": 9, "name": "demo"}, frozenset())
    assert options(Machine, line) == Machine(disk=Disk(kind="ssd", size=9), name="demo")


def test_an_option_of_another_program_keeps_its_default() -> None:
    assert options(Disk, Values({"diskType": "ssd"}, frozenset())) == Disk(kind="ssd", size=8)
    flags = {"name": Flag("name"), "diskType": Flag("diskType")}
    assert list(Typed(Machine, print).unknown(flags)) == []
    assert list(Typed(Machine, print).unknown({})) == ["name", "diskType"]
    assert list(Typed(Machine, print).flags()) == ["name", "diskType", "size"]


def every(path: tuple[Command, ...]) -> Iterator[tuple[Command, ...]]:
    yield path
    for child in path[-1].commands:
        yield from every((*path, child.load()))


PATHS = [*every((HYPERSHIFT,)), *every((HCP,))]
FLAGS = frozenset(name for path in PATHS for name in flags_of(path))
RUNNING = [path for path in PATHS if path[-1].run is not None]


@pytest.mark.parametrize("path", RUNNING, ids=lambda path: " ".join(each.name for each in path))
def test_each_option_has_a_flag_of_its_command(path: tuple[Command, ...]) -> None:
    assert path[-1].run is not None
    typed = path[-1].run.load()
    assert list(typed.unknown(flags_of(path))) == []
    assert set(typed.flags()) - FLAGS == set()
