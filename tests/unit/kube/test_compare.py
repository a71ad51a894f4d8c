"""Desired against live: what counts as a difference."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypershift.kube.compare import differences, digest, project, quantity

json = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text("abc", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=3), inner),
    max_leaves=12,
)


@given(json)
def test_a_value_never_differs_from_itself(value: Any) -> None:
    assert list(differences(value, value)) == []


@given(st.dictionaries(st.text("abc", max_size=3), json), st.dictionaries(st.just("zz"), json))
def test_what_others_add_is_no_difference(desired: dict[str, Any], extra: dict[str, Any]) -> None:
    assert list(differences(desired, extra | desired)) == []
    assert project(extra | desired, desired) == desired


@pytest.mark.parametrize(
    ("desired", "live", "found"),
    [
        ({"a": {"b": 1}}, {"a": {"b": 2}}, ["a.b"]),
        ({"a": [1, 2]}, {"a": [1]}, ["a"]),
        ({"a": [{"x": 1}]}, {"a": [{"x": 1, "y": 2}]}, []),
        ({"env": [{"name": "A", "v": 1}]}, {"env": [{"name": "B"}, {"name": "A", "v": 1}]}, []),
        ({"env": [{"name": "A", "v": 1}]}, {"env": [{"name": "A", "v": 2}]}, ["env[A].v"]),
        ({"finalizers": ["x"]}, {"finalizers": ["y", "x"]}, []),
        ({"finalizers": ["x"]}, {"finalizers": ["y"]}, ["finalizers[x]"]),
        ({"limits": {"cpu": "0.5"}}, {"limits": {"cpu": "500m"}}, []),
        ({"limits": {"cpu": "1"}}, {"limits": {"cpu": "500m"}}, ["limits.cpu"]),
        ({"nodeSelector": {}}, {}, []),
        ({"x": None, "y": [], "z": "", "f": False}, {}, []),
        ({"x": "a"}, {}, ["x"]),
        ({"n": 1}, {"n": True}, ["n"]),
    ],
)  # fmt: skip
def test_differences_are_named_by_path(desired: Any, live: Any, found: list[str]) -> None:
    assert list(differences(desired, live)) == found


@pytest.mark.parametrize(
    ("one", "other"),
    [("1", "1000m"), ("0.5", "500m"), ("1Gi", "1024Mi"), ("1e3", "1k"), ("2Ki", "2048")],
)  # fmt: skip
def test_quantities_are_numbers(one: str, other: str) -> None:
    assert quantity(one) == quantity(other)


def test_digests_ignore_the_order_of_keys() -> None:
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    assert digest({"a": 1}) != digest({"a": 2})
