"""`create cluster aws`: instances of AWS, in networks and with roles that exist."""

import base64
import binascii
from dataclasses import dataclass
from typing import Any, NoReturn

from hypershift.cli import address
from hypershift.cli.cluster import checks
from hypershift.cli.cluster.infra import from_json, pretends, require_management, unbuilt
from hypershift.cli.cluster.platform import (
    ClusterPlatform,
    PoolMaker,
    published_by_ingress,
    secret,
    with_host_names,
)
from hypershift.cli.files import read_file
from hypershift.cli.flags import BOOL, STRINGS, Flag, Values
from hypershift.cli.nodepool import aws
from hypershift.kit import Manifest, UsageError

PUBLIC_ADDRESSES = "hypershift.openshift.io/aws-machine-public-ips"
ROSA_TAGS = ("red-hat-managed=true", "red-hat-clustertype=rosa")
VPC_PREFIX = "16"
ROLES = (
    "controlPlaneOperatorARN",
    "imageRegistryARN",
    "ingressARN",
    "kubeCloudControllerARN",
    "networkARN",
    "nodePoolManagementARN",
    "storageARN",
)


@dataclass(frozen=True, slots=True)
class Ground:
    """The infrastructure and the roles that a cluster stands on."""

    infra: dict[str, Any]
    iam: dict[str, Any]

    @property
    def zones(self) -> list[dict[str, str]]:
        return self.infra.get("zones") or [{}]


def check(values: Values) -> None:
    if values["secret-creds"]:
        _check_secret(values)
    if values.get("aws-creds") and (values["sts-creds"] or values["role-arn"]):
        raise UsageError("only one of 'aws-creds' or 'role-arn' and 'sts-creds' can be provided")
    if values["sts-creds"] and not values["role-arn"]:
        raise UsageError("'role-arn' is required when 'sts-creds' is provided")
    _check_vpc(values["vpc-cidr"])
    if values["enable-proxy"] and values["enable-secure-proxy"]:
        raise UsageError("use --enable-proxy or --enable-secure-proxy but not both")


def product_check(values: Values) -> None:
    if values["secret-creds"]:
        _check_secret(values)
    if values["sts-creds"] and not values["role-arn"]:
        raise UsageError("'role-arn' is required when 'sts-creds' is provided")
    if not (values["sts-creds"] and values["role-arn"]):
        raise UsageError("'sts-creds' and 'role-arn' are required")


def _check_secret(values: Values) -> NoReturn:
    """Refuse credentials out of a Secret, first for what the original would miss."""
    if not values.get("aws-creds") and not values["role-arn"]:
        raise UsageError('required flag(s) "role-arn" not set')
    require_management(values)
    if pretends():
        raise UsageError(f'secrets "{values["secret-creds"]}" not found')
    raise UsageError(
        "credentials from a Secret (--secret-creds) are not built yet: give --pull-secret, "
        "--infra-json and --iam-json"
    )


def _check_vpc(text: str) -> None:
    if not text:
        return
    try:
        prefix = address.cidr(text).partition("/")[2]
    except ValueError as error:
        raise UsageError(f"invalid CIDR ({text}): {error}") from None
    if prefix != VPC_PREFIX:
        raise UsageError(f"only /16 size VPC CIDR supported ({text})")


def complete(values: Values) -> Ground:
    """Read the descriptions of infrastructure and roles."""
    require_management(values)
    if not values.get("infra-json"):
        if not values["base-domain"]:
            raise UsageError("base-domain flag is required if infra-json is not provided")
        raise unbuilt("AWS", "--infra-json and --iam-json")
    infra = from_json(values["infra-json"], "infra", "aws.CreateInfraOutput")
    if not values.get("iam-json"):
        raise UsageError(
            "failed to create iam: this program does not create roles on AWS yet; "
            "describe existing ones with --iam-json"
        )
    return Ground(infra, from_json(values["iam-json"], "iam", "aws.CreateIAMOutput"))


