"""Gauges about clusters on one cloud or of one service: credentials, sizes, resource names."""

from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily

from hypershift.api import annotations
from hypershift.api.conditions import (
    ConditionStatus,
    ControlPlaneCondition,
    HostedClusterCondition,
    HostedClusterReason,
)
from hypershift.api.platforms.azure import AzurePlatform
from hypershift.api.publishing import is_aro
from hypershift.kit import Manifest
from hypershift.operators.hypershift.fleet_metrics.family import (
    CLUSTER_LABELS,
    Cluster,
    Fleet,
    Series,
    gauge,
    identity,
)
from hypershift.platforms import platform_of
from hypershift.runtime import condition_of

VALID, INVALID, UNKNOWN = 0.0, 1.0, 2.0
#: The conditions that report whether a cloud accepts our credentials.
CREDENTIALS = {
    "aws": (HostedClusterCondition.VALID_OIDC, ControlPlaneCondition.VALID_AWS_IDENTITY_PROVIDER),
    "gcp": (
        HostedClusterCondition.VALID_GCP_WORKLOAD_IDENTITY,
        HostedClusterCondition.VALID_GCP_CREDENTIALS,
    ),
}
#: Tags by which ROSA marks its clusters, and the labels that they become.
ROSA_TYPE = "red-hat-clustertype"
ROSA_LABELS = {
    "environment": "api.openshift.com/environment",
    "internal_id": "api.openshift.com/id",
}
AZURE_LABELS = ("location", "microsoft_subscription_id", "microsoft_resource_group_name")
ARO_TYPE = "hcpOpenShiftClusters"


def families(fleet: Fleet) -> Iterator[GaugeMetricFamily]:
    """Every gauge of this kind."""
    for cloud in CREDENTIALS:
        yield gauge(
            f"hypershift_cluster_invalid_{cloud}_creds",
            f"Whether {cloud.upper()} accepts a cluster's credentials: 0=yes, 1=no, 2=unknown.",
            CLUSTER_LABELS,
            ((identity(one), credentials(one.manifest, cloud)) for one in fleet.clusters),
        )
    yield from _of_rosa(fleet)
    yield from _of_azure(fleet)


def credentials(cluster: Manifest, cloud: str) -> float:
    """Whether a cloud accepts a cluster's credentials, according to its conditions."""
    found = [condition_of(cluster, kind) or {} for kind in CREDENTIALS[cloud]]
    told = {one.get("status", ConditionStatus.UNKNOWN) for one in found}
    if ConditionStatus.FALSE in told:
        return INVALID
    return VALID if told == {ConditionStatus.TRUE} else UNKNOWN


def _of_rosa(fleet: Fleet) -> Iterator[GaugeMetricFamily]:
    marked = [(one, tags) for one in fleet.clusters if (tags := _rosa_tags(one)) is not None]
    named = (*CLUSTER_LABELS, *ROSA_LABELS)
    yield gauge(
        "hypershift_etcd_manual_intervention_required",
        "1 for clusters whose etcd could not be recovered by itself.",
        named,
        (((*identity(one), *tags), 1.0) for one, tags in marked if _lost_etcd(one.manifest)),
    )
    sizes = ((one, tags, _size(one)) for one, tags in marked)
    yield gauge(
        "hypershift_cluster_size_override_instances",
        "1 for clusters whose size somebody chose.",
        (*named, "size"),
        (((*identity(one), *tags, size), 1.0) for one, tags, size in sizes if size),
    )


def _rosa_tags(cluster: Cluster) -> list[str] | None:
    """Environment and id of a ROSA cluster; None when it is none."""
    spec = cluster.known.spec
    tags = dict(platform_of(spec).rules.resource_tags(spec.platform))
    if tags.get(ROSA_TYPE) != "rosa":
        return None
    return [tags.get(key, "") for key in ROSA_LABELS.values()]


def _lost_etcd(cluster: Manifest) -> bool:
    found = condition_of(cluster, HostedClusterCondition.ETCD_RECOVERY_ACTIVE) or {}
    return (
        found.get("status") == ConditionStatus.FALSE
        and found.get("reason") == HostedClusterReason.ETCD_RECOVERY_JOB_FAILED
    )


def _size(cluster: Cluster) -> str:
    return (cluster.known.metadata.annotations or {}).get(annotations.CLUSTER_SIZE_OVERRIDE, "")


def _of_azure(fleet: Fleet) -> Iterator[GaugeMetricFamily]:
    found = [(one, one.known.spec.platform.azure) for one in fleet.clusters]
    on_azure = [(one, azure) for one, azure in found if azure is not None]
    yield gauge(
        "hosted_cluster_azure_info",
        "Where on Azure a cluster is.",
        (*CLUSTER_LABELS, *AZURE_LABELS),
        (_place(one, azure) for one, azure in on_azure if not is_aro(one.known.spec)),
    )
    yield gauge(
        "hosted_cluster_managed_azure_info",
        "Where on Azure a cluster of the managed service is, and its resource there.",
        (*CLUSTER_LABELS, *AZURE_LABELS, "microsoft_resource_type", "microsoft_resource_id"),
        (_managed(one, azure) for one, azure in on_azure if is_aro(one.known.spec)),
    )
    yield gauge(
        "hypershift_cluster_acr_pull_identity_configured",
        "1 for clusters on Azure that pull from a registry with an identity of their own.",
        CLUSTER_LABELS,
        ((identity(one), float(bool(_registry_type(azure)))) for one, azure in on_azure),
    )


def _registry_type(azure: AzurePlatform) -> str:
    return azure.container_registry.credentials.type if azure.container_registry else ""


def _place(cluster: Cluster, azure: AzurePlatform) -> Series:
    place = (azure.location, azure.subscription_id, azure.resource_group)
    return (*identity(cluster), *place), 1.0


def _managed(cluster: Cluster, azure: AzurePlatform) -> Series:
    values, figure = _place(cluster, azure)
    group = f"/subscriptions/{azure.subscription_id}/resourceGroups/{azure.resource_group}"
    name = cluster.known.metadata.name
    resource = f"{group}/providers/Microsoft.RedHatOpenshift/{ARO_TYPE}/{name}"
    return (*values, ARO_TYPE, resource), figure
