"""Plans and how they are applied, on a cloud that is a dictionary."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypershift.infra import Ids, Piece, apply, plan
from hypershift.kit import SystemClock, TerminalError, TransientError

World = frozenset[str]
Make = Callable[[set[str], Ids], str]


class Hasty(SystemClock):
    async def sleep(self, seconds: float) -> None:
        assert seconds > 0
        await asyncio.sleep(0)


def quiet(_message: str, /, **_values: str) -> None:
    """Say nothing."""


def a_piece(key: str, *needs: str, make: Make | None = None) -> Piece[World, set[str]]:
    def ordinary(cloud: set[str], ids: Ids) -> str:
        assert set(needs) <= set(ids)
        cloud.add(key)
        return key

    return Piece(
        key,
        f"make {key}",
        lambda world, _: key if key in world else None,
        make or ordinary,
        lambda identity, _: ("Made", {"id": identity}),
        needs,
    )


def applied(pieces: list[Piece[World, set[str]]], cloud: set[str]) -> Ids:
    steps = plan(pieces, frozenset(cloud))
    return asyncio.run(apply(steps, cloud, lambda: frozenset(cloud), log=quiet, clock=Hasty()))


@given(st.sets(st.integers(0, 9)), st.lists(st.sets(st.integers(0, 9)), min_size=10, max_size=10))
def test_an_applied_plan_leaves_an_empty_plan(there: set[int], links: list[set[int]]) -> None:
    pieces = [
        a_piece(str(place), *(str(each) for each in needs if each < place))
        for place, needs in enumerate(links)
    ]
    cloud = {str(each) for each in there}
    assert applied(pieces, cloud) == {str(place): str(place) for place in range(10)}
    assert plan(pieces, frozenset(cloud)).steps == ()


def test_a_plan_prints_one_line_for_each_missing_piece() -> None:
    pieces = [a_piece("a"), a_piece("b", "a"), a_piece("c", "b")]
    assert list(plan(pieces, frozenset({"a"})).lines()) == ["make b", "make c"]


def test_a_piece_whose_need_is_missing_is_made_again() -> None:
    pieces = [a_piece("a"), a_piece("b", "a")]
    assert list(plan(pieces, frozenset({"b"})).lines()) == ["make a", "make b"]


def test_what_a_piece_follows_is_made_before_it_but_not_needed_to_find_it() -> None:
    made: list[str] = []

    def making(key: str) -> Make:
        def make(_: set[str], __: Ids) -> str:
            made.append(key)
            return key

        return make

    first = a_piece("a", make=making("a"))
    second = replace(a_piece("b", make=making("b")), follows=("a",))
    assert list(plan([first, second], frozenset({"b"})).lines()) == ["make a"]
    applied([first, second], set())
    assert made == ["a", "b"]
    with pytest.raises(ValueError, match="out of order"):
        plan([second, first], frozenset())


def test_a_piece_is_not_made_when_what_it_follows_failed() -> None:
    def refused(_: set[str], __: Ids) -> str:
        raise TerminalError("another run")

    cloud: set[str] = set()
    with pytest.raises(TerminalError):
        applied([a_piece("a", make=refused), replace(a_piece("b"), follows=("a",))], cloud)
    assert cloud == set()


def test_pieces_out_of_order_are_refused() -> None:
    with pytest.raises(ValueError, match="out of order"):
        plan([a_piece("b", "a"), a_piece("a")], frozenset())


def test_a_piece_whose_answer_was_lost_is_found_not_made_twice() -> None:
    made: list[str] = []

    def lost(cloud: set[str], _: Ids) -> str:
        made.append("a")
        cloud.add("a")
        raise TransientError("no answer")

    assert applied([a_piece("a", make=lost)], set()) == {"a": "a"}
    assert made == ["a"]


def test_a_refusal_ends_the_run_and_all_refusals_are_said() -> None:
    def refused(_: set[str], __: Ids) -> str:
        raise TerminalError("permission a is missing")

    def refused_too(_: set[str], __: Ids) -> str:
        raise TerminalError("permission b is missing")

    pieces = [a_piece("a", make=refused), a_piece("b", make=refused_too), a_piece("c", "a")]
    cloud: set[str] = set()
    with pytest.raises(TerminalError) as caught:
        applied(pieces, cloud)
    assert str(caught.value).splitlines() == ["permission a is missing", "permission b is missing"]
    assert cloud == set()


def test_a_fault_that_does_not_pass_is_raised_after_a_limit_of_attempts() -> None:
    seen: list[int] = []

    def fails(_: set[str], __: Ids) -> str:
        seen.append(1)
        raise TransientError("throttled")

    with pytest.raises(TransientError, match="throttled"):
        applied([a_piece("a", make=fails)], set())
    assert len(seen) == 11
