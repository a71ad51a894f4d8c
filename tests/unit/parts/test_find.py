import pytest

from hypershift.kit import UsageError
from hypershift.parts import (
    EMBEDDED,
    KUBERNETES,
    KUBERNETES_VERSIONS,
    UnknownPart,
    find,
    parts,
    titles,
)


def test_a_plain_name_means_the_default_kubernetes() -> None:
    assert find("kubelet").version == KUBERNETES


def test_another_kubernetes_is_asked_for_behind_the_name_or_beside_it() -> None:
    older = KUBERNETES_VERSIONS[1]
    assert find(f"kubelet@{older}") == find("kubelet", older)
    assert find("kubelet", older).id == f"kubelet@{older}"


def test_parts_with_one_version_do_not_follow_kubernetes() -> None:
    assert find("etcd", KUBERNETES_VERSIONS[1]) == find("etcd")


@pytest.mark.parametrize("name", ["kubelett", "kubelet@1.2.3", "etcd@9.9.9", ""])
def test_a_name_outside_the_table_is_refused_with_the_way_to_see_it(name: str) -> None:
    with pytest.raises(UnknownPart, match="hypershift parts list"):
        find(name)


def test_a_kubernetes_outside_the_table_is_named_with_those_in_it() -> None:
    with pytest.raises(UsageError, match=KUBERNETES):
        find("kubelet", "1.20.0")


def test_every_part_is_found_by_its_own_id() -> None:
    assert all(find(part.id) == part for part in parts())


def test_the_embedded_cluster_asks_only_for_parts_of_the_table() -> None:
    assert {find(name).id for name in EMBEDDED} <= {part.id for part in parts()}


def test_many_parts_are_named_by_what_they_come_from() -> None:
    wanted = ("etcd", "etcdctl", "kubelet", "kubectl", "busybox", "socat", "bridge")
    assert titles(find(name) for name in wanted) == [
        f"etcd {find('etcd').version}",
        f"kubernetes {find('kubelet').version}",
        f"cni-plugins {find('bridge').version}",
        "2 tools of the distribution",
    ]
    assert titles([find("runc")]) == [f"runc {find('runc').version}"]
