"""Names, ports and addresses that more than one of our programs agrees on."""

from collections.abc import Sequence
from typing import Final

#: Objects of a control plane namespace.
PULL_SECRET: Final = "pull-secret"  # noqa: S105 - the name of an object
KUBE_APISERVER: Final = "kube-apiserver"
KUBE_APISERVER_PRIVATE: Final = "kube-apiserver-private"
#: The API server's Service where a load balancer of Azure's publishes it.
KUBE_APISERVER_AZURE: Final = "kube-apiserverlb"
KONNECTIVITY_SERVER: Final = "konnectivity-server"
OAUTH_SERVER: Final = "oauth-openshift"
#: Services of the router, and the label `app` of its pods.
IGNITION_SERVER: Final = "ignition-server"
ROUTER: Final = "router"
#: Of the ingress that clusters share: its namespace, and what tells a cluster its address.
SHARED_INGRESS_NAMESPACE: Final = "hypershift-sharedingress"
SHARED_INGRESS: Final = "shared-ingress"
PRIVATE_ROUTER: Final = "private-router"
OPENSHIFT_APISERVER: Final = "openshift-apiserver"
OPENSHIFT_OAUTH_APISERVER: Final = "openshift-oauth-apiserver"
PACKAGESERVER: Final = "packageserver"
ADMIN_KUBECONFIG: Final = "admin-kubeconfig"
#: By which our operators reach the hosted API server, with rights of an administrator.
GUEST_KUBECONFIG: Final = "hcco-kubeconfig"
#: The certificate by which new machines ask for one of their own.
BOOTSTRAP_CLIENT: Final = "kas-bootstrap-client"
CUSTOM_ADMIN_KUBECONFIG: Final = "custom-admin-kubeconfig"
KUBEADMIN_PASSWORD: Final = "kubeadmin-password"  # noqa: S105 - the name of an object
#: The API server's configuration of encryption at rest, with its keys.
ENCRYPTION_CONFIG: Final = "kas-secret-encryption-config"
#: The key of a Secret with a kubeconfig.
KUBECONFIG_KEY: Final = "kubeconfig"

#: The value of `labels.MANAGED_BY` on what the control plane operator writes.
CONTROL_PLANE_OPERATOR: Final = "control-plane-operator"

#: Cluster API's label for its core manager, ours or another installer's.
CLUSTER_API_PROVIDER: Final = ("cluster.x-k8s.io/provider", "cluster-api")
#: Cluster API's label for objects that a manager with `--watch-filter=VALUE` reconciles, and the
#: value of the manager that all Shared clusters have in common; a Dedicated one has its own.
WATCH_FILTER: Final = "cluster.x-k8s.io/watch-filter"
SHARED_MANAGER: Final = "hypershift-shared"

#: Ports of Services; on IBM Cloud the API server has another.
API_PORT: Final = 6443
IBM_API_PORT: Final = 2040
KONNECTIVITY_PORT: Final = 8091
OAUTH_PORT: Final = 6443
HTTPS_PORT: Final = 443
#: Azure's load balancer has one address for all, and 6443 there is the management cluster's.
AZURE_API_PORT: Final = 7443

#: The issuer of tokens where the cluster has none that others can ask.
DEFAULT_ISSUER: Final = "https://kubernetes.default.svc"

#: Where pods of a guest find its API server, by the IP family of its services.
ADVERTISE_ADDRESS_V4: Final = "172.20.0.1"
ADVERTISE_ADDRESS_V6: Final = "fd00::1"


def advertised_address(wanted: str | None, service_cidrs: Sequence[str]) -> str:
    """The address that a user chose, else ours of the family of the first service range."""
    ipv6 = ":" in next(iter(service_cidrs), "")
    return wanted or (ADVERTISE_ADDRESS_V6 if ipv6 else ADVERTISE_ADDRESS_V4)


def cluster_api_kubeconfig(infra_id: str) -> str:
    """The Secret by which Cluster API reaches a hosted cluster."""
    return f"{infra_id}-kubeconfig"
