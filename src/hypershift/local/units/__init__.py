"""The processes of the host that make up the management cluster's control plane."""

from collections.abc import Mapping
from pathlib import Path

from hypershift.local.cluster.plan import Plan
from hypershift.local.cluster.state import Layout, write_file
from hypershift.local.units import (
    apiserver,
    controller_manager,
    etcd,
    registry,
    registry_push,
    resolver,
    scheduler,
)
from hypershift.local.units.unit import Probe, Unit

#: Unit by unit: its module, and the part that it runs.
CATALOG = (
    (etcd, "etcd"),
    (apiserver, "kube-apiserver"),
    (controller_manager, "kube-controller-manager"),
    (scheduler, "kube-scheduler"),
    (registry, "registry"),
    (registry_push, "registry"),
    (resolver, "coredns"),
)
PARTS = tuple(dict.fromkeys(part for _, part in CATALOG))


def units(where: Layout, plan: Plan, binaries: Mapping[str, Path]) -> tuple[Unit, ...]:
    """Every unit, in the order in which a reader expects them."""
    return tuple(module.unit(where, plan, binaries[part]) for module, part in CATALOG)


def configure(where: Layout, plan: Plan, resolv_conf: str) -> None:
    """Write the units' configuration files; those that are right already stay untouched."""
    files = {
        "audit-policy.yaml": apiserver.AUDIT_POLICY,
        registry.FILE: registry.configuration(where, plan),
        registry_push.FILE: registry_push.configuration(where, plan),
        "resolver.conf": resolver.configuration(where, plan, resolver.upstreams(resolv_conf)),
    }
    if not (where.config / "hosts").exists():
        files["hosts"] = resolver.hosts(plan)
    for name, text in files.items():
        path = where.config / name
        if not path.exists() or path.read_text() != text:
            write_file(path, text)


__all__ = ["PARTS", "Probe", "Unit", "configure", "units"]
