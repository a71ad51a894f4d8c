"""Every kind that we know by name, and the way from a manifest to its kind."""

from collections.abc import Iterator

from hypershift.kit import Manifest
from hypershift.kube.resource import Resource


def _core(plural: str, kind: str, *, namespaced: bool = True) -> Resource:
    return Resource("", "v1", plural, kind, namespaced)


def _v1(group: str, plural: str, kind: str, *, namespaced: bool = True) -> Resource:
    return Resource(group, "v1", plural, kind, namespaced)


CONFIG_MAP = _core("configmaps", "ConfigMap")
ENDPOINTS = _core("endpoints", "Endpoints")
EVENT = _core("events", "Event")
LIMIT_RANGE = _core("limitranges", "LimitRange")
NAMESPACE = _core("namespaces", "Namespace", namespaced=False)
NODE = _core("nodes", "Node", namespaced=False)
PERSISTENT_VOLUME = _core("persistentvolumes", "PersistentVolume", namespaced=False)
PERSISTENT_VOLUME_CLAIM = _core("persistentvolumeclaims", "PersistentVolumeClaim")
POD = _core("pods", "Pod")
POD_TEMPLATE = _core("podtemplates", "PodTemplate")
REPLICATION_CONTROLLER = _core("replicationcontrollers", "ReplicationController")
RESOURCE_QUOTA = _core("resourcequotas", "ResourceQuota")
SECRET = _core("secrets", "Secret")
SERVICE = _core("services", "Service")
SERVICE_ACCOUNT = _core("serviceaccounts", "ServiceAccount")

CONTROLLER_REVISION = _v1("apps", "controllerrevisions", "ControllerRevision")
DAEMON_SET = _v1("apps", "daemonsets", "DaemonSet")
DEPLOYMENT = _v1("apps", "deployments", "Deployment")
REPLICA_SET = _v1("apps", "replicasets", "ReplicaSet")
STATEFUL_SET = _v1("apps", "statefulsets", "StatefulSet")

CRON_JOB = _v1("batch", "cronjobs", "CronJob")
JOB = _v1("batch", "jobs", "Job")

CLUSTER_ROLE = _v1("rbac.authorization.k8s.io", "clusterroles", "ClusterRole", namespaced=False)
CLUSTER_ROLE_BINDING = _v1(
    "rbac.authorization.k8s.io", "clusterrolebindings", "ClusterRoleBinding", namespaced=False
)
ROLE = _v1("rbac.authorization.k8s.io", "roles", "Role")
ROLE_BINDING = _v1("rbac.authorization.k8s.io", "rolebindings", "RoleBinding")

