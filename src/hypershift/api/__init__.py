"""Our resources as frozen typed structs, and everything that is derived from them.

    hosted_cluster, node_pool, ...   the kinds, each field with its meaning and its limits
    conditions, annotations, labels  the words that objects carry besides their fields
    view                             reads and writes objects without losing what it does not know
    schema                           CustomResourceDefinitions for a feature set and gates
    policies, validation             what a schema cannot say

A kind is imported when it is first asked for, so that importing this package stays cheap.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hypershift.api.audit_log_persistence import AuditLogPersistenceConfig
    from hypershift.api.aws_endpoint_service import AWSEndpointService
    from hypershift.api.azure_private_link_service import AzurePrivateLinkService
    from hypershift.api.certificates import (
        CertificateRevocationRequest,
        CertificateSigningRequestApproval,
        HypershiftCertificateSigningRequestApproval,
    )
    from hypershift.api.cluster_sizing import ClusterSizingConfiguration
    from hypershift.api.control_plane_component import ControlPlaneComponent
    from hypershift.api.etcd_backup import HCPEtcdBackup
    from hypershift.api.gcp_private_service_connect import GCPPrivateServiceConnect
    from hypershift.api.hosted_cluster import HostedCluster
    from hypershift.api.hosted_control_plane import HostedControlPlane
    from hypershift.api.karpenter import OpenshiftEC2NodeClass
    from hypershift.api.local_infrastructure import (
        LocalCluster,
        LocalMachine,
        LocalMachineTemplate,
    )
    from hypershift.api.node_pool import NodePool
    from hypershift.api.view import decode, encode, read, replace, write

__all__ = [
    "AWSEndpointService",
    "AuditLogPersistenceConfig",
    "AzurePrivateLinkService",
    "CertificateRevocationRequest",
    "CertificateSigningRequestApproval",
    "ClusterSizingConfiguration",
    "ControlPlaneComponent",
    "GCPPrivateServiceConnect",
    "HCPEtcdBackup",
    "HostedCluster",
    "HostedControlPlane",
    "HypershiftCertificateSigningRequestApproval",
    "LocalCluster",
    "LocalMachine",
    "LocalMachineTemplate",
    "NodePool",
    "OpenshiftEC2NodeClass",
    "decode",
    "encode",
    "read",
    "replace",
    "write",
]

_VIEW = ("decode", "encode", "read", "replace", "write")


def __getattr__(name: str) -> Any:
    """Import a kind, or a function of `view`, when it is first asked for (PEP 562)."""
    if name in _VIEW:
        return getattr(import_module("hypershift.api.view"), name)
    if name in __all__:
        from hypershift.api.kinds import resource_class  # noqa: PLC0415 - lazy on purpose

        return resource_class(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
