"""From a changed object to the keys it concerns."""

from hypershift.kit import Key, Manifest
from hypershift.kube import kinds
from hypershift.runtime import mapping


def an_object(**metadata: object) -> Manifest:
    return {"metadata": {"name": "x", "namespace": "n", **metadata}}


def test_owners_of_the_kind_are_named() -> None:
    owner = {"apiVersion": "hypershift.openshift.io/v1beta1", "kind": "NodePool", "name": "p"}
    other = {"apiVersion": "other.io/v1", "kind": "NodePool", "name": "q"}
    manifest = an_object(ownerReferences=[owner, other])
    assert list(mapping.by_owner(kinds.NODE_POOL)(manifest)) == [Key("n", "p")]
    assert list(mapping.by_owner(kinds.NODE_POOL, controller_only=True)(manifest)) == []
    assert list(mapping.by_owner(kinds.NODE_POOL)(an_object())) == []


def test_an_owner_of_any_version_of_its_group_counts() -> None:
    owner = {"apiVersion": "hypershift.openshift.io/v1alpha1", "kind": "NodePool", "name": "p"}
    keys = mapping.by_owner(kinds.NODE_POOL)(an_object(ownerReferences=[owner]))
    assert list(keys) == [Key("n", "p")]


def test_cluster_scoped_owners_have_no_namespace() -> None:
    owner = {"apiVersion": "v1", "kind": "Node", "name": "a"}
    assert list(mapping.by_owner(kinds.NODE)(an_object(ownerReferences=[owner]))) == [Key("", "a")]


def test_labels_and_annotations_name_objects() -> None:
    manifest = an_object(labels={"of": "a"}, annotations={"of": "other/b"})
    assert list(mapping.by_label("of")(manifest)) == [Key("n", "a")]
    assert list(mapping.by_label("of", "fixed")(manifest)) == [Key("fixed", "a")]
    assert list(mapping.by_annotation("of")(manifest)) == [Key("other", "b")]
    assert list(mapping.by_annotation("none")(manifest)) == []
    assert list(mapping.itself(manifest)) == [Key("n", "x")]