API_SERVICE = _v1("apiregistration.k8s.io", "apiservices", "APIService", namespaced=False)
CSI_DRIVER = _v1("storage.k8s.io", "csidrivers", "CSIDriver", namespaced=False)
CSI_NODE = _v1("storage.k8s.io", "csinodes", "CSINode", namespaced=False)
CERTIFICATE_SIGNING_REQUEST = _v1(
    "certificates.k8s.io",
    "certificatesigningrequests",
    "CertificateSigningRequest",
    namespaced=False,
)
CUSTOM_RESOURCE_DEFINITION = _v1(
    "apiextensions.k8s.io",
    "customresourcedefinitions",
    "CustomResourceDefinition",
    namespaced=False,
)
ENDPOINT_SLICE = _v1("discovery.k8s.io", "endpointslices", "EndpointSlice")
HORIZONTAL_POD_AUTOSCALER = Resource(
    "autoscaling", "v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler"
)
INGRESS = _v1("networking.k8s.io", "ingresses", "Ingress")
INGRESS_CLASS = _v1("networking.k8s.io", "ingressclasses", "IngressClass", namespaced=False)
LEASE = _v1("coordination.k8s.io", "leases", "Lease")
MUTATING_WEBHOOK_CONFIGURATION = _v1(
    "admissionregistration.k8s.io",
    "mutatingwebhookconfigurations",
    "MutatingWebhookConfiguration",
    namespaced=False,
)
NETWORK_POLICY = _v1("networking.k8s.io", "networkpolicies", "NetworkPolicy")
POD_DISRUPTION_BUDGET = _v1("policy", "poddisruptionbudgets", "PodDisruptionBudget")
PRIORITY_CLASS = _v1("scheduling.k8s.io", "priorityclasses", "PriorityClass", namespaced=False)
RUNTIME_CLASS = _v1("node.k8s.io", "runtimeclasses", "RuntimeClass", namespaced=False)
SELF_SUBJECT_ACCESS_REVIEW = _v1(
    "authorization.k8s.io", "selfsubjectaccessreviews", "SelfSubjectAccessReview", namespaced=False
)
SELF_SUBJECT_REVIEW = _v1(
    "authentication.k8s.io", "selfsubjectreviews", "SelfSubjectReview", namespaced=False
)
STORAGE_CLASS = _v1("storage.k8s.io", "storageclasses", "StorageClass", namespaced=False)
SUBJECT_ACCESS_REVIEW = _v1(
    "authorization.k8s.io", "subjectaccessreviews", "SubjectAccessReview", namespaced=False
)
TOKEN_REVIEW = _v1("authentication.k8s.io", "tokenreviews", "TokenReview", namespaced=False)
VALIDATING_ADMISSION_POLICY = _v1(
    "admissionregistration.k8s.io",
    "validatingadmissionpolicies",
    "ValidatingAdmissionPolicy",
    namespaced=False,
)
VALIDATING_ADMISSION_POLICY_BINDING = _v1(
    "admissionregistration.k8s.io",
    "validatingadmissionpolicybindings",
    "ValidatingAdmissionPolicyBinding",
    namespaced=False,
)
VALIDATING_WEBHOOK_CONFIGURATION = _v1(
    "admissionregistration.k8s.io",
    "validatingwebhookconfigurations",
    "ValidatingWebhookConfiguration",
    namespaced=False,
)
VOLUME_ATTACHMENT = _v1("storage.k8s.io", "volumeattachments", "VolumeAttachment", namespaced=False)

HYPERSHIFT_GROUP = "hypershift.openshift.io"
SCHEDULING_GROUP = "scheduling.hypershift.openshift.io"
CERTIFICATES_GROUP = "certificates.hypershift.openshift.io"


def _ours(plural: str, kind: str) -> Resource:
    return Resource(HYPERSHIFT_GROUP, "v1beta1", plural, kind)


AWS_ENDPOINT_SERVICE = _ours("awsendpointservices", "AWSEndpointService")
AZURE_PRIVATE_LINK_SERVICE = _ours("azureprivatelinkservices", "AzurePrivateLinkService")
CONTROL_PLANE_COMPONENT = _ours("controlplanecomponents", "ControlPlaneComponent")
GCP_PRIVATE_SERVICE_CONNECT = _ours("gcpprivateserviceconnects", "GCPPrivateServiceConnect")
HCP_ETCD_BACKUP = _ours("hcpetcdbackups", "HCPEtcdBackup")
HOSTED_CLUSTER = _ours("hostedclusters", "HostedCluster")
HOSTED_CONTROL_PLANE = _ours("hostedcontrolplanes", "HostedControlPlane")
NODE_POOL = _ours("nodepools", "NodePool")
CERTIFICATE_REVOCATION_REQUEST = Resource(
    CERTIFICATES_GROUP, "v1alpha1", "certificaterevocationrequests", "CertificateRevocationRequest"
)
CERTIFICATE_SIGNING_REQUEST_APPROVAL = Resource(
    CERTIFICATES_GROUP,
    "v1alpha1",
    "certificatesigningrequestapprovals",
    "CertificateSigningRequestApproval",
)
AUDIT_LOG_PERSISTENCE_CONFIG = Resource(
    "auditlogpersistence.hypershift.openshift.io",
    "v1alpha1",
    "auditlogpersistenceconfigs",
    "AuditLogPersistenceConfig",
    namespaced=False,
)
CLUSTER_SIZING_CONFIGURATION = Resource(
    SCHEDULING_GROUP,
    "v1alpha1",
    "clustersizingconfigurations",
    "ClusterSizingConfiguration",
    namespaced=False,
)

CLUSTER_API_GROUP = "cluster.x-k8s.io"


def _capi(plural: str, kind: str) -> Resource:
    return Resource(CLUSTER_API_GROUP, "v1beta2", plural, kind)


