"""The machine's metadata, as a cloud's metadata service would give it: files and variables."""

import os
import uuid
from ipaddress import ip_interface
from pathlib import Path
from typing import Final

from hypershift.local.machine import tree
from hypershift.local.machine.spec import MachineSpec

#: Variables for units; the kubelet's reads its name, address and provider id here.
ENVIRONMENT: Final = "run/metadata/machine"
RESOLVER: Final = "run/metadata/resolv.conf"
RESOLVER_V6: Final = "run/metadata/resolv6.conf"


def variables(spec: MachineSpec, cores: int) -> dict[str, str]:
    """The machine's facts, by variable."""
    facts = spec.metadata
    return {
        "MACHINE_NAME": spec.name,
        "MACHINE_HOSTNAME": facts.hostname,
        "MACHINE_INSTANCE_ID": facts.instance_id,
        "MACHINE_PROVIDER_ID": facts.provider_id,
        "MACHINE_NODE_IP": _host(spec.network.address),
        "MACHINE_NODE_IP6": _host(spec.network.address_v6),
        "MACHINE_ZONE": facts.zone,
        "MACHINE_REGION": facts.region,
        "MACHINE_NODE_LABELS": ",".join(_labels(spec)),
        "MACHINE_SYSTEM_RESERVED": system_reserved(spec.limits.cpu, cores),
    }


def system_reserved(cpu: int | None, cores: int) -> str:
    """What the kubelet sets aside, so that the machine's share of the cores is its allocatable."""
    spare = cores * 1000 - cpu if cpu is not None else 0
    return f"cpu={spare}m" if spare > 0 else ""


def resolver(spec: MachineSpec, *, ipv6: bool = False) -> str:
    """The contents of resolv.conf."""
    known = spec.network.resolvers_v6 if ipv6 else spec.network.resolvers
    lines = [f"nameserver {address}" for address in known]
    if spec.network.search:
        lines.append(f"search {' '.join(spec.network.search)}")
    return "".join(f"{line}\n" for line in lines)


def publish(spec: MachineSpec, root: Path) -> None:
    """Write what holds for this boot, into memory."""
    facts = variables(spec, os.cpu_count() or 1)
    text = "".join(f"{name}={value}\n" for name, value in facts.items())
    tree.replace(root, ENVIRONMENT, text.encode())
    tree.replace(root, RESOLVER, resolver(spec).encode())
    if spec.network.resolvers_v6:
        tree.replace(root, RESOLVER_V6, resolver(spec, ipv6=True).encode())


def install(spec: MachineSpec, root: Path) -> None:
    """Write what the image leaves open, once, before the machine's configuration is applied."""
    host = spec.metadata.hostname
    own = [_host(each) for each in (spec.network.address, spec.network.address_v6) if each]
    names = "".join(f"{address} {host}\n" for address in own)
    hosts = f"127.0.0.1 localhost\n::1 localhost\n{names}"
    tree.replace(root, "/etc/hostname", f"{host}\n".encode())
    tree.replace(root, "/etc/hosts", hosts.encode())
    if not _has_identity(root):
        tree.replace(root, "/etc/machine-id", f"{uuid.uuid4().hex}\n".encode())
    tree.link(root, "/etc/resolv.conf", f"/{RESOLVER}")


def _has_identity(root: Path) -> bool:
    """Whether the disk has an id already: a machine stays itself on a new image."""
    place = tree.inside(root, "/etc/machine-id")
    return not place.is_symlink() and bool((tree.read(root, "/etc/machine-id") or b"").strip())


def _host(address: str) -> str:
    return str(ip_interface(address).ip) if address else ""


def _labels(spec: MachineSpec) -> list[str]:
    facts = {"zone": spec.metadata.zone, "region": spec.metadata.region}
    return [f"topology.kubernetes.io/{name}={value}" for name, value in facts.items() if value]
