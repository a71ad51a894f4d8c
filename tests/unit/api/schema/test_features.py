"""Feature sets and gates."""

import pytest

from hypershift.api.schema.features import LOCAL_PLATFORM, FeatureSet, gates_of, is_on
from hypershift.kit import UsageError


def test_each_feature_set_has_the_gates_of_the_one_before_it() -> None:
    default, preview, custom = (gates_of(each) for each in FeatureSet)
    assert default < preview < custom


def test_our_own_gate_is_part_of_no_feature_set() -> None:
    assert all(LOCAL_PLATFORM not in gates_of(each) for each in FeatureSet)
    assert LOCAL_PLATFORM in gates_of(FeatureSet.DEFAULT, [LOCAL_PLATFORM])


def test_an_unknown_gate_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match="unknown feature gate Warp; known: ExternalOIDC"):
        gates_of(FeatureSet.DEFAULT, ["Warp"])


def test_a_leading_dash_means_while_the_gate_is_off() -> None:
    assert is_on("", frozenset())
    assert is_on("-A", frozenset())
    assert not is_on("-A", frozenset({"A"}))
    assert is_on("A", frozenset({"A"}))
