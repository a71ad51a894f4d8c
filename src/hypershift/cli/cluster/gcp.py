"""`create cluster gcp`: machines of Google Cloud, in networks and with accounts that exist."""

from typing import Any

from hypershift.cli.cluster.platform import (
    ClusterPlatform,
    PoolMaker,
    published_by_ingress,
    secret,
    with_host_names,
)
from hypershift.cli.files import read_file
from hypershift.cli.flags import Flag, Values
from hypershift.cli.nodepool.platform import present
from hypershift.kit import Manifest, UsageError

DEFAULT_MACHINE = "n2-standard-4"
ACCOUNTS = {
    "nodePool": "node-pool-service-account",
    "controlPlane": "control-plane-service-account",
    "cloudController": "cloud-controller-service-account",
    "storage": "storage-service-account",
    "imageRegistry": "image-registry-service-account",
    "network": "network-service-account",
}
REQUIRED = (
    "project",
    "region",
    "network",
    "private-service-connect-subnet",
    "workload-identity-project-number",
    "workload-identity-pool-id",
    "workload-identity-provider-id",
    *ACCOUNTS.values(),
)


def check(values: Values) -> None:
    for name in REQUIRED:
        if not values[name]:
            raise UsageError(f'required flag(s) "{name}" not set')


def shape(values: Values, _completed: Any, cluster: Manifest) -> Manifest:
    spec = cluster["spec"]
    spec["platform"]["gcp"] = _platform(values)
    if values["oidc-issuer-url"]:
        spec["issuerURL"] = values["oidc-issuer-url"]
    if values["service-account-signing-key-path"]:
        spec["serviceAccountSigningKey"] = {"name": _signing_key(values)}
    domain = values["external-dns-domain"]
    # the nodes come to the other services by Private Service Connect
    spec["services"] = with_host_names(
        published_by_ingress(api_by_route=bool(domain)),
        values["name"],
        domain,
        ("APIServer", "OAuthServer"),
    )
    return cluster


def _platform(values: Values) -> Manifest:
    subnet = values["private-service-connect-subnet"]
    return {
        "project": values["project"],
        "region": values["region"],
        "networkConfig": {
            "network": {"name": values["network"]},
            "privateServiceConnectSubnet": {"name": subnet},
        },
        "workloadIdentity": {
            "projectNumber": values["workload-identity-project-number"],
            "poolID": values["workload-identity-pool-id"],
            "providerID": values["workload-identity-provider-id"],
            "serviceAccountsEmails": {name: values[flag] for name, flag in ACCOUNTS.items()},
        },
        "endpointAccess": values["endpoint-access"],
    }


def pools(values: Values, _completed: Any, pool: PoolMaker) -> list[Manifest]:
    manifest = pool(values["name"])
    machine = {
        "machineType": values["machine-type"] or DEFAULT_MACHINE,
        "zone": values["zone"] or f"{values['region']}-a",
        "subnet": values["subnet"] or values["private-service-connect-subnet"],
        "image": values["boot-image"],
    }
    manifest["spec"]["platform"]["gcp"] = present(machine)
    return [manifest]


def extras(values: Values, _completed: Any) -> list[Manifest]:
    path = values["service-account-signing-key-path"]
    if not path:
        return []
    key = read_file(path, "failed to read service account signing key file")
    return [secret(values, _signing_key(values), {"key": key})]


def _signing_key(values: Values) -> str:
    return f"{values['name']}-sa-token-issuer-key"


PLATFORM = ClusterPlatform(
    name="gcp",
    type="GCP",
    summary="A cluster on Google Cloud",
    upgrade_type="Replace",
    flags=(
        Flag("boot-image", "Boot image of the nodes instead of the release's"),
        *(Flag(name, "Service account of this part") for name in ACCOUNTS.values()),
        Flag("endpoint-access", "Private or PublicAndPrivate", default="Private"),
        Flag("machine-type", "Machine type of the nodes (n2-standard-4 when not given)"),
        Flag("network", "VPC network of the cluster"),
        Flag("oidc-issuer-url", "URL of the OIDC issuer"),
        Flag("private-service-connect-subnet", "Subnet of Private Service Connect"),
        Flag("project", "Project of the cluster"),
        Flag("region", "Region of the cluster"),
        Flag("service-account-signing-key-path", "File with the key that signs account tokens"),
        Flag("subnet", "Subnet of the nodes (Private Service Connect's when not given)"),
        Flag("workload-identity-pool-id", "Pool of workload identities"),
        Flag("workload-identity-project-number", "Number of the project of the pool"),
        Flag("workload-identity-provider-id", "Provider in the pool"),
        Flag("zone", "Zone of the nodes (REGION-a when not given)"),
    ),
    check=check,
    shape=shape,
    pools=pools,
    extras=extras,
)
