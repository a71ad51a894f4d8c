"""How the conditions of a cluster and of a pool are when all is well."""

from hypershift.api import annotations
from hypershift.api.conditions import (
    ConditionStatus,
    ControlPlaneCondition,
    HostedClusterCondition,
    NodePoolConditionType,
)
from hypershift.kit import Manifest, annotations_of
from hypershift.platforms import Service, hostname, is_aro, is_private, is_public

_TRUE = (
    HostedClusterCondition.AVAILABLE,
    ControlPlaneCondition.INFRASTRUCTURE_READY,
    ControlPlaneCondition.KUBE_API_SERVER_AVAILABLE,
    HostedClusterCondition.IGNITION_ENDPOINT_AVAILABLE,
    ControlPlaneCondition.ETCD_AVAILABLE,
    ControlPlaneCondition.VALID_RELEASE_INFO,
    HostedClusterCondition.VALID_CONFIGURATION,
    HostedClusterCondition.SUPPORTED,
    HostedClusterCondition.CLUSTER_VERSION_SUCCEEDING,
    ControlPlaneCondition.CLUSTER_VERSION_AVAILABLE,
    ControlPlaneCondition.CLUSTER_VERSION_RELEASE_ACCEPTED,
    HostedClusterCondition.RECONCILIATION_ACTIVE,
    HostedClusterCondition.RECONCILIATION_SUCCEEDED,
    ControlPlaneCondition.CONFIG_OPERATOR_SUCCEEDED,
    ControlPlaneCondition.VALID_CONFIGURATION,
    HostedClusterCondition.VALID_RELEASE_IMAGE,
    HostedClusterCondition.PLATFORM_CREDENTIALS_FOUND,
    ControlPlaneCondition.DATA_PLANE_CONNECTION_AVAILABLE,
    ControlPlaneCondition.CONTROL_PLANE_CONNECTION_AVAILABLE,
)
_FALSE = (
    HostedClusterCondition.PROGRESSING,
    HostedClusterCondition.DEGRADED,
    ControlPlaneCondition.CLUSTER_VERSION_PROGRESSING,
)
_GCP = (
    HostedClusterCondition.VALID_GCP_WORKLOAD_IDENTITY,
    HostedClusterCondition.VALID_GCP_CREDENTIALS,
    HostedClusterCondition.GCP_ENDPOINT_AVAILABLE,
    HostedClusterCondition.GCP_SERVICE_ATTACHMENT_AVAILABLE,
)

_POOL_TRUE = (
    NodePoolConditionType.READY,
    NodePoolConditionType.VALID_RELEASE_IMAGE,
    NodePoolConditionType.VALID_GENERATED_PAYLOAD,
    NodePoolConditionType.VALID_MACHINE_CONFIG,
    NodePoolConditionType.VALID_TUNING_CONFIG,
    NodePoolConditionType.ALL_MACHINES_READY,
    NodePoolConditionType.ALL_NODES_HEALTHY,
    NodePoolConditionType.RECONCILIATION_ACTIVE,
    NodePoolConditionType.REACHED_IGNITION_ENDPOINT,
    NodePoolConditionType.UPDATE_MANAGEMENT_ENABLED,
    NodePoolConditionType.VALID_ARCH_PLATFORM,
    NodePoolConditionType.SUPPORTED_VERSION_SKEW,
)
_POOL_FALSE = (
    NodePoolConditionType.UPDATING_VERSION,
    NodePoolConditionType.UPDATING_CONFIG,
    NodePoolConditionType.UPDATING_MACHINE_TEMPLATE,
)
#: Platforms whose pools say whether there is an image to boot.
_BOOT_IMAGES = ("AWS", "KubeVirt", "PowerVS")


def of_cluster(cluster: Manifest) -> dict[str, str]:
    """What each condition of a cluster should say."""
    spec = cluster["spec"]
    expected: dict[str, str] = {
        **dict.fromkeys(_TRUE, ConditionStatus.TRUE),
        **dict.fromkeys(_FALSE, ConditionStatus.FALSE),
        **_of_cloud(cluster),
    }
    if (spec.get("etcd") or {}).get("managementType") == "Unmanaged":
        expected[HostedClusterCondition.UNMANAGED_ETCD_AVAILABLE] = ConditionStatus.TRUE
    named = is_public(spec) and hostname(spec, Service.API_SERVER)
    # Without a name of its own nobody looks whether it can be resolved.
    expected[ControlPlaneCondition.EXTERNAL_DNS_REACHABLE] = (
        ConditionStatus.TRUE if named else ConditionStatus.UNKNOWN
    )
    return expected


