"""`create cluster powervs`: IBM Power virtual servers, in a workspace that exists."""

from dataclasses import dataclass
from typing import Any

from hypershift.cli.cluster.infra import from_json, unbuilt
from hypershift.cli.cluster.options import ClusterOptions
from hypershift.cli.cluster.platform import ClusterPlatform, PoolMaker, published_by_ingress
from hypershift.cli.decoding import Struct
from hypershift.cli.flags import BOOL, Flag
from hypershift.cli.nodepool import powervs
from hypershift.kit import Manifest, UsageError

MACHINE_NETWORK = "10.0.0.0/16"
#: Credentials by the name that the infrastructure file has, and the field that refers to them.
CREDENTIALS = {
    "KubeCloudControllerManager": "kubeCloudControllerCreds",
    "NodePoolManagement": "nodePoolManagementCreds",
    "IngressOperator": "ingressOperatorCloudCreds",
    "StorageOperator": "storageOperatorCloudCreds",
    "ImageRegistryOperator": "imageRegistryOperatorCloudCreds",
}
_TEXTS = (
    "id",
    "accountID",
    "baseDomain",
    "cisCrn",
    "cisDomainID",
    "cloudInstanceID",
    "dhcpSubnet",
    "dhcpSubnetID",
    "vpcName",
    "vpcSubnetName",
)
INFRA = Struct("powervs.Infra", {**dict.fromkeys(_TEXTS, str), "secrets": Struct("struct")})


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerVSOptions(ClusterOptions):
    """What `create cluster powervs` is given."""

    machine: powervs.PowerVSMachine
    region: str
    resource_group: str
    transit_gateway_location: str
    vpc_region: str
    zone: str


def check(options: PowerVSOptions) -> None:
    if not options.base_domain and not options.infra_json:
        raise UsageError("base-domain flag is required if infra-json is not provided")
    if not options.resource_group and not options.infra_json:
        raise UsageError("resource-group flag is required if infra-json is not provided")
    if not options.transit_gateway_location:
        raise UsageError("transit gateway location is required for creating transit gateway")


def complete(options: PowerVSOptions) -> dict[str, Any]:
    """Read the description of the workspace."""
    if not options.infra_json:
        raise unbuilt("Power Virtual Server", "--infra-json")
    return from_json(options.infra_json, "infra", INFRA)


def specialize(options: PowerVSOptions, infra: dict[str, Any], cluster: Manifest) -> Manifest:
    spec, domain = cluster["spec"], infra.get("cisDomainID", "")
    spec["platform"]["powervs"] = _platform(options, infra)
    spec["infraID"] = infra.get("id", "")
    spec["dns"] = {
        "baseDomain": infra.get("baseDomain", ""),
        "publicZoneID": domain,
        "privateZoneID": domain,
    }
    spec["networking"]["machineNetwork"] = [{"cidr": MACHINE_NETWORK}]
    spec["services"] = published_by_ingress(api_by_route=bool(options.external_dns_domain))
    return cluster


def _platform(options: PowerVSOptions, infra: dict[str, Any]) -> Manifest:
    names = {name: each["metadata"]["name"] for name, each in _secrets(infra).items()}
    return {
        "accountID": infra.get("accountID", ""),
        "resourceGroup": options.resource_group,
        "region": options.region,
        "zone": options.zone,
        "cisInstanceCRN": infra.get("cisCrn", ""),
        "serviceInstanceID": infra.get("cloudInstanceID", ""),
        "subnet": {"name": infra.get("dhcpSubnet", ""), "id": infra.get("dhcpSubnetID", "")},
        "vpc": {
            "name": infra.get("vpcName", ""),
            "region": options.vpc_region,
            "subnet": infra.get("vpcSubnetName", ""),
        },
        **{field: {"name": names.get(name, "")} for name, field in CREDENTIALS.items()},
    }


def _secrets(infra: dict[str, Any]) -> dict[str, Manifest]:
    found = infra.get("secrets") or {}
    return {name: found[name] for name in CREDENTIALS if found.get(name)}


def pools(options: PowerVSOptions, _infra: Any, pool: PoolMaker) -> list[Manifest]:
    manifest = pool(options.name)
    manifest["spec"]["platform"]["powervs"] = powervs.section(options.machine)
    return [manifest]


def extras(_options: PowerVSOptions, infra: dict[str, Any]) -> list[Manifest]:
    return list(_secrets(infra).values())


PLATFORM = ClusterPlatform(
    name="powervs",
    type="PowerVS",
    upgrade_type="Replace",
    options=PowerVSOptions,
    flags=(
        Flag("cloud-instance-id", "Workspace that exists already", hidden=True),
        Flag("debug", "Say what is asked of the cloud", BOOL),
        *powervs.FLAGS,
        Flag("recreate-secrets", "Make the credentials anew", BOOL),
        Flag("region", "Region of the workspace", default="us-south"),
        Flag("resource-group", "Resource group of everything", required=True),
        Flag("transit-gateway", "Transit gateway that exists already", hidden=True),
        Flag("transit-gateway-global-routing", "Route between all regions", BOOL),
        Flag("transit-gateway-location", "Place of the transit gateway", default="us-south"),
        Flag("vpc", "VPC that exists already", hidden=True),
        Flag("vpc-region", "Region of the VPC", default="us-south"),
        Flag("zone", "Zone of the workspace", default="us-south"),
    ),
    check=check,
    complete=complete,
    specialize=specialize,
    pools=pools,
    extras=extras,
    arch="ppc64le",
)
