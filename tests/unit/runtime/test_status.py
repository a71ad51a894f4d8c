"""The patch of a status: nothing when equal, nulls kept, stale pictures refused."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.lib.sim.patches import json_patched

from hypershift.kube.shape import duplicate
from hypershift.runtime.status import status_patch

values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab/~", max_size=2), inner),
    max_leaves=8,
)
statuses = st.dictionaries(st.text("ab/~", min_size=1, max_size=3), values, max_size=4)


def an_object(status: dict[str, Any] | None) -> dict[str, Any]:
    manifest: dict[str, Any] = {"metadata": {"uid": "u", "resourceVersion": "7"}}
    return manifest if status is None else manifest | {"status": status}


@given(st.none() | statuses, statuses)
def test_the_patch_leads_from_one_status_to_the_other(
    before: dict[str, Any] | None, after: dict[str, Any]
) -> None:
    manifest = an_object(before)
    patch = status_patch(manifest, after)
    assert json_patched(duplicate(manifest), patch).get("status") or after == {}


@given(st.none() | statuses)
def test_the_same_status_needs_no_patch(before: dict[str, Any] | None) -> None:
    assert status_patch(an_object(before), duplicate(before or {})) == []


def test_each_changed_field_is_tested_to_be_what_we_read() -> None:
    patch = status_patch(an_object({"a": 1, "b": 2, "c": 3}), {"a": 1, "b": 5, "d": None})
    assert patch == [
        {"op": "test", "path": "/metadata/uid", "value": "u"},
        {"op": "test", "path": "/status/b", "value": 2},
        {"op": "replace", "path": "/status/b", "value": 5},
        {"op": "remove", "path": "/status/c"},
        {"op": "add", "path": "/status/d", "value": None},
    ]
