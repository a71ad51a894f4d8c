"""`create cluster gcp`: machines of Google Cloud, in networks and with accounts that exist."""

from dataclasses import dataclass
from typing import Any

from hypershift.cli.cluster.options import ClusterOptions
from hypershift.cli.cluster.platform import (
    ClusterPlatform,
    PoolMaker,
    published_by_ingress,
    secret,
    with_host_names,
)
from hypershift.cli.files import read_file
from hypershift.cli.flags import Flag
from hypershift.cli.nodepool.platform import present
from hypershift.kit import Manifest, UsageError

DEFAULT_MACHINE = "n2-standard-4"
#: The flags of service accounts, by their fields in the API.
ACCOUNTS = {
    "nodePool": "node-pool-service-account",
    "controlPlane": "control-plane-service-account",
    "cloudController": "cloud-controller-service-account",
    "storage": "storage-service-account",
    "imageRegistry": "image-registry-service-account",
    "network": "network-service-account",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GcpOptions(ClusterOptions):
    """What `create cluster gcp` is given."""

    boot_image: str
    cloud_controller_service_account: str
    control_plane_service_account: str
    endpoint_access: str
    image_registry_service_account: str
    machine_type: str
    network: str
    network_service_account: str
    node_pool_service_account: str
    oidc_issuer_url: str
    private_service_connect_subnet: str
    project: str
    region: str
    service_account_signing_key_path: str
    storage_service_account: str
    subnet: str
    workload_identity_pool_id: str
    workload_identity_project_number: str
    workload_identity_provider_id: str
    zone: str


def check(options: GcpOptions) -> None:
    required = {
        "project": options.project,
        "region": options.region,
        "network": options.network,
        "private-service-connect-subnet": options.private_service_connect_subnet,
        "workload-identity-project-number": options.workload_identity_project_number,
        "workload-identity-pool-id": options.workload_identity_pool_id,
        "workload-identity-provider-id": options.workload_identity_provider_id,
        **{ACCOUNTS[name]: account for name, account in accounts(options).items()},
    }
    for name, value in required.items():
        if not value:
            raise UsageError(f'required flag(s) "{name}" not set')


def accounts(options: GcpOptions) -> dict[str, str]:
    """The service accounts by their fields in the API, in the order in which they are asked for."""
    return {
        "nodePool": options.node_pool_service_account,
        "controlPlane": options.control_plane_service_account,
        "cloudController": options.cloud_controller_service_account,
        "storage": options.storage_service_account,
        "imageRegistry": options.image_registry_service_account,
        "network": options.network_service_account,
    }


def specialize(options: GcpOptions, _completed: Any, cluster: Manifest) -> Manifest:
    spec = cluster["spec"]
    spec["platform"]["gcp"] = _platform(options)
    if options.oidc_issuer_url:
        spec["issuerURL"] = options.oidc_issuer_url
    if options.service_account_signing_key_path:
        spec["serviceAccountSigningKey"] = {"name": _signing_key(options)}
    domain = options.external_dns_domain
    # the nodes come to the other services by Private Service Connect
    spec["services"] = with_host_names(
        published_by_ingress(api_by_route=bool(domain)),
        options.name,
        domain,
        ("APIServer", "OAuthServer"),
    )
    return cluster


def _platform(options: GcpOptions) -> Manifest:
    subnet = options.private_service_connect_subnet
    return {
        "project": options.project,
        "region": options.region,
        "networkConfig": {
            "network": {"name": options.network},
            "privateServiceConnectSubnet": {"name": subnet},
        },
        "workloadIdentity": {
            "projectNumber": options.workload_identity_project_number,
            "poolID": options.workload_identity_pool_id,
            "providerID": options.workload_identity_provider_id,
            "serviceAccountsEmails": accounts(options),
        },
        "endpointAccess": options.endpoint_access,
    }


def pools(options: GcpOptions, _completed: Any, pool: PoolMaker) -> list[Manifest]:
    manifest = pool(options.name)
    machine = {
        "machineType": options.machine_type or DEFAULT_MACHINE,
        "zone": options.zone or f"{options.region}-a",
        "subnet": options.subnet or options.private_service_connect_subnet,
        "image": options.boot_image,
    }
    manifest["spec"]["platform"]["gcp"] = present(machine)
    return [manifest]


def extras(options: GcpOptions, _completed: Any) -> list[Manifest]:
    path = options.service_account_signing_key_path
    if not path:
        return []
    key = read_file(path, "failed to read service account signing key file")
    return [secret(options, _signing_key(options), {"key": key})]


def _signing_key(options: GcpOptions) -> str:
    return f"{options.name}-sa-token-issuer-key"


PLATFORM = ClusterPlatform(
    name="gcp",
    type="GCP",
    upgrade_type="Replace",
    options=GcpOptions,
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
    specialize=specialize,
    pools=pools,
    extras=extras,
)
