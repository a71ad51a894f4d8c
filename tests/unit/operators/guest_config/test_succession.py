"""The inside of a hosted cluster follows a stage only with the certificates of that stage."""

from base64 import b64encode
from dataclasses import replace

import pytest
from tests.lib.memory import MemoryClient
from tests.unit.operators.guest_config.scopes import VALUES, a_scope, named
from tests.unit.pki.test_succession import FIRST, Objects, advance, begin, follow

from hypershift import addons
from hypershift.api import annotations
from hypershift.kit import Manifest, annotations_of
from hypershift.operators.guest_config import software
from hypershift.operators.guest_config import succession as looking
from hypershift.operators.guest_config.rules import catalog, succession
from hypershift.pki import kubeconfig, kubeconfig_text, read_succession, secret_data
from hypershift.pki.succession import SUCCESSION_SECRET

PLANE = "clusters-demo"


async def values(objects: Objects) -> catalog.Values:
    """What is gathered of a control plane namespace."""
    kube = MemoryClient()
    for found in objects.values():
        await kube.create(found)
    await kube.create(bootstrap(objects))
    agent = secret_data(objects, "konnectivity-agent")
    return replace(
        VALUES,
        authorities=await looking.gather(kube, PLANE),
        image="registry.example/hypershift:1",
        konnectivity_ca=objects["ConfigMap", "konnectivity-ca-bundle"]["data"]["ca.crt"],
        konnectivity_cert=agent["tls.crt"],
    )


def bootstrap(objects: Objects) -> Manifest:
    root = secret_data(objects, "root-ca")["ca.crt"]
    found = read_succession(secret_data(objects, SUCCESSION_SECRET))
    trusted = found.trusted("root-ca", root) if found else root
    text = kubeconfig_text(kubeconfig("https://192.0.2.1:6443", trusted))
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "bootstrap-kubeconfig", "namespace": PLANE},
        "data": {"kubeconfig": b64encode(text).decode()},
    }


async def a_guest(objects: Objects) -> MemoryClient:
    """A hosted cluster that tells its pods to trust what `root-ca` says."""
    guest = MemoryClient()
    data = objects["ConfigMap", "root-ca"]["data"]
    metadata = {"name": "kube-root-ca.crt", "namespace": "kube-system"}
    await guest.create(
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}
    )
    return guest


async def test_a_cluster_whose_authorities_never_were_replaced_knows_nothing_of_it() -> None:
    found = await values(FIRST)
    assert found.authorities is None
    assert catalog.manifests(found) == catalog.manifests(replace(found, image=""))


async def test_nodes_and_software_wait_for_what_the_cluster_publishes() -> None:
    trusting = follow(begin(FIRST))
    found = await values(trusting)
    assert "kube-root-ca.crt" in await looking.why_unpublished(await a_guest(FIRST), found)
    assert await looking.why_unpublished(await a_guest(trusting), found) == ""


@pytest.mark.parametrize(
    "name", ["konnectivity-ca-bundle", "kubelet-client-ca", "cluster-signer-ca"]
)
async def test_a_cache_that_lags_behind_the_stage_is_waited_for(name: str) -> None:
    trusting = follow(begin(FIRST))
    dropping = follow(advance(follow(advance(follow(advance(trusting))))))
    kind = "Secret" if name == "cluster-signer-ca" else "ConfigMap"
    stale = dropping | {(kind, name): trusting[kind, name]}
    guest = await a_guest(dropping)
    assert await looking.why_unpublished(guest, await values(stale))
    assert await looking.why_unpublished(guest, await values(dropping)) == ""


async def test_a_tunnel_certificate_of_the_old_authority_is_waited_for() -> None:
    trusting = follow(begin(FIRST))
    reissued = follow(advance(trusting))
    key = ("Secret", "konnectivity-agent")
    found = await values(reissued | {key: trusting[key]})
    assert "konnectivity-signer" in await looking.why_unpublished(await a_guest(reissued), found)


async def test_pods_of_ours_carry_the_stage_and_nodes_get_their_program() -> None:
    found = await values(follow(begin(FIRST)))
    assert found.authorities is not None
    made = catalog.manifests(found)
    for one in made:
        if one["kind"] in addons.WORKLOADS:
            marks = annotations_of(one["spec"]["template"])
            assert marks[annotations.AUTHORITIES] == found.authorities.mark
    (container,) = named(made, "DaemonSet", succession.NAME)["spec"]["template"]["spec"][
        "containers"
    ]
    assert container["image"] == "registry.example/hypershift:1"
    assert f"--mark={found.authorities.mark}" in container["args"]
    files = named(made, "ConfigMap", succession.NAME)["data"]
    assert files["mark"] == found.authorities.mark
    assert not any("PRIVATE KEY" in text for text in files.values())


async def test_after_the_end_the_program_goes_and_no_pod_rolls() -> None:
    dropping = follow(advance(follow(advance(follow(advance(follow(begin(FIRST))))))))
    done = follow(advance(dropping))
    before, after = catalog.manifests(await values(dropping)), catalog.manifests(await values(done))
    kept = [one for one in before if one["metadata"]["name"] != succession.NAME]
    assert after == kept
    kube, guest = MemoryClient(), await a_guest(done)
    for one in before:
        await guest.apply(one)
    scope = a_scope(kube, guest)
    scope.values = await values(done)
    await software.apply_software(scope)
    for resource in succession.KINDS.values():
        assert await guest.find(resource, succession.NAME, "kube-system") is None


async def test_a_stage_is_followed_when_every_pod_of_it_runs() -> None:
    found = (await values(follow(begin(FIRST)))).authorities
    assert found is not None
    new = [a_daemon_set(updated=2), a_daemon_set(updated=3)]
    told = succession.progress(found, new, nodes=3)
    assert not told.is_true
    assert "DaemonSet agent" in told.message
    told = succession.progress(found, [a_daemon_set(updated=3)], nodes=3)
    assert told.is_true
    assert found.mark in told.message.split()


def a_daemon_set(updated: int) -> Manifest:
    status = {
        "observedGeneration": 2,
        "desiredNumberScheduled": 3,
        "updatedNumberScheduled": updated,
        "numberAvailable": 3,
    }
    metadata = {"name": "agent", "generation": 2}
    return {"kind": "DaemonSet", "metadata": metadata, "spec": {}, "status": status}
