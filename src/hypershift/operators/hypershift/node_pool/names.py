"""The names, labels and annotations by which a pool and its objects find each other."""

from hypershift.ignition import fingerprint
from hypershift.kit import Key, Manifest

PREFIX = "hypershift.openshift.io"
FINALIZER = f"{PREFIX}/finalizer"
NODE_POOL = f"{PREFIX}/nodePool"
CURRENT_CONFIG = f"{PREFIX}/nodePoolCurrentConfig"
CURRENT_CONFIG_VERSION = f"{PREFIX}/nodePoolCurrentConfigVersion"
TARGET_CONFIG_VERSION = f"{PREFIX}/nodePoolTargetConfigVersion"
CURRENT_TEMPLATE = f"{PREFIX}/nodePoolPlatformMachineTemplate"
CANONICAL_IMAGES = f"{PREFIX}/canonical-data-plane-images"
HAPROXY_IMAGE = f"{PREFIX}/haproxy-image"
RELEASE_VERSION = f"{PREFIX}/release-version"
MAX_UNAVAILABLE = f"{PREFIX}/nodePoolMaxUnavailable"
UPGRADE_RUNNING = f"{PREFIX}/nodePoolUpgradeInProgressTrue"
UPGRADE_FAILED = f"{PREFIX}/nodePoolUpgradeInProgressFalse"
TAINTS = f"{PREFIX}/nodePoolTaints"
RESTORED = f"{PREFIX}/restored-from-backup"
CORE_CONFIG = f"{PREFIX}/core-ignition-config"
NTO_CONFIG = f"{PREFIX}/nto-generated-machine-config"
MANAGED_LABEL = "managed.hypershift.openshift.io"
INTERRUPTIBLE = f"{PREFIX}/interruptible-instance"
KARPENTER = f"{PREFIX}/managed-by-karpenter"
CLUSTER_NAME = "cluster.x-k8s.io/cluster-name"
DEPLOYMENT_NAME = "cluster.x-k8s.io/deployment-name"
GLOBAL_PULL_SECRET = f"{PREFIX}/nodepool-globalps-enabled"
PAUSED = "cluster.x-k8s.io/paused"
MIN_SIZE = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size"
MAX_SIZE = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size"
IGNITION_CA = "ignition-server-ca-cert"
RESOURCES_NAME_LIMIT = 43
TEMPLATE_NAME_LIMIT = 253


def control_plane_namespace(hosted_cluster: Manifest) -> str:
    """The namespace that holds a hosted cluster's control plane."""
    metadata = hosted_cluster["metadata"]
    return f"{metadata['namespace']}-{metadata['name'].replace('.', '-')}"


def cluster_of(pool: Manifest) -> str:
    """The control plane namespace of the cluster that a pool says it belongs to."""
    cluster = str((pool.get("spec") or {}).get("clusterName", ""))
    return f"{pool['metadata']['namespace']}-{cluster.replace('.', '-')}"


def pool_value(pool: Manifest) -> str:
    """How children name their pool: namespace and name."""
    return f"{pool['metadata']['namespace']}/{pool['metadata']['name']}"


def pool_key(annotations: dict[str, str]) -> Key | None:
    """The pool that a child's annotation names."""
    namespace, slash, name = annotations.get(NODE_POOL, "").partition("/")
    return Key(namespace, name) if slash else None


def resources_name(infra_id: str, cluster: str, pool: str) -> str:
    """Key and value of the label that selects a pool's machines."""
    return fingerprint.name(f"{infra_id}-{cluster}", pool, RESOURCES_NAME_LIMIT)


def template_name(pool: str, spec_json: str) -> str:
    """A machine template's name, which follows the JSON text of its spec."""
    suffix = fingerprint.of_bytes(spec_json.encode())
    return fingerprint.name(pool, suffix, TEMPLATE_NAME_LIMIT)