def shape(values: Values, ground: Ground, cluster: Manifest) -> Manifest:
    spec, infra = cluster["spec"], ground.infra
    platform = _platform(values, ground)
    spec["infraID"] = infra.get("infraID", "")
    spec["issuerURL"] = ground.iam.get("issuerURL", "")
    spec["dns"] = _dns(infra)
    spec["platform"]["aws"] = platform
    if values["sa-token-issuer-private-key-path"]:
        spec["serviceAccountSigningKey"] = {"name": _signing_key(values)}
    if infra.get("machineCIDR"):
        cidr = checks.check_cidr(infra["machineCIDR"], "MachineCIDR")
        spec["networking"]["machineNetwork"] = [{"cidr": cidr}]
    if values["auto-node"]:
        spec["autoNode"] = _auto_node(ground.iam)
    if proxy := _proxy(infra):
        spec["configuration"]["proxy"] = proxy
    if ground.iam.get("kmsProviderRoleARN"):
        spec["secretEncryption"] = _kms(values, ground.iam)
    spec["services"] = _services(values)
    if infra.get("publicOnly"):
        cluster["metadata"].setdefault("annotations", {})[PUBLIC_ADDRESSES] = "true"
    return cluster


def _platform(values: Values, ground: Ground) -> Manifest:
    infra, iam, zone = ground.infra, ground.iam, ground.zones[0]
    platform: Manifest = {
        "region": values["region"],
        "rolesRef": {name: iam.get("roles", {}).get(name, "") for name in ROLES},
        "cloudProviderConfig": {
            "vpc": infra.get("vpcID", ""),
            "subnet": {"id": zone.get("subnetID", "")},
            "zone": zone.get("name", ""),
        },
        "endpointAccess": values["endpoint-access"],
        "multiArch": False,
    }
    if tags := _tags(values):
        platform["resourceTags"] = tags
    ingress, control_plane = (
        iam.get(f"shared{name}RoleARN", "") for name in ("Ingress", "ControlPlane")
    )
    if ingress and control_plane:
        platform["sharedVPC"] = {
            "rolesRef": {"ingressARN": ingress, "controlPlaneARN": control_plane},
            "localZoneID": infra.get("localZoneID", ""),
        }
        platform["additionalAllowedPrincipals"] = [control_plane]
    return platform


def _tags(values: Values) -> list[Manifest]:
    given = (
        *values["additional-tags"],
        *(ROSA_TAGS if values["use-rosa-managed-policies"] else ()),
    )
    found = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals:
            raise UsageError(
                "failed to parse additional tags: invalid tag specification: "
                f'"{text}" (expecting "key=value")'
            )
        found[key] = value
    return [{"key": key, "value": value} for key, value in found.items()]


def _dns(infra: dict[str, Any]) -> Manifest:
    dns: Manifest = {
        "baseDomain": infra.get("baseDomain", ""),
        "publicZoneID": infra.get("publicZoneID", ""),
        "privateZoneID": infra.get("privateZoneID", ""),
    }
    if prefix := infra.get("baseDomainPrefix"):
        dns["baseDomainPrefix"] = "" if prefix == "none" else prefix
    return dns


def _auto_node(iam: dict[str, Any]) -> Manifest:
    karpenter = {"platform": "AWS", "aws": {"roleARN": iam.get("karpenterRoleARN", "")}}
    return {"provisionerConfig": {"name": "Karpenter", "karpenter": karpenter}}


def _proxy(infra: dict[str, Any]) -> Manifest:
    plain, secure = infra.get("proxyAddr", ""), infra.get("secureProxyAddr", "")
    if not plain and not secure:
        return {}
    bundle = f"{infra.get('Name', '')}-proxy-ca" if infra.get("proxyCA") else ""
    return {
        "httpProxy": plain,
        "httpsProxy": secure or plain,
        "trustedCA": {"name": bundle},
    }


def _kms(values: Values, iam: dict[str, Any]) -> Manifest:
    key = {
        "region": values["region"],
        "activeKey": {"arn": iam.get("kmsKeyARN", "")},
        "auth": {"awsKms": iam["kmsProviderRoleARN"]},
    }
    return {"type": "kms", "kms": {"provider": "AWS", "aws": key}}


def _services(values: Values) -> list[Manifest]:
    """Nodes of a private cluster do not come by the public names of Konnectivity and Ignition."""
    domain = values["external-dns-domain"]
    public = values["endpoint-access"] == "Public"
    named = ("APIServer", "OAuthServer", *(("Konnectivity", "Ignition") if public else ()))
    services = published_by_ingress(api_by_route=bool(domain))
    return with_host_names(services, values["name"], domain, named)


