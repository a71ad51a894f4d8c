"""What is stated about machines and clusters of the Local platform."""

from hypershift.api.conditions.words import ConditionReason, ConditionType


class LocalClusterCondition(ConditionType):
    """Condition types of a LocalCluster."""

    #: Machines can be made; Cluster API copies it into the Cluster's InfrastructureReady.
    READY = "Ready"


class LocalClusterReason(ConditionReason):
    """Reasons of a LocalCluster's condition."""

    WAITING_FOR_ENDPOINT = "WaitingForEndpoint"
    PROVISIONED = "Provisioned"


class LocalMachineCondition(ConditionType):
    """Condition types of a LocalMachine."""

    #: The machine runs; Cluster API copies it into the Machine's InfrastructureReady.
    READY = "Ready"


class LocalMachineReason(ConditionReason):
    """Reasons of a LocalMachine's condition."""

    RUNNING = "Running"
    WAITING_FOR_OWNER = "WaitingForOwner"
    WAITING_FOR_CLUSTER = "WaitingForCluster"
    WAITING_FOR_CLUSTER_INFRASTRUCTURE = "WaitingForClusterInfrastructure"
    WAITING_FOR_BOOTSTRAP_DATA = "WaitingForBootstrapData"
    NO_IMAGE = "NoImage"
    POWERED_OFF = "PoweredOff"
    PAUSED = "Paused"
    #: The annotation that asks for a power state has another value.
    UNKNOWN_POWER = "UnknownPower"
    #: The machine stopped before it had booted.
    BOOT_FAILED = "BootFailed"
    #: The machine stopped without having been asked to.
    MACHINE_FELL = "MachineFell"


class LocalServiceCondition(ConditionType):
    """Condition types of a Service on the Local platform."""

    #: The Service has an address of the local load balancer.
    BALANCED = "infrastructure.local.hypershift.io/LoadBalancer"


class LocalServiceReason(ConditionReason):
    """Reasons of that condition."""

    NOT_BALANCED = "NotBalanced"
