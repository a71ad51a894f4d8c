"""The HostedControlPlane of a HostedCluster: derived, never edited by hand."""

from collections.abc import Iterable, Mapping
from typing import Any

from hypershift.api import HostedCluster, NodePool, encode, read, replace
from hypershift.api.annotations import (
    DISABLE_AWS_NODE_TERMINATION_HANDLER,
    DISABLE_CLUSTER_AUTOSCALER,
    ENABLE_METRICS_FORWARDING,
    mirrored,
)
from hypershift.api.etcd import Etcd
from hypershift.api.facts import facts_of
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.api.monitoring import MetricsForwarding, Monitoring
from hypershift.api.reserved_labels import permitted
from hypershift.api.values import EtcdManagementType
from hypershift.api.well_known import PULL_SECRET
from hypershift.kit import Key, Manifest, annotations_of, labels_of
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.platforms import platform_of, uses_spot

#: Spec fields that both kinds have and that the control plane does not take as they are.
DERIVED = frozenset(
    {"additionalTrustBundle", "auditWebhook", "etcd", "platform", "pullSecret", "sshKey"}
)
#: Spec fields that the control plane takes as they are: a new field of both kinds is one of them.
COPIED = tuple(
    sorted(
        {facts.wire for facts in facts_of(HostedClusterSpec)}
        & {facts.wire for facts in facts_of(HostedControlPlaneSpec)} - DERIVED
    )
)
#: Once there, these stay: taking them away would make stored data unreadable or lose an audit.
NEVER_CLEARED = frozenset({"auditWebhook", "etcd", "secretEncryption"})

#: The section of each way to run etcd.
_ETCD_SECTIONS: Mapping[str, str] = {
    EtcdManagementType.MANAGED: "managed",
    EtcdManagementType.UNMANAGED: "unmanaged",
}
MIRRORED_LABELS = "api.openshift.com/"


def hosted_control_plane(
    cluster: Manifest,
    wanted: HostedCluster,
    namespace: str,
    platform: Manifest,
    *,
    pools: Iterable[Manifest] = (),
    live: Manifest | None = None,
) -> Manifest:
    """Derive the control plane; `wanted` is the cluster decoded.

    `live` is what is there, of which some things are kept.
    """
    metadata = cluster["metadata"]
    labels = {k: v for k, v in labels_of(cluster).items() if k.startswith(MIRRORED_LABELS)}
    return {
        "apiVersion": cluster["apiVersion"],
        "kind": "HostedControlPlane",
        "metadata": {
            "name": metadata["name"],
            "namespace": namespace,
            "labels": labels,
            "annotations": annotations(wanted, tuple(pools), annotations_of(live or {})),
        },
        "spec": spec(
            cluster["spec"],
            wanted.spec,
            platform,
            (live or {}).get("spec") or {},
            forwarding=_forwarding(wanted),
        ),
    }


def spec(
    given: Manifest,
    wanted: HostedClusterSpec,
    platform: Manifest,
    live: Manifest,
    *,
    forwarding: str = "",
) -> Manifest:
    """The control plane's spec: the cluster's, with names of copies in place of the user's.

    What is handed on comes from `given`, the spec as the user wrote it, with fields that only a
    newer version knows; `wanted` is the same decoded.
    """
    derived: dict[str, Any] = {name: given[name] for name in COPIED if name in given}
    if "labels" in derived:  # an older image of the operator puts all of them on its pods
        derived["labels"] = permitted(derived["labels"])
    if wanted.audit_webhook and wanted.audit_webhook.name:
        derived["auditWebhook"] = {"name": wanted.audit_webhook.name}
    if "etcd" in given:
        derived["etcd"] = _etcd(given["etcd"], wanted.etcd, live.get("etcd") or {})
    derived |= {name: live[name] for name in NEVER_CLEARED & live.keys() - derived.keys()}
    derived.setdefault("dns", {"baseDomain": ""})
    derived |= {
        "platform": platform,
        "releaseImage": wanted.release.image,
        "pullSecret": {"name": PULL_SECRET},
        "sshKey": {"name": names.SSH_KEY if wanted.ssh_key and wanted.ssh_key.name else ""},
    }
    if wanted.control_plane_release:
        derived["controlPlaneReleaseImage"] = wanted.control_plane_release.image
    if wanted.additional_trust_bundle is not None:
        derived["additionalTrustBundle"] = {"name": names.USER_CA_BUNDLE}
    if forwarding:
        monitoring = wanted.monitoring or Monitoring()
        section = monitoring.metrics_forwarding or MetricsForwarding(mode=forwarding)
        section = replace(section, mode=forwarding)
        derived["monitoring"] = encode(replace(monitoring, metrics_forwarding=section))
    return derived


