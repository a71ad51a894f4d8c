"""Paths of kinds, objects and subresources."""

import pytest

from hypershift.kube import kinds
from hypershift.kube.resource import NotAName


def test_core_kinds_live_under_api() -> None:
    assert kinds.POD.item("web", "shop") == "/api/v1/namespaces/shop/pods/web"
    assert kinds.POD.collection() == "/api/v1/pods"


def test_groups_live_under_apis() -> None:
    path = kinds.HOSTED_CLUSTER.item("demo", "clusters", "status")
    assert path == (
        "/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/hostedclusters/demo/status"
    )


def test_cluster_scoped_kinds_ignore_a_namespace() -> None:
    assert kinds.NODE.item("a", "ignored") == "/api/v1/nodes/a"


def test_odd_names_are_quoted() -> None:
    assert kinds.CLUSTER_ROLE.item("a b").endswith("/clusterroles/a%20b")


@pytest.mark.parametrize(("name", "namespace"), [("", "shop"), ("web", "")])
def test_an_object_without_name_or_namespace_has_no_path(name: str, namespace: str) -> None:
    with pytest.raises(ValueError, match="needs a"):
        kinds.POD.item(name, namespace)


def test_every_kind_is_found_by_its_manifest() -> None:
    for resource in kinds.every():
        manifest = {"apiVersion": resource.api_version, "kind": resource.kind}
        assert kinds.resource_of(manifest) == resource


def test_no_two_kinds_share_a_path() -> None:
    paths = [resource.collection() for resource in kinds.every()]
    assert len(paths) == len(set(paths))


def test_an_unknown_kind_is_a_lookup_error() -> None:
    with pytest.raises(LookupError, match="Nothing"):
        kinds.resource_of({"apiVersion": "v1", "kind": "Nothing"})


@pytest.mark.parametrize("name", [".", "..", "a/b", "../secrets/x", "a\x00"])
def test_a_name_that_would_change_the_path_is_refused(name: str) -> None:
    with pytest.raises(NotAName):
        kinds.SECRET.item(name, "clusters")
    with pytest.raises(NotAName):
        kinds.SECRET.collection(name)
