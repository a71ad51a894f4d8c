"""Names around a hosted cluster."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from hypershift.kit import Key
from hypershift.kit.names import infra_id
from hypershift.operators.hypershift.hosted_cluster import names

words = st.from_regex(r"[a-z0-9]([-a-z0-9.]{0,50}[a-z0-9])?", fullmatch=True)


@given(words, st.integers())
def test_an_infra_id_is_short_and_a_label_whatever_the_name(name: str, seed: int) -> None:
    made = infra_id(name, Random(seed))  # noqa: S311 - an id, no secret
    assert len(made) <= 27
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert not made.startswith("-")
    assert not made.endswith("-")


def test_an_object_tells_the_clusters_that_use_it() -> None:
    secret = {
        "metadata": {
            "name": "pull",
            "namespace": "clusters",
            "annotations": {"referenced-resource.hypershift.openshift.io/demo": "true"},
        }
    }
    assert names.referencing_clusters(secret) == [Key("clusters", "demo")]


@given(words, words)
def test_an_object_finds_its_cluster_again(namespace: str, name: str) -> None:
    key = Key(namespace, name)
    marked = {"metadata": {"annotations": names.cluster_annotation(key)}}
    assert names.cluster_of(marked) == key
