"""Who the server is to machines: an authority of its own, and a certificate for its addresses."""

import ipaddress
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from hypershift.kit import Clock, Manifest, Secret, annotations_of
from hypershift.kube import AlreadyExists, Client, kinds
from hypershift.pki import (
    Authority,
    KeyPair,
    Leaf,
    Policy,
    new_authority,
    read_authority,
    why_reissue,
)
from hypershift.platforms import Service, hostname, strategy
from hypershift.servers.ignition.settings import Settings

AUTHORITY = "ignition-server-ca-cert"
SERVING = "ignition-server-serving-cert"
CERT, KEY = "tls.crt", "tls.key"
#: Mark copies of the authority in namespaces whose cluster publishes the server at an address of
#: its user's choice, and tell that address.
NAMED = "hypershift.openshift.io/ignition-named"
ADDRESS = "hypershift.openshift.io/ignition-address"


@dataclass(frozen=True, slots=True)
class Identity:
    """What the server shows, and what machines check it by."""

    authority: bytes
    serving: KeyPair


async def authority(client: Client, namespace: str, now: datetime) -> Authority:
    """The server's authority; the first to ask makes it, and whoever loses that race reads it."""
    found = await client.find(kinds.SECRET, AUTHORITY, namespace)
    if found is None:
        made = new_authority("ignition-root-ca", now)
        try:
            found = await client.create(_secret(AUTHORITY, namespace, made.pair))
        except AlreadyExists:
            found = await client.get(kinds.SECRET, AUTHORITY, namespace)
    pair = _pair(found)
    read = read_authority(pair.certificate, pair.key.reveal())
    if read is None:
        raise ValueError(f"Secret {namespace}/{AUTHORITY} holds no usable authority")
    return read


async def identity(client: Client, settings: Settings, clock: Clock) -> Identity:
    """The server's certificate for the addresses it has now; made anew only when it must be."""
    now, namespace = clock.now(), settings.namespace
    signer = await authority(client, namespace, now)
    service = await client.find(kinds.SERVICE, settings.service, namespace)
    wanted = leaf(settings, {*addresses(service), *await _chosen(client, settings)})
    found = await client.find(kinds.SECRET, SERVING, namespace)
    pair = _pair(found) if found else KeyPair(b"", Secret(b""))
    if why_reissue(pair, wanted, signer, now, Policy()):
        pair = signer.issue(wanted, now)
        await client.apply(_secret(SERVING, namespace, pair), manager="ignition-identity")
    return Identity(signer.pem, pair)


async def _chosen(client: Client, settings: Settings) -> set[str]:
    """The addresses that users chose: of node ports, routes, names of load balancers."""
    if settings.shared:
        copies = await client.list(kinds.SECRET, labels=f"{NAMED}=true")
        found = {annotations_of(copy).get(ADDRESS, "") for copy in copies}
    else:
        planes = await client.list(kinds.HOSTED_CONTROL_PLANE, settings.control_plane)
        found = {address_of(plane["spec"]) for plane in planes}
    return found - {""}


def address_of(spec: Manifest) -> str:
    """Where a cluster's user says that its machines find the server; empty when he does not."""
    node_port = strategy(spec, Service.IGNITION).get("nodePort") or {}
    return str(node_port.get("address") or hostname(spec, Service.IGNITION))


def addresses(service: Manifest | None) -> tuple[str, ...]:
    """Where a load balancer publishes the Service: addresses and names."""
    status = ((service or {}).get("status") or {}).get("loadBalancer") or {}
    found = [entry.get("ip") or entry.get("hostname") for entry in status.get("ingress") or ()]
    return tuple(sorted(filter(None, found)))


def leaf(settings: Settings, published: Iterable[str]) -> Leaf:
    """What the serving certificate says."""
    name = f"{settings.service}.{settings.namespace}.svc"
    names = {settings.service, name, f"{name}.cluster.local", "localhost"}
    ips = {"127.0.0.1", "::1"}
    for address in published:
        (ips if _is_ip(address) else names).add(address)
    return Leaf(
        common_name="ignition-server",
        organizations=("openshift",),
        dns_names=frozenset(names),
        ip_addresses=frozenset(ips),
    )


def _is_ip(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _pair(secret: Manifest) -> KeyPair:
    data = secret.get("data") or {}
    return KeyPair(b64decode(data.get(CERT, "")), Secret(b64decode(data.get(KEY, ""))))


def _secret(name: str, namespace: str, pair: KeyPair) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "namespace": namespace},
        "type": "kubernetes.io/tls",
        "data": {
            CERT: b64encode(pair.certificate).decode(),
            KEY: b64encode(pair.key.reveal()).decode(),
        },
    }