def pools(values: Values, ground: Ground, pool: PoolMaker) -> list[Manifest]:
    """One pool for each zone."""
    made = []
    for zone in ground.infra.get("zones") or []:
        manifest = pool("-".join(filter(None, (values["name"], zone.get("name")))))
        profile = ground.iam.get("profileName", "")
        manifest["spec"]["platform"]["aws"] = aws.machine(values, profile, zone.get("subnetID", ""))
        made.append(manifest)
    return made


def extras(values: Values, ground: Ground) -> list[Manifest]:
    infra, found = ground.infra, []
    if infra.get("proxyCA"):
        metadata = {"name": f"{infra.get('Name', '')}-proxy-ca", "namespace": values["namespace"]}
        data = {"ca-bundle.crt": infra["proxyCA"]}
        found.append({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data})
    if infra.get("proxyPrivateSSHKey"):
        name = f"{infra.get('Name', '')}-proxy-ssh-key"
        found.append(secret(values, name, {"privatekey": _decoded(infra["proxyPrivateSSHKey"])}))
    if path := values["sa-token-issuer-private-key-path"]:
        key = read_file(path, "failed to read pull secret file")
        found.append(secret(values, _signing_key(values), {"key": key}))
    return found


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise UsageError(f"failed to decode proxy private ssh key: {error}") from None


def _signing_key(values: Values) -> str:
    return f"{values['name']}-sa-token-issuer-key"


PLATFORM = ClusterPlatform(
    name="aws",
    type="AWS",
    summary="A cluster on AWS",
    upgrade_type="Replace",
    flags=(
        Flag("additional-tags", "Tags of everything made on AWS, key=value", STRINGS),
        Flag("auto-node", "Let Karpenter make nodes as they are needed", BOOL),
        Flag("enable-proxy", "Give the nodes a proxy instead of direct access", BOOL),
        Flag("enable-secure-proxy", "Give the nodes a proxy that is reached by TLS", BOOL),
        Flag(
            "endpoint-access",
            "Who reaches the API: Public, PublicAndPrivate or Private",
            default="Public",
        ),
        aws.INSTANCE_TYPE,
        Flag("kms-key-arn", "Key that encrypts etcd"),
        Flag(
            "multi-arch",
            "Every cluster can have nodes of several architectures",
            BOOL,
            hidden=True,
            deprecated=(
                "Multi-arch validation is now performed automatically based on the release image "
                "and signaled in the HostedCluster.Status.PayloadArch."
            ),
        ),
        Flag("oidc-issuer-url", "URL of the OIDC issuer"),
        Flag("private-zones-in-cluster-account", "Private zones in the cluster's account", BOOL),
        Flag("proxy-vpc-endpoint-service-name", "Endpoint service of a proxy elsewhere"),
        Flag("public-only", "Nodes in public subnets alone", BOOL),
        Flag("region", "Region of the cluster", default="us-east-1"),
        Flag("role-arn", "Role that is assumed"),
        *aws.VOLUME_FLAGS,
        Flag("sa-token-issuer-private-key-path", "File with the key that signs account tokens"),
        Flag("secret-creds", "Secret with the credentials of AWS"),
        Flag("shared-role", "One role for all components", BOOL),
        Flag("sts-creds", "File with session credentials"),
        Flag("use-rosa-managed-policies", "Policies that ROSA manages", BOOL),
        Flag("vpc-cidr", "Range of the VPC, a /16"),
        Flag("zones", "Availability zones, one pool each", STRINGS),
    ),
    developer_flags=(
        Flag(
            "aws-creds",
            "File with AWS credentials",
            hidden=True,
            deprecated=(
                "the AWS SDK default credential chain is used when no explicit credentials are "
                "provided; use '--role-arn' to assume a specific role"
            ),
        ),
        Flag("iam-json", "File with the roles that exist already"),
        Flag("single-nat-gateway", "One NAT gateway for all zones", BOOL),
        Flag("vpc-owner-aws-creds", "File with credentials of the VPC's owner"),
    ),
    check=check,
    product_check=product_check,
    complete=complete,
    shape=shape,
    pools=pools,
    extras=extras,
    defaults={"etcd-storage-class": "gp3-csi"},
)
