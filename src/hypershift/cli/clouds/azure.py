"""Commands of Azure beside `create cluster` and `create nodepool`."""

from hypershift.cli.clouds.notation import unbuilt

_DESTROY = "nothing is removed on Azure; the tool that made it removes it"
_PRODUCT_INFRA = (
    "assign-custom-hcp-roles? assign-identity-roles? azure-creds! base-domain "
    "cloud=AzurePublicCloud disable-cluster-capabilities* dns-zone-rg-name infra-id! "
    "location=eastus name! network-security-group-id output-file resource-group-name "
    "resource-group-tags%/t subnet-id vnet-id workload-identities-file"
)
_INFRA = (
    "no network is made on Azure; `create cluster azure --render --infra-json FILE` renders a "
    "cluster in one that is there"
)
_IAM = (
    "azure-creds! cloud=AzurePublicCloud infra-id! name! resource-group-name! "
    "workload-identities-file! dns-zone-rg-name"
)

PRODUCT_CREATE_INFRA = unbuilt(
    "create infra azure", "Make the network of a cluster on Azure", _PRODUCT_INFRA, _INFRA
)
CREATE_INFRA = unbuilt(
    "create infra azure",
    "Make the network of a cluster on Azure",
    f"{_PRODUCT_INFRA} data-plane-identities-file managed-identities-file",
    _INFRA,
)
CREATE_IAM = unbuilt(
    "create iam azure",
    "Make the identities of a cluster on Azure",
    "azure-creds! cloud=AzurePublicCloud enable-kms? infra-id! location=eastus name! "
    "oidc-issuer-url! output-file! resource-group-name!",
    "no identity is made on Azure; `create cluster azure --render --workload-identities-file "
    "FILE` renders a cluster with those that are there",
)
DESTROY_INFRA = unbuilt(
    "destroy infra azure",
    "Remove the network of a cluster on Azure",
    "azure-creds! cloud=AzurePublicCloud infra-id! location=eastus name! "
    "preserve-resource-group? resource-group-name",
    _DESTROY,
)
DESTROY_IAM = unbuilt(
    "destroy iam azure", "Remove the identities of a cluster on Azure", f"{_IAM}!", _DESTROY
)
PRODUCT_DESTROY_IAM = unbuilt(
    "destroy iam azure", "Remove the identities of a cluster on Azure", _IAM, _DESTROY
)
DESTROY_CLUSTER = unbuilt(
    "destroy cluster azure",
    "Destroy a cluster of platform azure",
    "azure-creds! dns-zone-rg-name! location=eastus preserve-resource-group? resource-group-name",
    "it would leave what the cluster has on Azure; `kubectl delete hostedcluster` deletes the "
    "cluster itself",
)
