from hypothesis import given
from hypothesis import strategies as st

from hypershift.kit import Key, annotations_of, deep_merge, key_of, labels_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


def test_a_key_reads_as_users_write_it() -> None:
    assert str(Key("clusters", "demo")) == "clusters/demo"
    assert str(Key("", "node-1")) == "node-1"


def test_metadata_may_be_bare() -> None:
    manifest = {"metadata": {"name": "x"}}
    assert key_of(manifest) == Key("", "x")
    assert labels_of(manifest) == {}
    assert annotations_of({"metadata": {"name": "x", "annotations": None}}) == {}


def test_maps_merge_and_lists_are_replaced() -> None:
    base = {"a": {"x": 1, "y": [1, 2]}, "b": 1}
    assert deep_merge(base, {"a": {"y": [3]}, "c": 2}) == {"a": {"x": 1, "y": [3]}, "b": 1, "c": 2}


@given(JSON)
def test_merging_a_value_into_itself_changes_nothing(value: object) -> None:
    assert deep_merge(value, value) == value
