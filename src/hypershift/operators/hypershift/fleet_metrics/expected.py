"""How the conditions of a cluster and of a pool are when all is well."""

from hypershift.api import annotations
from hypershift.kit import Manifest, annotations_of
from hypershift.platforms import Service, hostname, is_aro, is_private, is_public

_TRUE = (
    "Available",
    "InfrastructureReady",
    "KubeAPIServerAvailable",
    "IgnitionEndpointAvailable",
    "EtcdAvailable",
    "ValidReleaseInfo",
    "ValidConfiguration",
    "SupportedHostedCluster",
    "ClusterVersionSucceeding",
    "ClusterVersionAvailable",
    "ClusterVersionReleaseAccepted",
    "ReconciliationActive",
    "ReconciliationSucceeded",
    "ConfigOperatorReconciliationSucceeded",
    "ValidHostedControlPlaneConfiguration",
    "ValidReleaseImage",
    "PlatformCredentialsFound",
    "DataPlaneConnectionAvailable",
    "ControlPlaneConnectionAvailable",
)
_FALSE = ("Progressing", "Degraded", "ClusterVersionProgressing")
_GCP = (
    "ValidGCPWorkloadIdentity",
    "ValidGCPCredentials",
    "GCPEndpointAvailable",
    "GCPServiceAttachmentAvailable",
)

_POOL_TRUE = (
    "Ready",
    "ValidReleaseImage",
    "ValidGeneratedPayload",
    "ValidMachineConfig",
    "ValidTuningConfig",
    "AllMachinesReady",
    "AllNodesHealthy",
    "ReconciliationActive",
    "ReachedIgnitionEndpoint",
    "UpdateManagementEnabled",
    "ValidArchPlatform",
    "SupportedVersionSkew",
)
_POOL_FALSE = ("UpdatingVersion", "UpdatingConfig", "UpdatingPlatformMachineTemplate")
#: Platforms whose pools say whether there is an image to boot.
_BOOT_IMAGES = ("AWS", "KubeVirt", "PowerVS")


def of_cluster(cluster: Manifest) -> dict[str, str]:
    """What each condition of a cluster should say."""
    spec = cluster["spec"]
    expected = dict.fromkeys(_TRUE, "True") | dict.fromkeys(_FALSE, "False")
    expected |= _of_cloud(cluster)
    if (spec.get("etcd") or {}).get("managementType") == "Unmanaged":
        expected["UnmanagedEtcdAvailable"] = "True"
    named = is_public(spec) and hostname(spec, Service.API_SERVER)
    # Without a name of its own nobody looks whether it can be resolved.
    expected["ExternalDNSReachable"] = "True" if named else "Unknown"
    return expected


def _of_cloud(cluster: Manifest) -> dict[str, str]:
    spec = cluster["spec"]
    match spec["platform"]["type"]:
        case "AWS":
            kinds = ["ValidOIDCConfiguration", "ValidAWSIdentityProvider"]
            kinds.append("AWSDefaultSecurityGroupCreated")
            if is_private(spec):
                kinds += ["AWSEndpointAvailable", "AWSEndpointServiceAvailable"]
            used = "True" if _key_service(spec, "aws") else "Unknown"
            return {**dict.fromkeys(kinds, "True"), "ValidAWSKMSConfig": used}
        case "Azure":
            kms = _key_service(spec, "azure")
            # A vault that only the cluster's own network reaches cannot be looked at from here.
            hidden = is_aro(spec) and kms.get("keyVaultAccess") == "Private"
            return {"ValidAzureKMSConfig": "True" if kms and not hidden else "Unknown"}
        case "GCP":
            return dict.fromkeys(_GCP, "True")
        case "KubeVirt":
            return _of_kubevirt(cluster)
        case _:
            return {}


def _of_kubevirt(cluster: Manifest) -> dict[str, str]:
    """What depends on the cloud that the machines' hosts are in."""
    spec, found = cluster["spec"], {}
    host = annotations_of(cluster).get(annotations.MANAGEMENT_PLATFORM, "")
    jumbo = {"AWS": "True", "Azure": "False"}.get(host)
    if jumbo and (spec.get("networking") or {}).get("networkType") == "OVNKubernetes":
        found["ValidKubeVirtInfraNetworkMTU"] = jumbo
    if host == "AWS":
        found["KubeVirtNodesLiveMigratable"] = "False"
    if (spec["platform"].get("kubevirt") or {}).get("credentials"):
        found["ValidKubeVirtInfraNetworkPolicyRBAC"] = "True"
    return found


def _key_service(spec: Manifest, cloud: str) -> Manifest:
    kms = (spec.get("secretEncryption") or {}).get("kms") or {}
    found: Manifest = kms.get(cloud) or {}
    return found


def of_pool(pool: Manifest) -> dict[str, str]:
    """What each condition of a pool should say."""
    spec = pool["spec"]
    expected = dict.fromkeys(_POOL_TRUE, "True") | dict.fromkeys(_POOL_FALSE, "False")
    platform = spec["platform"]["type"]
    if platform in _BOOT_IMAGES:
        expected["ValidPlatformImage"] = "True"
    if platform == "AWS":
        expected["AWSSecurityGroupAvailable"] = "True"
    repairs = (spec.get("management") or {}).get("autoRepair")
    expected["AutoscalingEnabled"] = "True" if spec.get("autoScaling") else "False"
    expected["AutorepairEnabled"] = "True" if repairs else "False"
    return expected
