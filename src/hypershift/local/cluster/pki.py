"""The management cluster's own keys, certificates and kubeconfigs, as files for its units."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from hypershift.kit import Secret
from hypershift.local.cluster.plan import Plan
from hypershift.local.cluster.state import Layout, write_file
from hypershift.pki import (
    Authority,
    KeyPair,
    Leaf,
    Policy,
    Usage,
    key_to_pem,
    kubeconfig,
    kubeconfig_text,
    new_authority,
    new_key,
    public_pem,
    read_authority,
    why_reissue,
)

CLUSTER_CA = "ca"
ETCD_CA = "etcd-ca"
FRONT_PROXY_CA = "front-proxy-ca"
SERVICE_ACCOUNT = "service-account"

#: Who we are to the API server: the group that RBAC gives the supervisor's few rights.
SUPERVISOR = "hypershift:local:supervisor"
PROVIDER = "hypershift:local:provider"


@dataclass(frozen=True, slots=True)
class Certificate:
    """A leaf, the authority that signs it and the file name both halves get."""

    file: str
    authority: str
    leaf: Leaf


@dataclass(frozen=True, slots=True)
class Identity:
    """A user or program that gets a kubeconfig."""

    file: str
    user: str
    groups: tuple[str, ...] = ()


IDENTITIES = (
    Identity("admin", "hypershift:admin", ("system:masters",)),
    Identity("controller-manager", "system:kube-controller-manager"),
    Identity("scheduler", "system:kube-scheduler"),
    Identity("supervisor", SUPERVISOR),
    Identity("provider", PROVIDER),
)


def certificates(plan: Plan) -> tuple[Certificate, ...]:
    """The certificates of the units that are no kubeconfig."""
    loopback, gateway = str(plan.loopback), str(plan.gateway)
    here = frozenset({loopback, "127.0.0.1"})
    local = frozenset({"localhost"})
    etcd = Leaf("etcd", usage=Usage.PEER, dns_names=local, ip_addresses=here)
    names = ("kubernetes", "kubernetes.default", "kubernetes.default.svc")
    api = Leaf(
        "kube-apiserver",
        dns_names=local | {*names, "kubernetes.default.svc.cluster.local"},
        ip_addresses=here | {gateway, str(plan.api_service)},
    )
    return (
        Certificate("etcd", ETCD_CA, etcd),
        Certificate("etcd-client", ETCD_CA, Leaf("kube-apiserver", usage=Usage.CLIENT)),
        Certificate("apiserver", CLUSTER_CA, api),
        Certificate(
            "kubelet-client",
            CLUSTER_CA,
            Leaf("kube-apiserver-kubelet-client", ("system:masters",), Usage.CLIENT),
        ),
        Certificate("front-proxy-client", FRONT_PROXY_CA, Leaf("aggregator", usage=Usage.CLIENT)),
    )


def ensure(where: Layout, plan: Plan, now: datetime) -> None:
    """Make what is missing or about to expire; what is good stays."""
    authorities = {
        name: authority(where, name, now) for name in (CLUSTER_CA, ETCD_CA, FRONT_PROXY_CA)
    }
    _service_account_key(where)
    for wanted in certificates(plan):
        _leaf(where.pki / wanted.file, wanted.leaf, authorities[wanted.authority], now)
    for identity in IDENTITIES:
        leaf = Leaf(identity.user, identity.groups, Usage.CLIENT)
        pair = _leaf(where.pki / identity.file, leaf, authorities[CLUSTER_CA], now)
        text = kubeconfig_of(plan.api_url, authorities[CLUSTER_CA], pair, identity.user, where.name)
        path = where.kubeconfigs / f"{identity.file}.kubeconfig"
        if not path.exists() or path.read_bytes() != text:
            write_file(path, text)


def kubeconfig_of(server: str, ca: Authority, pair: KeyPair, user: str, cluster: str) -> bytes:
    """A kubeconfig with everything inside it."""
    config = kubeconfig(
        server,
        ca.pem,
        certificate=pair.certificate,
        key=pair.key,
        cluster=cluster,
        user=user,
        context=cluster,
    )
    return kubeconfig_text(config)


def authority(where: Layout, name: str, now: datetime) -> Authority:
    """Read an authority from its files, or make it."""
    certificate, key = where.pki / f"{name}.crt", where.pki / f"{name}.key"
    if certificate.exists() and key.exists():
        found = read_authority(certificate.read_bytes(), key.read_bytes())
        if found is not None:
            return found
    made = new_authority(f"{where.name} {name}", now, unit="hypershift")
    _write(where.pki / name, made.pair)
    return made


def node_pairs(where: Layout, node: str, address: str, now: datetime) -> tuple[KeyPair, KeyPair]:
    """A node's client and serving certificates, so that its kubelet needs no approval to start."""
    ca = authority(where, CLUSTER_CA, now)
    client = Leaf(f"system:node:{node}", ("system:nodes",), Usage.CLIENT)
    names = frozenset({node})
    serving = Leaf(
        f"system:node:{node}",
        ("system:nodes",),
        dns_names=names,
        ip_addresses=frozenset({address}),
    )
    return (
        _leaf(where.pki / f"{node}-client", client, ca, now),
        _leaf(where.pki / f"{node}-serving", serving, ca, now),
    )


def _service_account_key(where: Layout) -> None:
    private = where.pki / f"{SERVICE_ACCOUNT}.key"
    if not private.exists():
        key = new_key()
        write_file(where.pki / f"{SERVICE_ACCOUNT}.pub", public_pem(key))
        write_file(private, key_to_pem(key))


def _leaf(stem: Path, leaf: Leaf, ca: Authority, now: datetime) -> KeyPair:
    found = _read(stem)
    if found is not None and not why_reissue(found, leaf, ca, now, Policy()):
        return found
    pair = ca.issue(leaf, now)
    _write(stem, pair)
    return pair


def _read(stem: Path) -> KeyPair | None:
    try:
        certificate = stem.with_name(f"{stem.name}.crt").read_bytes()
        key = stem.with_name(f"{stem.name}.key").read_bytes()
    except FileNotFoundError:
        return None
    return KeyPair(certificate, Secret(key))


def _write(stem: Path, pair: KeyPair) -> None:
    write_file(stem.with_name(f"{stem.name}.key"), pair.key.reveal())
    write_file(stem.with_name(f"{stem.name}.crt"), pair.certificate)
