"""Commands of IBM PowerVS beside `create cluster` and `create nodepool`."""

from hypershift.cli.clouds.notation import unbuilt

_OWN = "cloud-instance-id^ debug? transit-gateway^ vpc^"

CREATE_INFRA = unbuilt(
    "create infra powervs",
    "Make the network of a cluster on PowerVS",
    f"{_OWN} base-domain! infra-id! name=example namespace=clusters output-file recreate-secrets? "
    f"region=us-south resource-group! transit-gateway-global-routing? "
    f"transit-gateway-location=us-south vpc-region=us-south zone=us-south",
    "no network is made on PowerVS; `create cluster powervs --render --infra-json FILE` renders a "
    "cluster in one that is there",
)
DESTROY_INFRA = unbuilt(
    "destroy infra powervs",
    "Remove the network of a cluster on PowerVS",
    f"{_OWN} base-domain! infra-id! infra-json name!=example namespace=clusters region! "
    f"resource-group! transit-gateway-location vpc-region! zone!",
    "nothing is removed on PowerVS; the tool that made it removes it",
)
DESTROY_CLUSTER = unbuilt(
    "destroy cluster powervs",
    "Destroy a cluster of platform powervs",
    f"{_OWN} base-domain infra-id region=us-south resource-group "
    f"transit-gateway-location=us-south vpc-region=us-south zone=us-south",
    "it would leave what the cluster has on PowerVS; `kubectl delete hostedcluster` deletes the "
    "cluster itself",
)
