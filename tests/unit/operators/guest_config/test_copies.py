"""Copies of what the user gave, in the guest."""

from base64 import b64encode
from dataclasses import replace

from tests.lib.memory import MemoryClient
from tests.unit.operators.guest_config.scopes import VALUES, a_scope, named

from hypershift.kit import Manifest, data_of
from hypershift.kube import kinds
from hypershift.operators.guest_config import copies, software
from hypershift.operators.guest_config.copies import Copied
from hypershift.operators.guest_config.rules import catalog

PLANE = "clusters-demo"


def _object(kind: str, name: str, **data: str) -> Manifest:
    metadata = {"name": name, "namespace": PLANE}
    return {"apiVersion": "v1", "kind": kind, "metadata": metadata, "data": data}


async def test_originals_are_read_where_the_control_plane_keeps_them() -> None:
    kube = MemoryClient(
        _object("Secret", "pull-secret", **{".dockerconfigjson": b64encode(b"{}").decode()}),
        _object("ConfigMap", "user-ca-bundle", **{"ca-bundle.crt": "PEM"}),
        _object("Secret", "cluster-signer-ca", **{"ca.crt": b64encode(b"CA").decode()}),
    )
    assert await copies.gather(kube, PLANE) == Copied(b"{}", "PEM", "CA")
    assert await copies.gather(MemoryClient(), PLANE) == Copied()


def test_credentials_do_not_show_in_the_values() -> None:
    assert "hunter2" not in repr(replace(VALUES, copied=Copied(b"hunter2")))


async def test_a_copy_follows_its_original_and_goes_with_it() -> None:
    guest = MemoryClient()
    scope = a_scope(MemoryClient(), guest)
    scope.values = replace(VALUES, copied=Copied(b"one", "PEM", "CA"))
    await software.apply_software(scope)
    scope.values = replace(VALUES, copied=Copied(b"two", "", "CA"))
    await software.apply_software(scope)
    secret = await guest.get(kinds.SECRET, "pull-secret", "kube-system")
    assert data_of(secret, ".dockerconfigjson") == b"two"
    assert await guest.find(kinds.CONFIG_MAP, "user-ca-bundle", "kube-system") is None
    assert await guest.find(kinds.CONFIG_MAP, "kubelet-serving-ca", "kube-system")


async def test_an_object_of_the_users_with_the_name_of_a_copy_stays() -> None:
    theirs = _object("ConfigMap", "user-ca-bundle", mine="yes")
    theirs["metadata"]["namespace"] = "kube-system"
    guest = MemoryClient(theirs)
    await software.apply_software(a_scope(MemoryClient(), guest))
    assert await guest.find(kinds.CONFIG_MAP, "user-ca-bundle", "kube-system")


def test_only_the_local_platform_has_volumes_of_its_own() -> None:
    local = named(catalog.manifests(replace(VALUES, platform="Local")), "StorageClass", "local")
    marks = local["metadata"]["annotations"]
    assert marks["storageclass.kubernetes.io/is-default-class"] == "true"
    assert not [one for one in catalog.manifests(VALUES) if one["kind"] == "StorageClass"]
