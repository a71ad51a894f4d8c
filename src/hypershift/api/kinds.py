"""Every kind we serve and the module that declares it; a kind is imported when asked for."""

from functools import lru_cache
from importlib import import_module

from hypershift.api.kind import Kind, Resource, kind_of

#: Class name -> module below `hypershift.api`, in the order in which they are explained.
KINDS = {
    "HostedCluster": "hosted_cluster",
    "NodePool": "node_pool",
    "HostedControlPlane": "hosted_control_plane",
    "ControlPlaneComponent": "control_plane_component",
    "HCPEtcdBackup": "etcd_backup",
    "AWSEndpointService": "aws_endpoint_service",
    "AzurePrivateLinkService": "azure_private_link_service",
    "GCPPrivateServiceConnect": "gcp_private_service_connect",
    "CertificateSigningRequestApproval": "certificates",
    "HypershiftCertificateSigningRequestApproval": "certificates",
    "CertificateRevocationRequest": "certificates",
    "ClusterSizingConfiguration": "cluster_sizing",
    "AuditLogPersistenceConfig": "audit_log_persistence",
    "OpenshiftEC2NodeClass": "karpenter",
    "LocalCluster": "local_infrastructure",
    "LocalMachine": "local_infrastructure",
    "LocalMachineTemplate": "local_infrastructure",
}


def resource_class(name: str) -> type[Resource]:
    """The class of one kind, by class name."""
    shape: type[Resource] = getattr(import_module(f"hypershift.api.{KINDS[name]}"), name)
    return shape


@lru_cache(maxsize=1)
def all_kinds() -> tuple[tuple[Kind, type[Resource]], ...]:
    """Every kind with its class."""
    return tuple((kind_of(shape), shape) for shape in map(resource_class, KINDS))