CAPI_CLUSTER = _capi("clusters", "Cluster")
MACHINE = _capi("machines", "Machine")
MACHINE_DEPLOYMENT = _capi("machinedeployments", "MachineDeployment")
MACHINE_DRAIN_RULE = _capi("machinedrainrules", "MachineDrainRule")
MACHINE_HEALTH_CHECK = _capi("machinehealthchecks", "MachineHealthCheck")
MACHINE_POOL = _capi("machinepools", "MachinePool")
MACHINE_SET = _capi("machinesets", "MachineSet")

LOCAL_GROUP = "infrastructure.local.hypershift.io"


def _local(plural: str, kind: str) -> Resource:
    return Resource(LOCAL_GROUP, "v1beta1", plural, kind)


LOCAL_CLUSTER = _local("localclusters", "LocalCluster")
LOCAL_MACHINE = _local("localmachines", "LocalMachine")
LOCAL_MACHINE_TEMPLATE = _local("localmachinetemplates", "LocalMachineTemplate")

VOLUME_SNAPSHOT = _v1("snapshot.storage.k8s.io", "volumesnapshots", "VolumeSnapshot")
POD_MONITOR = _v1("monitoring.coreos.com", "podmonitors", "PodMonitor")
PROMETHEUS_RULE = _v1("monitoring.coreos.com", "prometheusrules", "PrometheusRule")
SERVICE_MONITOR = _v1("monitoring.coreos.com", "servicemonitors", "ServiceMonitor")
SECRET_PROVIDER_CLASS = _v1(
    "secrets-store.csi.x-k8s.io", "secretproviderclasses", "SecretProviderClass"
)

HOST_SUBNET = _v1("network.openshift.io", "hostsubnets", "HostSubnet", namespaced=False)
IMAGE_STREAM = _v1("image.openshift.io", "imagestreams", "ImageStream")
ROUTE = _v1("route.openshift.io", "routes", "Route")


def _config(plural: str, kind: str) -> Resource:
    return _v1("config.openshift.io", plural, kind, namespaced=False)


CONFIG_API_SERVER = _config("apiservers", "APIServer")
CONFIG_AUTHENTICATION = _config("authentications", "Authentication")
CONFIG_BUILD = _config("builds", "Build")
CLUSTER_OPERATOR = _config("clusteroperators", "ClusterOperator")
CLUSTER_VERSION = _config("clusterversions", "ClusterVersion")
CONFIG_DNS = _config("dnses", "DNS")
FEATURE_GATE = _config("featuregates", "FeatureGate")
CONFIG_IMAGE = _config("images", "Image")
IMAGE_CONTENT_POLICY = _config("imagecontentpolicies", "ImageContentPolicy")
IMAGE_DIGEST_MIRROR_SET = _config("imagedigestmirrorsets", "ImageDigestMirrorSet")
IMAGE_TAG_MIRROR_SET = _config("imagetagmirrorsets", "ImageTagMirrorSet")
INFRASTRUCTURE = _config("infrastructures", "Infrastructure")
CONFIG_INGRESS = _config("ingresses", "Ingress")
CONFIG_NETWORK = _config("networks", "Network")
CONFIG_OAUTH = _config("oauths", "OAuth")
CONFIG_OPERATOR_HUB = _config("operatorhubs", "OperatorHub")
CONFIG_PROJECT = _config("projects", "Project")
CONFIG_PROXY = _config("proxies", "Proxy")
CONFIG_SCHEDULER = _config("schedulers", "Scheduler")


def every() -> Iterator[Resource]:
    """Yield every kind that this module names."""
    return (value for value in globals().values() if isinstance(value, Resource))


_BY_KIND = {(resource.api_version, resource.kind): resource for resource in every()}


def find(api_version: str, kind: str) -> Resource | None:
    """The kind of that name, when this module knows it."""
    return _BY_KIND.get((api_version, kind))


def resource_of(manifest: Manifest) -> Resource:
    """The kind of a manifest; `LookupError` if it is not in this table (clients ask discovery)."""
    api_version, kind = manifest.get("apiVersion", ""), manifest.get("kind", "")
    if found := find(api_version, kind):
        return found
    raise LookupError(f"no known kind {kind!r} in {api_version!r}")
