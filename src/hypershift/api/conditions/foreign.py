"""Conditions of kinds that are not ours: Kubernetes, Cluster API and its providers write them."""

from hypershift.api.conditions.words import ConditionReason, ConditionType


class DeploymentCondition(ConditionType):
    """Condition types of a Deployment."""

    AVAILABLE = "Available"
    PROGRESSING = "Progressing"


class NodeCondition(ConditionType):
    """Condition types of a Node."""

    READY = "Ready"


class NodeReason(ConditionReason):
    """Reasons that we give for a Node's condition, on behalf of a kubelet that is gone."""

    MACHINE_DEAD = "MachineDead"


class PodCondition(ConditionType):
    """Condition types of a Pod."""

    READY = "Ready"
    SCHEDULED = "PodScheduled"


class JobCondition(ConditionType):
    """Condition types of a Job."""

    COMPLETE = "Complete"
    FAILED = "Failed"


class RouteCondition(ConditionType):
    """What a router says about an OpenShift Route."""

    ADMITTED = "Admitted"


class OperatorCondition(ConditionType):
    """Conditions of OpenShift's operators, the version operator among them."""

    AVAILABLE = "Available"
    PROGRESSING = "Progressing"
    DEGRADED = "Degraded"
    UPGRADEABLE = "Upgradeable"
    FAILING = "Failing"
    RELEASE_ACCEPTED = "ReleaseAccepted"
    RETRIEVED_UPDATES = "RetrievedUpdates"


class DefinitionCondition(ConditionType):
    """Condition types of a CustomResourceDefinition."""

    ESTABLISHED = "Established"


class SigningRequestCondition(ConditionType):
    """Condition types of a CertificateSigningRequest."""

    APPROVED = "Approved"
    DENIED = "Denied"
    FAILED = "Failed"


class MachineCondition(ConditionType):
    """Condition types of Cluster API's Machine, MachineSet and MachineDeployment."""

    READY = "Ready"
    AVAILABLE = "Available"
    ROLLING_OUT = "RollingOut"
    MACHINES_READY = "MachinesReady"
    INFRASTRUCTURE_READY = "InfrastructureReady"
    NODE_HEALTHY = "NodeHealthy"
    #: Says what holds a machine that is being deleted.
    DELETING = "Deleting"
    #: Of a MachineHealthCheck.
    REMEDIATION_ALLOWED = "RemediationAllowed"


class KubevirtMachineCondition(ConditionType):
    """Condition types of a KubevirtMachine."""

    LIVE_MIGRATABLE = "VMLiveMigratable"
