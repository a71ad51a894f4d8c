"""NodePool and the machines of a pool, one module per platform."""

from hypershift.api.node_pool.agent import AgentNodePool
from hypershift.api.node_pool.aws import (
    AWSNodePool,
    AWSSubnetReference,
    AWSVolume,
    CapacityReservation,
    Placement,
    Spot,
)
from hypershift.api.node_pool.azure import (
    AzureDiagnostics,
    AzureNodePool,
    AzureUserManagedDiagnostics,
)
from hypershift.api.node_pool.azure_image import AzureImage, AzureMarketplaceImage, AzureOSDisk
from hypershift.api.node_pool.gcp import (
    GCPBootDisk,
    GCPEncryptionKey,
    GCPNodePool,
    GCPNodeServiceAccount,
)
from hypershift.api.node_pool.kubevirt import (
    KubevirtCachingStrategy,
    KubevirtCompute,
    KubevirtDiskImage,
    KubevirtHostDevice,
    KubevirtNetwork,
    KubevirtNodePool,
    KubevirtPersistentVolume,
    KubevirtRootVolume,
)
from hypershift.api.node_pool.local import LocalNodePool
from hypershift.api.node_pool.management import (
    AutoScaling,
    InPlaceUpgrade,
    Management,
    ReplaceUpgrade,
    RollingUpdate,
)
from hypershift.api.node_pool.openstack import (
    OpenStackAddressPair,
    OpenStackNodePool,
    OpenStackPort,
)
from hypershift.api.node_pool.platform import (
    KubevirtNodePoolStatus,
    NodePoolPlatform,
    NodePoolPlatformStatus,
)
from hypershift.api.node_pool.pool import NodePool
from hypershift.api.node_pool.powervs import PowerVSNodePool
from hypershift.api.node_pool.spec import NodePoolSpec, OSImageStream, Taint
from hypershift.api.node_pool.status import (
    NodePoolCondition,
    NodePoolStatus,
    NodesInfo,
    NodeVersion,
    OSImageStreamStatus,
)

__all__ = [
    "AWSNodePool",
    "AWSSubnetReference",
    "AWSVolume",
    "AgentNodePool",
    "AutoScaling",
    "AzureDiagnostics",
    "AzureImage",
    "AzureMarketplaceImage",
    "AzureNodePool",
    "AzureOSDisk",
    "AzureUserManagedDiagnostics",
    "CapacityReservation",
    "GCPBootDisk",
    "GCPEncryptionKey",
    "GCPNodePool",
    "GCPNodeServiceAccount",
    "InPlaceUpgrade",
    "KubevirtCachingStrategy",
    "KubevirtCompute",
    "KubevirtDiskImage",
    "KubevirtHostDevice",
    "KubevirtNetwork",
    "KubevirtNodePool",
    "KubevirtNodePoolStatus",
    "KubevirtPersistentVolume",
    "KubevirtRootVolume",
    "LocalNodePool",
    "Management",
    "NodePool",
    "NodePoolCondition",
    "NodePoolPlatform",
    "NodePoolPlatformStatus",
    "NodePoolSpec",
    "NodePoolStatus",
    "NodeVersion",
    "NodesInfo",
    "OSImageStream",
    "OSImageStreamStatus",
    "OpenStackAddressPair",
    "OpenStackNodePool",
    "OpenStackPort",
    "Placement",
    "PowerVSNodePool",
    "ReplaceUpgrade",
    "RollingUpdate",
    "Spot",
    "Taint",
]