def _of_cloud(cluster: Manifest) -> dict[str, str]:
    spec = cluster["spec"]
    match spec["platform"]["type"]:
        case "AWS":
            kinds: list[str] = [
                HostedClusterCondition.VALID_OIDC,
                ControlPlaneCondition.VALID_AWS_IDENTITY_PROVIDER,
                ControlPlaneCondition.AWS_SECURITY_GROUP_CREATED,
            ]
            if is_private(spec):
                kinds += [
                    HostedClusterCondition.AWS_ENDPOINT_AVAILABLE,
                    HostedClusterCondition.AWS_ENDPOINT_SERVICE_AVAILABLE,
                ]
            used = ConditionStatus.TRUE if _key_service(spec, "aws") else ConditionStatus.UNKNOWN
            return {
                **dict.fromkeys(kinds, ConditionStatus.TRUE),
                ControlPlaneCondition.VALID_AWS_KMS: used,
            }
        case "Azure":
            kms = _key_service(spec, "azure")
            # A vault that only the cluster's own network reaches cannot be looked at from here.
            hidden = is_aro(spec) and kms.get("keyVaultAccess") == "Private"
            seen = ConditionStatus.TRUE if kms and not hidden else ConditionStatus.UNKNOWN
            return {ControlPlaneCondition.VALID_AZURE_KMS: seen}
        case "GCP":
            return dict.fromkeys(_GCP, ConditionStatus.TRUE)
        case "KubeVirt":
            return _of_kubevirt(cluster)
        case _:
            return {}


def _of_kubevirt(cluster: Manifest) -> dict[str, str]:
    """What depends on the cloud that the machines' hosts are in."""
    spec = cluster["spec"]
    found: dict[str, str] = {}
    host = annotations_of(cluster).get(annotations.MANAGEMENT_PLATFORM, "")
    jumbo = {"AWS": ConditionStatus.TRUE, "Azure": ConditionStatus.FALSE}.get(host)
    if jumbo and (spec.get("networking") or {}).get("networkType") == "OVNKubernetes":
        found[ControlPlaneCondition.VALID_KUBEVIRT_MTU] = jumbo
    if host == "AWS":
        found[HostedClusterCondition.KUBEVIRT_LIVE_MIGRATABLE] = ConditionStatus.FALSE
    if (spec["platform"].get("kubevirt") or {}).get("credentials"):
        found[HostedClusterCondition.VALID_KUBEVIRT_POLICY_RBAC] = ConditionStatus.TRUE
    return found


def _key_service(spec: Manifest, cloud: str) -> Manifest:
    kms = (spec.get("secretEncryption") or {}).get("kms") or {}
    found: Manifest = kms.get(cloud) or {}
    return found


def of_pool(pool: Manifest) -> dict[str, str]:
    """What each condition of a pool should say."""
    spec = pool["spec"]
    expected: dict[str, str] = {
        **dict.fromkeys(_POOL_TRUE, ConditionStatus.TRUE),
        **dict.fromkeys(_POOL_FALSE, ConditionStatus.FALSE),
    }
    platform = spec["platform"]["type"]
    if platform in _BOOT_IMAGES:
        expected[NodePoolConditionType.VALID_PLATFORM_IMAGE] = ConditionStatus.TRUE
    if platform == "AWS":
        expected[NodePoolConditionType.AWS_SECURITY_GROUP_AVAILABLE] = ConditionStatus.TRUE
    repairs = (spec.get("management") or {}).get("autoRepair")
    expected[NodePoolConditionType.AUTOSCALING_ENABLED] = (
        ConditionStatus.TRUE if spec.get("autoScaling") else ConditionStatus.FALSE
    )
    expected[NodePoolConditionType.AUTOREPAIR_ENABLED] = (
        ConditionStatus.TRUE if repairs else ConditionStatus.FALSE
    )
    return expected
