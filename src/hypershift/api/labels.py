"""Labels by which our objects are found."""

from typing import Final

PREFIX: Final = "hypershift.openshift.io/"

# Whose an object is.

#: Name of the component.
CONTROL_PLANE_COMPONENT: Final = f"{PREFIX}control-plane-component"
#: A service beside the operator, such as the shared ingress.
COMPONENT: Final = f"{PREFIX}component"
#: Rights of the agent provider in the namespace of agents.
CAPI_PROVIDER_AGENT_RBAC: Final = f"{PREFIX}capi-provider-agent-rbac"
#: Part of the operator itself.
OPERATOR_COMPONENT: Final = f"{PREFIX}operator-component"
#: `true` on control plane namespaces; the namespace, on pods and routes.
HOSTED_CONTROL_PLANE: Final = f"{PREFIX}hosted-control-plane"
#: Cluster whose infrastructure it is.
INFRA_ID: Final = f"{PREFIX}infra-id"
#: Name of the HostedCluster.
CLUSTER_NAME: Final = f"{PREFIX}cluster-name"
#: Its namespace.
CLUSTER_NAMESPACE: Final = f"{PREFIX}cluster-namespace"
#: Name of the owner.
OWNER_NAME: Final = f"{PREFIX}owner.name"
#: Its namespace.
OWNER_NAMESPACE: Final = f"{PREFIX}owner.namespace"
#: Operator that keeps it.
MANAGED_BY: Final = f"{PREFIX}managed-by"
#: `true`: held in the operators' caches.
MANAGED: Final = f"{PREFIX}managed"
#: On a Secret with a kubeconfig: from where it can be used.
KUBECONFIG: Final = f"{PREFIX}kubeconfig"
#: Made by the CLI: goes with the cluster.
SAFE_TO_DELETE_WITH_CLUSTER: Final = f"{PREFIX}safe-to-delete-with-cluster"
#: Made by the CLI with this infrastructure.
AUTO_CREATED_FOR_INFRA: Final = f"{PREFIX}auto-created-for-infra"

# Nodes and machines.

#: Pool of a machine.
NODE_POOL_NAME: Final = f"{PREFIX}nodepool-name"
#: Pool of a node.
NODE_POOL: Final = f"{PREFIX}nodePool"
#: Nodes (label and taint) dedicated to a cluster.
CLUSTER: Final = f"{PREFIX}cluster"
#: Pods, nodes (label and taint) that serve requests.
REQUEST_SERVING_COMPONENT: Final = f"{PREFIX}request-serving-component"
#: Taint: for control planes only.
CONTROL_PLANE: Final = f"{PREFIX}control-plane"
#: Size class of a cluster.
HOSTED_CLUSTER_SIZE: Final = f"{PREFIX}hosted-cluster-size"
#: Size class that a node is for.
CLUSTER_SIZE: Final = f"{PREFIX}cluster-size"
#: Memory limit of API servers on a node.
REQUEST_SERVING_GOMEMLIMIT: Final = f"{PREFIX}request-serving-gomemlimit"
#: Subnets of load balancers for a node.
REQUEST_SERVING_SUBNETS: Final = f"{PREFIX}request-serving-subnets"
#: Holds machines for clusters to come.
PLACEHOLDER: Final = f"{PREFIX}placeholder"
#: Two nodes that serve one cluster.
PAIR_LABEL: Final = f"{PREFIX}pairlabel"
#: Machine that may be taken away.
INTERRUPTIBLE_INSTANCE: Final = f"{PREFIX}interruptible-instance"
#: Nodes that take the global pull secret.
GLOBAL_PULL_SECRET_ENABLED: Final = f"{PREFIX}nodepool-globalps-enabled"
#: Made by Karpenter.
MANAGED_BY_KARPENTER: Final = f"{PREFIX}managed-by-karpenter"
#: Volume with an operating system image.
IS_KUBEVIRT_RHCOS: Final = f"{PREFIX}is-kubevirt-rhcos"

# Network.

#: `private` hides a route from external-dns.
ROUTE_VISIBILITY: Final = f"{PREFIX}route-visibility"
#: Route for the router of private clusters.
INTERNAL_ROUTE: Final = f"{PREFIX}internal-route"
#: Services that webhooks of the hosted cluster may use.
ALLOW_GUEST_WEBHOOKS: Final = f"{PREFIX}allow-guest-webhooks"
#: Pods that may reach the management API.
NEED_MANAGEMENT_KAS_ACCESS: Final = f"{PREFIX}need-management-kas-access"
#: Pods that may reach the metrics server.
NEED_METRICS_SERVER_ACCESS: Final = f"{PREFIX}need-metrics-server-access"

# Monitoring and support.

#: Cluster whose alerts are silenced.
SILENCE_CLUSTER_ALERTS: Final = f"{PREFIX}silence-cluster-alerts"
#: Cluster with limited support.
LIMITED_SUPPORT: Final = "api.openshift.com/limited-support"
#: Namespaces that are monitored.
MONITORING: Final = f"{PREFIX}monitoring"
#: Pod whose logs a volume keeps.
AUDIT_LOGS_POD: Final = f"{PREFIX}audit-logs-pod"
#: Volume that keeps logs.
AUDIT_LOGS_PVC: Final = f"{PREFIX}audit-logs-pvc"
#: On a VolumeSnapshot of audit logs: the control plane namespace.
HOSTED_CONTROL_PLANE_NAMESPACE: Final = f"{PREFIX}hosted-control-plane-namespace"

#: Service that leads from a public name of a private control plane to its private endpoint.
EXTERNAL_PRIVATE_SERVICE: Final = f"{PREFIX}external-private-service"

# Configuration in ConfigMaps.

#: Copied from the user's namespace.
MIRRORED_CONFIG: Final = f"{PREFIX}mirrored-config"
#: Tuned objects.
TUNED_CONFIG: Final = f"{PREFIX}tuned-config"
#: Performance profile.
PERFORMANCE_PROFILE_CONFIG: Final = f"{PREFIX}performanceprofile-config"
#: Kubelet settings.
KUBELET_CONFIG: Final = f"{PREFIX}kubeletconfig-config"
#: Container runtime settings.
CONTAINER_RUNTIME_CONFIG: Final = f"{PREFIX}containerruntimeconfig-config"
#: Configuration of every node.
CORE_IGNITION_CONFIG: Final = f"{PREFIX}core-ignition-config"
#: Made by the node tuning operator.
NTO_GENERATED_MACHINE_CONFIG: Final = f"{PREFIX}nto-generated-machine-config"
#: Image that Karpenter's user data is for.
AMI: Final = f"{PREFIX}ami"
#: Settings of the kubelets of a class of Karpenter's nodes.
KARPENTER_NODE_CLASS_KUBELET_CONFIG: Final = f"{PREFIX}karpenter-nodeclass-kubelet-config"
#: Releases that the operator supports.
SUPPORTED_VERSIONS: Final = f"{PREFIX}supported-versions"
#: Status of a performance profile.
NTO_PERFORMANCE_PROFILE_STATUS: Final = f"{PREFIX}nto-generated-performance-profile-status"
#: Hash of the pull secret that a node uses.
GLOBAL_PULL_SECRET_HASH: Final = f"{PREFIX}globalps-config-hash"
