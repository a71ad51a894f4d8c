"""Selectors that the cache decides by itself; the contract suite compares them with a server."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypershift.kube.selectors import field_selector, label_selector, selector


@pytest.mark.parametrize("text", ["a in b", "a=b=c", "a in (b", "=x", "a b"])
def test_a_selector_that_does_not_parse_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="does not parse"):
        label_selector(text)


def test_an_empty_selector_chooses_everything() -> None:
    assert label_selector("")({"metadata": {}})
    assert field_selector("")({"metadata": {}})


def test_fields_are_compared_as_text() -> None:
    pod = {"metadata": {"name": "a"}, "spec": {"nodeName": "n", "replicas": 3}}
    assert field_selector("spec.nodeName=n,metadata.name!=b")(pod)
    assert field_selector("spec.replicas=3")(pod)
    assert field_selector("spec.other=")(pod)
    assert not field_selector("spec.nodeName=m")(pod)


words = st.text("abcdefgh", min_size=1, max_size=5)


@given(st.dictionaries(words, words, max_size=4), st.dictionaries(words, words, max_size=4))
def test_exact_labels_choose_whoever_carries_them(
    wanted: dict[str, str], carried: dict[str, str]
) -> None:
    manifest = {"metadata": {"labels": carried}}
    assert label_selector(selector(wanted))(manifest) == (wanted.items() <= carried.items())
