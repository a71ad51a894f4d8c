"""A cluster's infrastructure, one module per platform."""

from hypershift.api.platforms.agent import AgentPlatform
from hypershift.api.platforms.aws import (
    AWSCloudProviderConfig,
    AWSClusterTag,
    AWSFilter,
    AWSPlatform,
    AWSResourceReference,
    AWSResourceTag,
    AWSRoles,
    AWSServiceEndpoint,
    AWSSharedVPC,
    AWSSharedVPCRoles,
)
from hypershift.api.platforms.azure import (
    AzureContainerRegistry,
    AzurePlatform,
    AzureRegistryCredentials,
    AzureRegistryIdentity,
)
from hypershift.api.platforms.azure_identity import (
    AzureAuthentication,
    AzureControlPlaneIdentities,
    AzureDataPlaneIdentities,
    AzureKeyVault,
    AzureManagedIdentities,
    AzureManagedIdentity,
    AzureWorkloadIdentities,
    AzureWorkloadIdentity,
)
from hypershift.api.platforms.azure_private import AzurePrivate, AzurePrivateLink, AzureSwift
from hypershift.api.platforms.gcp import (
    GCPNetworkConfig,
    GCPNetworkReference,
    GCPPlatform,
    GCPResourceLabel,
    GCPSubnetReference,
)
from hypershift.api.platforms.gcp_identity import GCPServiceAccounts, GCPWorkloadIdentity
from hypershift.api.platforms.ibmcloud import IBMCloudPlatform
from hypershift.api.platforms.kubevirt import (
    InfraKubeconfigSecret,
    KubevirtCredentials,
    KubevirtManualStorage,
    KubevirtPlatform,
    KubevirtStorageDriver,
    StorageClassMapping,
    VolumeSnapshotClassMapping,
)
from hypershift.api.platforms.local import LocalPlatform
from hypershift.api.platforms.openstack import (
    OpenStackAllocationPool,
    OpenStackFilter,
    OpenStackIdentity,
    OpenStackManagedSubnet,
    OpenStackNetwork,
    OpenStackPlatform,
    OpenStackSubnet,
    OpenStackSubnetFilter,
)
from hypershift.api.platforms.platform import AWSPlatformStatus, Platform, PlatformStatus
from hypershift.api.platforms.powervs import PowerVSPlatform, PowerVSResource, PowerVSVPC

__all__ = [
    "AWSCloudProviderConfig",
    "AWSClusterTag",
    "AWSFilter",
    "AWSPlatform",
    "AWSPlatformStatus",
    "AWSResourceReference",
    "AWSResourceTag",
    "AWSRoles",
    "AWSServiceEndpoint",
    "AWSSharedVPC",
    "AWSSharedVPCRoles",
    "AgentPlatform",
    "AzureAuthentication",
    "AzureContainerRegistry",
    "AzureControlPlaneIdentities",
    "AzureDataPlaneIdentities",
    "AzureKeyVault",
    "AzureManagedIdentities",
    "AzureManagedIdentity",
    "AzurePlatform",
    "AzurePrivate",
    "AzurePrivateLink",
    "AzureRegistryCredentials",
    "AzureRegistryIdentity",
    "AzureSwift",
    "AzureWorkloadIdentities",
    "AzureWorkloadIdentity",
    "GCPNetworkConfig",
    "GCPNetworkReference",
    "GCPPlatform",
    "GCPResourceLabel",
    "GCPServiceAccounts",
    "GCPSubnetReference",
    "GCPWorkloadIdentity",
    "IBMCloudPlatform",
    "InfraKubeconfigSecret",
    "KubevirtCredentials",
    "KubevirtManualStorage",
    "KubevirtPlatform",
    "KubevirtStorageDriver",
    "LocalPlatform",
    "OpenStackAllocationPool",
    "OpenStackFilter",
    "OpenStackIdentity",
    "OpenStackManagedSubnet",
    "OpenStackNetwork",
    "OpenStackPlatform",
    "OpenStackSubnet",
    "OpenStackSubnetFilter",
    "Platform",
    "PlatformStatus",
    "PowerVSPlatform",
    "PowerVSResource",
    "PowerVSVPC",
    "StorageClassMapping",
    "VolumeSnapshotClassMapping",
]
