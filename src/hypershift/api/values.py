"""Words with a meaning of their own: the values that enums of the API admit."""

from enum import StrEnum


class OLMCatalogPlacement(StrEnum):
    """Where the default operator catalogs run."""

    MANAGEMENT = "management"
    GUEST = "guest"


class ConditionStatus(StrEnum):
    """What a condition may state."""

    TRUE = "True"
    FALSE = "False"
    UNKNOWN = "Unknown"


class Capability(StrEnum):
    """Optional parts of the product."""

    IMAGE_REGISTRY = "ImageRegistry"
    OPENSHIFT_SAMPLES = "openshift-samples"
    INSIGHTS = "Insights"
    BAREMETAL = "baremetal"
    CONSOLE = "Console"
    NODE_TUNING = "NodeTuning"
    INGRESS = "Ingress"


class UpdateState(StrEnum):
    """How far a rollout came."""

    COMPLETED = "Completed"
    PARTIAL = "Partial"


class NetworkType(StrEnum):
    """Network providers."""

    OPENSHIFT_SDN = "OpenShiftSDN"
    CALICO = "Calico"
    OVN_KUBERNETES = "OVNKubernetes"
    OTHER = "Other"


class EtcdManagementType(StrEnum):
    """Who runs etcd."""

    MANAGED = "Managed"
    UNMANAGED = "Unmanaged"


class MetricsSet(StrEnum):
    """How many metrics are collected."""

    TELEMETRY = "Telemetry"
    SRE = "SRE"
    ALL = "All"


class ForwardingMode(StrEnum):
    """Whether metrics are forwarded."""

    FORWARD = "Forward"
    NONE = "None"


class PlatformType(StrEnum):
    """Kinds of infrastructure."""

    AWS = "AWS"
    AZURE = "Azure"
    IBMCLOUD = "IBMCloud"
    KUBEVIRT = "KubeVirt"
    AGENT = "Agent"
    POWERVS = "PowerVS"
    NONE = "None"
    OPENSTACK = "OpenStack"
    GCP = "GCP"
    LOCAL = "Local"


class EndpointAccess(StrEnum):
    """From where an API server can be reached."""

    PUBLIC = "Public"
    PUBLIC_AND_PRIVATE = "PublicAndPrivate"
    PRIVATE = "Private"


class SecretEncryptionType(StrEnum):
    """How stored objects are encrypted."""

    KMS = "kms"
    AESCBC = "aescbc"


class KMSProvider(StrEnum):
    """Clouds whose key service can be used."""

    IBMCLOUD = "IBMCloud"
    AWS = "AWS"
    AZURE = "Azure"


class ServiceType(StrEnum):
    """Endpoints of a control plane that are exposed."""

    API_SERVER = "APIServer"
    OAUTH_SERVER = "OAuthServer"
    OIDC = "OIDC"
    KONNECTIVITY = "Konnectivity"
    IGNITION = "Ignition"
    OVN_SB_DB = "OVNSbDb"


class PublishingStrategyType(StrEnum):
    """Ways to expose an endpoint."""

    LOAD_BALANCER = "LoadBalancer"
    NODE_PORT = "NodePort"
    ROUTE = "Route"
    NONE = "None"
    S3 = "S3"


class Architecture(StrEnum):
    """Processor architectures of nodes."""

    ARM64 = "arm64"
    AMD64 = "amd64"
    PPC64LE = "ppc64le"
    S390X = "s390x"


class UpgradeType(StrEnum):
    """How nodes get a new release or configuration."""

    REPLACE = "Replace"
    IN_PLACE = "InPlace"


class UpgradeStrategy(StrEnum):
    """Who decides when a node is replaced."""

    ROLLING_UPDATE = "RollingUpdate"
    ON_DELETE = "OnDelete"


class AvailabilityPolicy(StrEnum):
    """How many replicas components run."""

    HIGHLY_AVAILABLE = "HighlyAvailable"
    SINGLE_REPLICA = "SingleReplica"
