"""Who the server is to machines: an authority of its own, and a certificate for its addresses."""

import ipaddress
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import structlog

from hypershift.api import read
from hypershift.api.publishing import Exposed, Exposure, ignition_host, strategy
from hypershift.api.shape import Shape
from hypershift.api.values import ServiceType
from hypershift.ignition.authority import CERT, KEY
from hypershift.ignition.authority import NAME as AUTHORITY
from hypershift.kit import Clock, InvalidSpec, Manifest, Secret, key_of
from hypershift.kube import AlreadyExists, Client, kinds
from hypershift.kube.services import load_balancer_ingress
from hypershift.pki import (
    KeyPair,
    Leaf,
    Policy,
    new_authority,
    why_reissue,
)
from hypershift.servers.ignition.authority import COMMON_NAME, Signer, read_signer
from hypershift.servers.ignition.settings import Settings

SERVING = "ignition-server-serving-cert"
#: The bytes of all names that users chose; a client refuses a certificate that is too long.
MOST_NAMES = 32 << 10
_LABEL = r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"
_NAME = re.compile(rf"(?=.{{1,253}}$){_LABEL}(\.{_LABEL})*", re.IGNORECASE)
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Identity:
    """What the server shows, and what machines check it by."""

    authority: bytes
    serving: KeyPair


async def authority(client: Client, namespace: str, now: datetime) -> Signer:
    """The server's authority; the first replica creates it, one that loses the race reads it."""
    found = await client.find(kinds.SECRET, AUTHORITY, namespace)
    if found is None:
        made = new_authority(COMMON_NAME, now)
        try:
            found = await client.create(_secret(AUTHORITY, namespace, made.pair))
        except AlreadyExists:
            found = await client.get(kinds.SECRET, AUTHORITY, namespace)
    read = read_signer(found)
    if read is None:
        raise ValueError(f"Secret {namespace}/{AUTHORITY} holds no usable authority")
    return read


async def identity(client: Client, settings: Settings, clock: Clock) -> Identity:
    """The server's certificate for its current addresses; renewed only when needed."""
    now, namespace = clock.now(), settings.namespace
    signer = await authority(client, namespace, now)
    service = await client.find(kinds.SERVICE, settings.service, namespace)
    wanted = leaf(settings, {*addresses(service), *await _chosen(client, settings)})
    found = await client.find(kinds.SECRET, SERVING, namespace)
    pair = _pair(found) if found else KeyPair(b"", Secret(b""))
    if why_reissue(pair, wanted, signer.authority, now, Policy()):
        pair = signer.authority.issue(wanted, now)
        await client.apply(_secret(SERVING, namespace, pair), manager="ignition-identity")
    return Identity(signer.trusted, KeyPair(pair.certificate + signer.cross, pair.key))


async def _chosen(client: Client, settings: Settings) -> set[str]:
    """The addresses that users chose: of node ports, routes, names of load balancers.

    They are read from control planes alone, which our operator makes. One that cannot stand in a
    certificate is left out and logged: it never keeps others from their server.
    """
    planes = await client.each(kinds.HOSTED_CONTROL_PLANE, settings.control_plane)
    return usable_addresses(planes)


def usable_addresses(planes: Iterable[Manifest]) -> set[str]:
    """The valid addresses of these control planes, the oldest first, as many as fit."""
    chosen: dict[str, None] = {}
    room = MOST_NAMES
    for plane in sorted(planes, key=_age):
        address = _address(plane)
        if not address or address in chosen:
            continue
        room -= len(address)
        if room < 0 or not is_address(address):
            log.warning(
                "address is left out of the ignition server's certificate",
                control_plane=str(key_of(plane)),
                reason="too many names" if room < 0 else "not a DNS name or IP address",
            )
            continue
        chosen[address] = None
    return set(chosen)


class _Published(Shape):
    """The part of a HostedControlPlane about its published addresses."""

    spec: Exposure


def _age(plane: Manifest) -> tuple[str, str]:
    metadata = plane["metadata"]
    return str(metadata.get("creationTimestamp", "")), str(key_of(plane))


def _address(plane: Manifest) -> str:
    try:
        return address_of(read(_Published, plane).spec, key_of(plane).name)
    except (
        InvalidSpec,
        TypeError,
        KeyError,
        AttributeError,
    ):  # a spec of another shape has no address
        return ""


def is_address(text: str) -> bool:
    """True if a certificate can hold the text as a DNS name or an address."""
    return _is_ip(text) or bool(_NAME.fullmatch(text))


def address_of(spec: Exposed, name: str = "") -> str:
    """The host that machines of a cluster ask, as far as its spec says; empty without one."""
    chosen = strategy(spec, ServiceType.IGNITION)
    node_port = chosen.node_port if chosen else None
    return (node_port.address if node_port else "") or ignition_host(spec, name)


def addresses(service: Manifest | None) -> tuple[str, ...]:
    """Where a load balancer publishes the Service: addresses and names."""
    ingress = load_balancer_ingress(service)
    found = [entry.get("ip") or entry.get("hostname") for entry in ingress]
    return tuple(sorted(filter(None, found)))


def leaf(settings: Settings, published: Iterable[str]) -> Leaf:
    """Names and addresses in the serving certificate."""
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
