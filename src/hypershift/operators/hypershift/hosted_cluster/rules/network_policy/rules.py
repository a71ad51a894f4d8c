"""The small parts that NetworkPolicies are made of."""

from collections.abc import Iterable
from typing import Any

from hypershift.kit import Manifest
from hypershift.operators.hypershift.hosted_cluster.rules.network_policy.surroundings import (
    of_family,
)

ANYWHERE = {4: "0.0.0.0/0", 6: "::/0"}
DNS_NAMESPACE = {"kubernetes.io/metadata.name": "openshift-dns"}


def policy(name: str, namespace: str, selector: Manifest, **rules: Any) -> Manifest:
    """A NetworkPolicy; the directions that have rules are the ones that it governs."""
    types = [kind for kind in ("Ingress", "Egress") if kind.lower() in rules]
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"podSelector": selector, "policyTypes": types, **rules},
    }


def labelled(**labels: str) -> Manifest:
    """A selector of the pods that carry these labels."""
    return {"matchLabels": labels}


def tcp(*ports: int) -> list[Manifest]:
    """TCP ports as a rule lists them."""
    return [{"port": port, "protocol": "TCP"} for port in ports]


def open_to_all(name: str, namespace: str, app: str, *ports: int) -> Manifest:
    """Anyone may reach these ports of an app's pods."""
    return policy(name, namespace, labelled(app=app), ingress=[{"ports": tcp(*ports)}])


def from_namespaces(name: str, namespace: str, labels: dict[str, str]) -> Manifest:
    """Pods of namespaces with these labels may reach every pod of this one."""
    source = {"namespaceSelector": {"matchLabels": labels}}
    return policy(name, namespace, {}, ingress=[{"from": [source]}])


def block(version: int, excepted: Iterable[str]) -> Manifest:
    """The whole address space of one family, but for some ranges."""
    ranges: Manifest = {"cidr": ANYWHERE[version]}
    if without := of_family(excepted, version):
        ranges["except"] = without
    return {"ipBlock": ranges}


def outside(excepted: Iterable[str]) -> list[Manifest]:
    """Egress to anywhere but `excepted`: IPv6 too, where there is IPv6 to be kept from."""
    excepted = tuple(excepted)
    versions = (4, 6) if of_family(excepted, 6) else (4,)
    return [block(version, excepted) for version in versions]


def dns(*, openshift: bool) -> Manifest:
    """Egress to the management cluster's name servers."""
    port = 5353 if openshift else 53
    ports = [{"port": port, "protocol": protocol} for protocol in ("UDP", "TCP")]
    if openshift:
        return {"ports": ports, "to": [{"namespaceSelector": {"matchLabels": DNS_NAMESPACE}}]}
    return {"ports": ports}
