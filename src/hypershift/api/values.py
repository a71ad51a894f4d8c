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


class AzureAuthenticationType(StrEnum):
    """How components authenticate to Azure: by a managed service's identities or by their own."""

    MANAGED_IDENTITIES = "ManagedIdentities"
    WORKLOAD_IDENTITIES = "WorkloadIdentities"


class AzurePrivateType(StrEnum):
    """How an API server is reached from inside a network on Azure."""

    PRIVATE_LINK = "PrivateLink"
    SWIFT = "Swift"


class EtcdStorageType(StrEnum):
    """Where members of etcd keep their data; shards alone may keep it in memory."""

    PERSISTENT_VOLUME = "PersistentVolume"
    EMPTY_DIR = "EmptyDir"


class KeyVaultType(StrEnum):
    """Kinds of key services on Azure."""

    KEY_VAULT = "KeyVault"
    MANAGED_HSM = "ManagedHSM"


class KeyProvider(StrEnum):
    """Who keeps a key, as a status says it."""

    AZURE = "Azure"
    AWS = "AWS"
    IBMCLOUD = "IBMCloud"
    AESCBC = "AESCBC"


class KMSAuthType(StrEnum):
    """Whose credentials the key service of IBM Cloud gets."""

    MANAGED = "Managed"
    UNMANAGED = "Unmanaged"


class AuthenticationType(StrEnum):
    """Who logs users in; unset means OpenShift's own OAuth server."""

    NONE = "None"
    INTEGRATED_OAUTH = "IntegratedOAuth"
    OIDC = "OIDC"


class PrefixPolicy(StrEnum):
    """Whether user names get a prefix; unset leaves it to the claim."""

    NO_PREFIX = "NoPrefix"
    PREFIX = "Prefix"


class AuditProfile(StrEnum):
    """How much of a request is in the audit log."""

    DEFAULT = "Default"
    WRITE_REQUEST_BODIES = "WriteRequestBodies"
    ALL_REQUEST_BODIES = "AllRequestBodies"
    NONE = "None"


class SchedulerProfile(StrEnum):
    """How the scheduler weighs nodes; unset means its defaults."""

    LOW_NODE_UTILIZATION = "LowNodeUtilization"
    HIGH_NODE_UTILIZATION = "HighNodeUtilization"
    NO_SCORING = "NoScoring"


class Scaling(StrEnum):
    """In which directions the autoscaler changes pools."""

    UP_ONLY = "ScaleUpOnly"
    UP_AND_DOWN = "ScaleUpAndScaleDown"


class Expander(StrEnum):
    """How the autoscaler chooses among pools."""

    LEAST_WASTE = "LeastWaste"
    PRIORITY = "Priority"
    RANDOM = "Random"


class Switch(StrEnum):
    """A setting that is on or off."""

    ENABLED = "Enabled"
    DISABLED = "Disabled"
