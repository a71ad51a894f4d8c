"""Tenants that share an ingress against each other: names, ranges and ids that are not theirs.

HAProxy refuses a whole configuration for one word that it does not understand: a tenant's text that
the API admits must never be that word, and must not take what is another's.
"""

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.lib.memory import MemoryClient

from hypershift.api import HostedCluster, annotations, read
from hypershift.api.defaults import zeroed
from hypershift.api.well_known import SHARED_INGRESS
from hypershift.kit import Manifest
from hypershift.operators.hypershift.shared_ingress import act
from hypershift.operators.hypershift.shared_ingress.rules.claims import is_host, is_range
from hypershift.operators.hypershift.shared_ingress.rules.config import Member, configuration
from hypershift.operators.hypershift.shared_ingress.rules.router import COMPONENT

VICTIM_ID = "4954e6da-fc87-4e74-9861-05895fe9549d"
VICTIM_HOST = "api.victim.example.org"


def a_member(
    name: str, host: str, *, namespace: str, born: str, allowed: tuple[str, ...] = (), **spec: Any
) -> Member:
    azure = {"azureAuthenticationConfig": {"azureAuthenticationConfigType": "ManagedIdentities"}}
    cluster: Manifest = {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "HostedCluster",
        "metadata": {"name": name, "namespace": namespace, "creationTimestamp": born},
        "spec": {
            "platform": {"type": "Azure", "azure": azure},
            "networking": {"apiServer": {"allowedCIDRBlocks": list(allowed)}},
            **spec,
        },
    }
    label = {"hypershift.openshift.io/hosted-control-plane": f"{namespace}-{name}"}
    route = {
        "metadata": {"name": "kube-apiserver", "labels": label},
        "spec": {"host": host, "to": {"name": "kube-apiserver"}},
    }
    service = {
        "metadata": {"name": "kube-apiserver"},
        "spec": {"clusterIP": "192.0.2.1", "ports": [{"port": 6443}]},
    }
    members = {"kube-apiserver": service}
    return Member(read(HostedCluster, zeroed(HostedCluster, cluster)), (route,), members)


def the_victim() -> Member:
    return a_member(
        "victim", VICTIM_HOST, namespace="team-b", born="2026-01-01T00:00:00Z", clusterID=VICTIM_ID
    )


def an_attacker(host: str = "api.evil.example.org", **changes: Any) -> Member:
    """A cluster that is younger, and comes first in every order by name."""
    plain: dict[str, Any] = {
        "namespace": "a",
        "born": "2026-02-01T00:00:00Z",
        "clusterID": "11111111-fc87-4e74-9861-05895fe9549d",
    }
    return a_member("a", host, **plain | changes)


ATTACKS = {
    "a host that is a flag": an_attacker("-f.example.org"),
    "a host that ends in a dash": an_attacker("a-.example.org"),
    "a range beyond addresses": an_attacker(allowed=("999.0.0.1/99",)),
    "a range of colons": an_attacker(allowed=(":::/0",)),
    "the victim's host": an_attacker(VICTIM_HOST),
    "the victim's host in capitals": an_attacker(VICTIM_HOST.upper()),
    "the victim's id": an_attacker(clusterID=VICTIM_ID),
    "the victim's host as a name of its own": an_attacker(kubeAPIServerDNSName=VICTIM_HOST),
    "a name of its own that is a flag": an_attacker(kubeAPIServerDNSName="-m"),
    "names that meet in the middle": a_member(
        "b-victim", "x.example.org", namespace="team", born="2026-02-01T00:00:00Z",
        clusterID="22222222-fc87-4e74-9861-05895fe9549d",
    ),
}  # fmt: skip


def rules(text: str, of: str = "") -> list[str]:
    """What chooses back ends, in the order in which HAProxy reads it."""
    found = (line.strip() for line in text.splitlines())
    return [line for line in found if line.startswith(("acl ", "use_backend ")) and of in line]


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_tenant_takes_nothing_that_another_has(attack: str) -> None:
    text = configuration([ATTACKS[attack], the_victim()])
    alone = configuration([the_victim()])
    assert rules(text, "team-b-victim") == rules(alone)
    for claimed in (VICTIM_HOST, VICTIM_ID):
        owners = {line.split()[1] for line in rules(text) if claimed in line.lower()}
        assert owners <= {"is_team-b-victim-apiserver", "is_team-b-victim-kube-apiserver"}


@pytest.mark.parametrize("attack", ATTACKS)
def test_every_word_of_the_configuration_is_one_that_haproxy_reads(attack: str) -> None:
    text = configuration([ATTACKS[attack], the_victim()])
    sections = [line for line in text.splitlines() if line.startswith("backend ")]
    assert len(sections) == len(set(sections))
    for line in rules(text):
        match line.split():
            case ["acl", _, "req_ssl_sni", "-i", host]:
                assert is_host(host)
            case ["acl", _, "fc_src", block]:
                assert is_range(block)
            case ["use_backend", name, "if", *conditions]:
                assert all(f"acl {one} " in text for one in conditions)
                assert f"backend {name}" in sections
            case ["acl", _, "var(sess.cluster_id)", "-m", "str", _]:
                pass
            case other:
                pytest.fail(f"unexpected: {other}")


def test_a_cluster_whose_ranges_are_all_none_is_closed_and_not_open() -> None:
    attacker = ATTACKS["a range beyond addresses"]
    assert rules(configuration([attacker])) == []
    mixed = an_attacker(allowed=("999.0.0.1/99", "198.51.100.0/24"))
    text = configuration([mixed])
    assert "fc_src 198.51.100.0/24" in text
    assert "999" not in text


@given(st.text(max_size=60))
def test_no_text_becomes_two_words_or_a_flag(text: str) -> None:
    if is_host(text):
        assert len(text.split()) == 1
        assert not text.startswith("-")
        assert text.isascii()


async def test_a_service_of_others_is_not_withdrawn() -> None:
    def a_service(namespace: str, **marks: str) -> Manifest:
        metadata = {"name": SHARED_INGRESS, "namespace": namespace, "labels": dict(COMPONENT)}
        return {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": metadata | {"annotations": marks},
            "spec": {"type": "ExternalName", "externalName": "192.0.2.1"},
        }

    cluster = {annotations.CLUSTER: "clusters/gone"}
    kube = MemoryClient(
        a_service("team"),
        a_service("another", **cluster),
        a_service("clusters-gone", **cluster),
    )
    await act.withdraw(SimpleNamespace(kube=kube, served=()))  # type: ignore[arg-type] # no more
    deleted = [key.namespace for verb, _, key in kube.writes if verb == "delete"]
    assert deleted == ["clusters-gone"]
