"""Names, labels and annotations by which everything around a hosted cluster is found."""

from hypershift.api import annotations, finalizers, labels
from hypershift.kit import Key, Manifest, annotations_of
from hypershift.operators.hypershift import operator_image, ownership

FINALIZER = finalizers.FINALIZER
CLUSTER = annotations.CLUSTER
cluster_of = ownership.cluster_of
HOSTED_CONTROL_PLANE = labels.HOSTED_CONTROL_PLANE
OWNER_NAMESPACE = labels.OWNER_NAMESPACE
OWNER_NAME = labels.OWNER_NAME
REFERENCED = annotations.REFERENCED_RESOURCE_PREFIX
HAS_BEEN_AVAILABLE = annotations.HAS_BEEN_AVAILABLE
RESTART_DATE = annotations.RESTART_DATE
PREVIOUS_RESTART_DATE = annotations.PREVIOUS_RESTART_DATE
SERVING_CERT_HASH = annotations.KAS_SERVING_CERT_HASH
MODE = operator_image.MODE
CLEANUP_CLOUD_RESOURCES = annotations.CLEANUP_CLOUD_RESOURCES
DESTROY_GRACE_PERIOD = annotations.DESTROY_GRACE_PERIOD
SKIP_DELETE_NAMESPACE = annotations.SKIP_NAMESPACE_DELETION
DISABLE_MACHINE_MANAGEMENT = annotations.DISABLE_MACHINE_MANAGEMENT
DISABLE_PKI = annotations.DISABLE_PKI_RECONCILIATION
POD_SECURITY_OVERRIDE = annotations.POD_SECURITY_ADMISSION_LABEL_OVERRIDE
SECURITY_CONTEXT_UID = annotations.DEFAULT_SECURITY_CONTEXT_UID
RESTORED_FROM_BACKUP = annotations.RESTORED_FROM_BACKUP
FORCE_UPGRADE_TO = annotations.FORCE_UPGRADE_TO
SKIP_RELEASE_VALIDATION = annotations.SKIP_RELEASE_IMAGE_VALIDATION
SKIP_SAN_VALIDATION = annotations.SKIP_KAS_CONFLICT_SAN_VALIDATION
SAFE_TO_DELETE = labels.SAFE_TO_DELETE_WITH_CLUSTER
AUTO_CREATED_FOR = labels.AUTO_CREATED_FOR_INFRA

COPY_OF = annotations.COPY_OF
SSH_KEY = "ssh-key"
USER_CA_BUNDLE = "user-ca-bundle"


def cluster_annotation(key: Key) -> dict[str, str]:
    """The annotation that names an object's HostedCluster."""
    return {CLUSTER: str(key)}


def referenced_annotation(key: Key) -> str:
    """The annotation that lists which clusters use a user's Secret or ConfigMap."""
    return f"{REFERENCED}{key.name}"


def referencing_clusters(manifest: Manifest) -> list[Key]:
    """The clusters that the annotation of a user's Secret or ConfigMap lists."""
    namespace = manifest["metadata"].get("namespace", "")
    return [
        Key(namespace, name.removeprefix(REFERENCED))
        for name in annotations_of(manifest)
        if name.startswith(REFERENCED)
    ]


def admin_kubeconfig(name: str) -> str:
    """The Secret in the user's namespace that holds the admin kubeconfig."""
    return f"{name}-admin-kubeconfig"


def custom_admin_kubeconfig(name: str) -> str:
    """The Secret with the kubeconfig for the user's own API name."""
    return f"{name}-custom-admin-kubeconfig"


def kubeadmin_password(name: str) -> str:
    """The Secret in the user's namespace that holds the first administrator's password."""
    return f"{name}-kubeadmin-password"
