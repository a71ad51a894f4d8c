"""Signing requests of kubelets, and the machines that they come from."""

import ipaddress
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from hypershift.kit import Manifest, rfc3339
from hypershift.operators.machine_approver.rules.decision import World
from hypershift.pki.kubelet_request import KUBELET_CLIENT, KUBELET_SERVING, OPENSHIFT, Csr

BASE = datetime(2026, 1, 1, tzinfo=UTC)
KEY = ec.generate_private_key(ec.SECP256R1())
EXHAUSTED = "could not authorize CSR: exhausted all authorization methods: "
SERVING_USAGES = ("digital signature", "key encipherment", "server auth")
CLIENT_USAGES = ("key encipherment", "digital signature", "client auth")


def subject(common_name: str, organizations: Sequence[str]) -> x509.Name:
    parts = [x509.NameAttribute(NameOID.ORGANIZATION_NAME, one) for one in organizations]
    return x509.Name([*parts, x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def alternative(dns: Sequence[str], ips: Sequence[str]) -> x509.SubjectAlternativeName:
    return x509.SubjectAlternativeName(
        [
            *(x509.DNSName(name) for name in dns),
            *(x509.IPAddress(ipaddress.ip_address(address)) for address in ips),
        ]
    )


def pem(
    common_name: str,
    organizations: Sequence[str] = ("system:nodes",),
    dns: Sequence[str] = (),
    ips: Sequence[str] = (),
) -> bytes:
    builder = x509.CertificateSigningRequestBuilder(subject(common_name, organizations))
    if dns or ips:
        builder = builder.add_extension(alternative(dns, ips), critical=False)
    return builder.sign(KEY, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


SERVING_DNS, SERVING_IPS = ("node1", "node1.local"), ("127.0.0.1", "10.0.0.1")
SERVING = Csr(
    name="banana",
    signer=KUBELET_SERVING,
    user="system:node:test",
    groups=("system:authenticated", "system:nodes"),
    usages=SERVING_USAGES,
    created=BASE,
    request=pem("system:node:test", dns=SERVING_DNS, ips=SERVING_IPS),
    approved=False,
)
CLIENT = Csr(
    name="orange",
    signer=KUBELET_CLIENT,
    user=OPENSHIFT.user,
    groups=tuple(OPENSHIFT.groups),
    usages=CLIENT_USAGES,
    created=BASE + timedelta(minutes=10),
    request=pem("system:node:panda"),
    approved=False,
)


def a_machine(*addresses: tuple[str, str], node: str = "", created: datetime = BASE) -> Manifest:
    status: dict[str, Any] = {
        "addresses": [{"type": kind, "address": address} for kind, address in addresses]
    }
    if node:
        status["nodeRef"] = {"name": node}
    return {"metadata": {"name": "m", "creationTimestamp": rfc3339(created)}, "status": status}


ADDRESSES = (
    ("InternalIP", "127.0.0.1"),
    ("ExternalIP", "10.0.0.1"),
    ("InternalDNS", "node1.local"),
    ("ExternalDNS", "node1"),
)
MACHINE = a_machine(*ADDRESSES, node="test")
ONE = World((MACHINE,), frozenset())


def changed(old: str, new: str) -> tuple[tuple[str, str], ...]:
    return tuple((kind, new if address == old else address) for kind, address in ADDRESSES)


def serving(**changes: Any) -> Csr:
    return replace(SERVING, **changes)


def client(**changes: Any) -> Csr:
    return replace(CLIENT, **changes)
