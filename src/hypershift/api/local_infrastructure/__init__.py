"""The kinds of the local Cluster API infrastructure provider."""

from hypershift.api.local_infrastructure.cluster import (
    LocalCluster,
    LocalClusterSpec,
    LocalClusterStatus,
    LocalEndpoint,
    LocalFailureDomain,
    LocalInitialization,
)
from hypershift.api.local_infrastructure.machine import (
    LocalMachine,
    LocalMachineAddress,
    LocalMachineSpec,
    LocalMachineStatus,
)
from hypershift.api.local_infrastructure.template import (
    LocalMachineTemplate,
    LocalMachineTemplateResource,
    LocalMachineTemplateSpec,
    LocalMachineTemplateStatus,
    LocalNodeInfo,
    LocalTemplateMetadata,
)

__all__ = [
    "LocalCluster",
    "LocalClusterSpec",
    "LocalClusterStatus",
    "LocalEndpoint",
    "LocalFailureDomain",
    "LocalInitialization",
    "LocalMachine",
    "LocalMachineAddress",
    "LocalMachineSpec",
    "LocalMachineStatus",
    "LocalMachineTemplate",
    "LocalMachineTemplateResource",
    "LocalMachineTemplateSpec",
    "LocalMachineTemplateStatus",
    "LocalNodeInfo",
    "LocalTemplateMetadata",
]