def _etcd(given: Manifest, wanted: Etcd, live: Manifest) -> Manifest:
    """The section of the way in which etcd is run; another one is not looked at, and stays."""
    section = _ETCD_SECTIONS.get(wanted.management_type, "")
    kept: dict[str, Any] = {each: live[each] for each in _ETCD_SECTIONS.values() if each in live}
    chosen = {section: given[section]} if given.get(section) is not None else {}
    return {"managementType": wanted.management_type, **kept, **chosen}


def _forwarding(cluster: HostedCluster) -> str:
    """Whether metrics are forwarded: by the spec, else by the annotation of older versions."""
    monitoring = cluster.spec.monitoring
    section = monitoring.metrics_forwarding if monitoring else None
    annotated = ENABLE_METRICS_FORWARDING in (cluster.metadata.annotations or {})
    return (section.mode if section else "") or ("Forward" if annotated else "")


def annotations(
    cluster: HostedCluster, pools: tuple[Manifest, ...], live: Mapping[str, str]
) -> dict[str, str]:
    """The control plane's annotations: mirrored ones, and what the pools decide."""
    ours = dict(cluster.metadata.annotations or {})
    known = [read(NodePool, pool) for pool in pools]
    derived = mirrored(ours)
    derived |= names.cluster_annotation(Key(cluster.metadata.namespace, cluster.metadata.name))
    derived |= _restart(ours.get(names.RESTART_DATE, ""), live)
    forwarding = _forwarding(cluster)
    if forwarding == "Forward":
        derived[ENABLE_METRICS_FORWARDING] = "true"
    elif forwarding == "None":
        derived.pop(ENABLE_METRICS_FORWARDING, None)
    if not any(pool.spec.auto_scaling for pool in known):
        derived[DISABLE_CLUSTER_AUTOSCALER] = "true"
    drains = platform_of(cluster.spec).rules.drains_reclaimed_nodes
    if not (drains and any(map(uses_spot, known))):
        derived[DISABLE_AWS_NODE_TERMINATION_HANDLER] = "true"
    return derived


def without_foreign_fields(live: Manifest, derived: Manifest) -> Manifest:
    """A merge patch that removes what another writer added to the spec; empty if there is nothing.

    Apply alone restores our values, but leaves fields that we do not set.
    """
    extra = live.keys() - derived.keys()
    nested = {
        name: patch
        for name in live.keys() & derived.keys()
        if isinstance(live[name], dict) and isinstance(derived[name], dict)
        if (patch := without_foreign_fields(live[name], derived[name]))
    }
    return {**dict.fromkeys(sorted(extra)), **nested}


def emptied(live: Manifest, derived: Manifest) -> Manifest:
    """A merge patch that takes the fields out of objects that are to be empty; empty without any.

    Where an object loses its last field, server-side apply leaves null, which no API server takes.
    """
    found: Manifest = {}
    for name in sorted(live.keys() & derived.keys()):
        before, after = live[name], derived[name]
        if isinstance(before, dict) and isinstance(after, dict):
            patch = emptied(before, after) if after else dict.fromkeys(sorted(before))
            found |= {name: patch} if patch else {}
    return found


def _restart(wanted: str, live: Mapping[str, str]) -> dict[str, str]:
    # A certificate rotation may have overwritten the date since: a value counts once.
    current = live.get(names.RESTART_DATE, "")
    previous = live.get(names.PREVIOUS_RESTART_DATE, "")
    if wanted and wanted != previous:
        return {names.RESTART_DATE: wanted, names.PREVIOUS_RESTART_DATE: wanted}
    kept = {names.RESTART_DATE: current, names.PREVIOUS_RESTART_DATE: previous}
    return {name: value for name, value in kept.items() if value}
