"""Finalizers: who has to let an object go before it may disappear."""

from typing import Final

PREFIX: Final = "hypershift.openshift.io/"

#: On clusters, control planes and pools.
FINALIZER: Final = f"{PREFIX}finalizer"
#: On a HostedCluster that `destroy cluster` deletes: its infrastructure is gone.
DESTROY_FINALIZER: Final = "openshift.io/destroy-cluster"
#: On a ControlPlaneComponent.
COMPONENT_FINALIZER: Final = f"{PREFIX}component-finalizer"
#: On a HostedCluster: its documents for AWS are deleted.
AWS_DOCUMENTS_FINALIZER: Final = "hypershift.io/aws-oidc-discovery"
#: Nodes that Karpenter made are gone.
KARPENTER_FINALIZER: Final = f"{PREFIX}karpenter-finalizer"
#: On an OpenshiftEC2NodeClass: the EC2NodeClass that was made of it is gone.
EC2_NODE_CLASS_FINALIZER: Final = f"{PREFIX}ec2-nodeclass-finalizer"
#: On an OpenshiftEC2NodeClass: the settings of its kubelets are gone from the control plane.
KARPENTER_KUBELET_FINALIZER: Final = f"{PREFIX}karpenter-kubelet-config-finalizer"
#: On an AWSEndpointService: the endpoint is gone.
CONTROL_PLANE_OPERATOR_FINALIZER: Final = f"{PREFIX}control-plane-operator-finalizer"
#: On an AWSEndpointService: the endpoint service is gone.
HYPERSHIFT_OPERATOR_FINALIZER: Final = f"{PREFIX}hypershift-operator-finalizer"
#: On an AzurePrivateLinkService: the link is gone.
AZURE_PRIVATE_LINK_FINALIZER: Final = f"{PREFIX}azure-private-link-service"
#: On an AzurePrivateLinkService: its parts are gone.
AZURE_PLS_CLEANUP_FINALIZER: Final = f"{PREFIX}azure-pls-cleanup"
#: On a GCPPrivateServiceConnect: the attachment is gone.
GCP_PRIVATE_SERVICE_CONNECT_FINALIZER: Final = f"{PREFIX}gcp-private-service-connect"
#: On a GCPPrivateServiceConnect: the endpoint is gone.
GCP_PSC_CUSTOMER_FINALIZER: Final = f"{PREFIX}gcp-psc-customer"
#: Dedicated machines are free again.
DEDICATED_SCHEDULER_FINALIZER: Final = f"{PREFIX}dedicated-request-serving-scheduler"
