"""`create cluster azure`: virtual machines of Azure, in networks and with identities that exist."""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from hypershift.cli.cluster.azure_resource import resource_type
from hypershift.cli.cluster.infra import from_yaml, unbuilt
from hypershift.cli.cluster.platform import (
    ClusterPlatform,
    PoolMaker,
    published_by_ingress,
    secret,
    with_host_names,
)
from hypershift.cli.files import read_file
from hypershift.cli.flags import BOOL, STRING_MAP, STRINGS, Flag, Values
from hypershift.cli.nodepool import azure
from hypershift.kit import Manifest, UsageError

ENCODING = "utf-8"
IDENTITIES = (
    "cloudProvider",
    "controlPlaneOperator",
    "disk",
    "file",
    "imageRegistry",
    "ingress",
    "network",
    "nodePoolManagement",
)
ACCESS = ("Public", "PublicAndPrivate", "Private")
CLOUDS = ("azure.net", "usgovcloudapi.net", "azure.cn", "microsoftazure.de", "sovcloud-api.fr")
VAULTS = {
    **{f"vault.{cloud}": "KeyVault" for cloud in CLOUDS},
    **{f"managedhsm.{cloud}": "ManagedHSM" for cloud in CLOUDS},
}
NAT_SUBNET = "endpoint-access-private-nat-subnet-id"


@dataclass(frozen=True, slots=True)
class Ground:
    """The infrastructure that a cluster stands on, whose it is, and the key of etcd."""

    infra: dict[str, Any]
    credentials: dict[str, Any]
    key: Manifest


def check(values: Values) -> None:
    if values["network-security-group-id"] and not values["resource-group-name"]:
        raise UsageError(
            "flag --resource-group-name is required when using --network-security-group-id"
        )
    _check_roles(values)
    _check_identities(values)
    if values["endpoint-access"] not in ("", *ACCESS):
        raise UsageError("--endpoint-access must be one of: Public, PublicAndPrivate, Private")
    _check_oauth(values)
    _check_nat_subnet(values[NAT_SUBNET])
    _check_external_domain(values)
    for zone in values["availability-zones"]:
        if zone not in azure.ZONES:
            raise UsageError(f"invalid value for --availability-zone: {zone}")
    azure.check(values)


def _check_roles(values: Values) -> None:
    flags = ("assign-service-principal-roles", "assign-custom-hcp-roles", "auto-assign-roles")
    if not any(values.get(flag, default=False) for flag in flags):
        return
    if values["infra-json"]:
        raise UsageError(
            "role assignment flags cannot be used with --infra-json; "
            "use --assign-identity-roles on 'create infra azure' instead"
        )
    if not values["dns-zone-rg-name"].strip():
        raise UsageError(
            "--dns-zone-rg-name is required when --assign-service-principal-roles or "
            "--assign-custom-hcp-roles is set"
        )


def _check_identities(values: Values) -> None:
    workload, managed, data_plane = (
        values.get(f"{kind}-identities-file") for kind in ("workload", "managed", "data-plane")
    )
    for name, given in (("managed", managed), ("data-plane", data_plane)):
        if workload and given:
            raise UsageError(
                f"flags --workload-identities-file and --{name}-identities-file are mutually "
                "exclusive"
            )
    if data_plane and not managed:
        raise UsageError("--data-plane-identities-file requires --managed-identities-file")
    if managed and not data_plane:
        raise UsageError("--managed-identities-file requires --data-plane-identities-file")


def _check_oauth(values: Values) -> None:
    strategy = values["oauth-publishing-strategy"]
    if strategy == "LoadBalancer" and values.get("managed-identities-file"):
        raise UsageError(
            "--oauth-publishing-strategy LoadBalancer is not supported for ARO HCP "
            "(managed identities) clusters"
        )
    if strategy not in ("", "Route", "LoadBalancer"):
        raise UsageError("--oauth-publishing-strategy must be either Route or LoadBalancer")


def _check_nat_subnet(identifier: str) -> None:
    if not identifier:
        return
    try:
        kind = resource_type(identifier)
    except ValueError as error:
        raise UsageError(f"--{NAT_SUBNET} is not a valid Azure resource ID: {error}") from None
    if kind.partition("/")[2].lower() != "virtualnetworks/subnets":
        raise UsageError(
            f"--{NAT_SUBNET} must be a subnet resource ID "
            f'(Microsoft.Network/virtualNetworks/subnets), got "{kind}"'
        )


def _check_external_domain(values: Values) -> None:
    """Refuse a domain whose private zone would hide the names of the cluster's applications."""
    domain, base = values["external-dns-domain"], values["base-domain"]
    if not domain or not base:
        return
    cluster = f"{values['name']}.{base}"
    ours, theirs = domain.lower().rstrip("."), cluster.lower().rstrip(".")
    if ours == theirs or theirs.endswith(f".{ours}"):
        raise UsageError(
            f'external DNS domain "{domain}" conflicts with cluster domain "{cluster}": this would '
            "create an Azure Private DNS zone that shadows *.apps DNS resolution. "
            "Use a different --external-dns-domain value"
        )


def complete(values: Values) -> Ground:
    """Read the descriptions of infrastructure, credentials and key."""
    if not values["infra-json"]:
        raise unbuilt("Azure", "--infra-json")
    infra = from_yaml(
        values["infra-json"],
        "failed to read infra json file",
        "failed to deserialize infra json file",
        "azure.CreateInfraOutput",
    )
    key = _encryption_key(values["encryption-key-id"]) if values["encryption-key-id"] else {}
    path = values["azure-creds"]
    credentials = from_yaml(
        path,
        f"failed to read --azure-creds file {path}",
        "failed to unmarshal --azure-creds file",
        "util.AzureCreds",
    )
    return Ground(infra, credentials, key)


def _encryption_key(identifier: str) -> Manifest:
    """Read `https://VAULT.vault.azure.net/keys/NAME/VERSION`."""
    failing = f'failed to get encryption key info: invalid encryption key identifier "{identifier}"'
    parsed = urlsplit(identifier)
    host = (parsed.hostname or "").lower()
    if not host:
        raise UsageError(f"{failing}: missing host")
    if not parsed.path.startswith("/keys/"):
        raise UsageError(f"{failing}: expected path to start with /keys/")
    match = re.fullmatch(r"/keys/([^/]+)/([^/]+)", parsed.path)
    if match is None:
        raise UsageError(f"{failing}: expected /keys/<keyName>/<keyVersion>")
    vault, dot, suffix = host.partition(".")
    if not dot or not vault:
        raise UsageError(
            f'{failing}: could not derive vault name and service suffix from host "{host}"'
        )
    if suffix not in VAULTS:
        raise UsageError(f'{failing}: unsupported Azure Key Vault host "{host}"')
    key = {"keyVaultName": vault, "keyName": match[1], "keyVersion": match[2]}
    return {"activeKey": key, "keyVaultType": VAULTS[suffix]}


def shape(values: Values, ground: Ground, cluster: Manifest) -> Manifest:
    spec, infra = cluster["spec"], ground.infra
    names = ("baseDomain", "publicZoneID", "privateZoneID")
    spec["dns"] = {name: infra.get(name, "") for name in names}
    spec["infraID"] = infra.get("infraID", "")
    if values["oidc-issuer-url"]:
        spec["issuerURL"] = values["oidc-issuer-url"]
    if values["sa-token-issuer-private-key-path"]:
        spec["serviceAccountSigningKey"] = {"name": _signing_key(values)}
    spec["platform"]["azure"] = _platform(values, ground)
    if ground.key:
        azure_key = {**ground.key, **_key_access(values, infra)}
        spec["secretEncryption"] = {"type": "kms", "kms": {"provider": "Azure", "azure": azure_key}}
    spec["services"] = _services(values)
    return cluster


def _platform(values: Values, ground: Ground) -> Manifest:
    infra = ground.infra
    return {
        "subscriptionID": ground.credentials.get("subscriptionId", ""),
        "tenantID": ground.credentials.get("tenantId", ""),
        "location": infra.get("region", ""),
        "resourceGroup": infra.get("resourceGroupName", ""),
        "vnetID": infra.get("vnetID", ""),
        "subnetID": infra.get("subnetID", ""),
        "securityGroupID": infra.get("securityGroupID", ""),
        "azureAuthenticationConfig": _authentication(infra),
        **_topology(values, infra),
    }


def _topology(values: Values, infra: dict[str, Any]) -> Manifest:
    access = values["endpoint-access"]
    if access in ("", "Public"):
        return {"topology": "Public"} if infra.get("workloadIdentities") else {}
    link: Manifest = {"natSubnetID": values[NAT_SUBNET]}
    if subscriptions := values["endpoint-access-private-additional-allowed-subscriptions"]:
        link["additionalAllowedSubscriptions"] = list(subscriptions)
    return {"topology": access, "private": {"type": "PrivateLink", "privateLink": link}}


def _authentication(infra: dict[str, Any]) -> Manifest:
    if identities := infra.get("workloadIdentities"):
        return {
            "azureAuthenticationConfigType": "WorkloadIdentities",
            "workloadIdentities": identities,
        }
    found: Manifest = {"azureAuthenticationConfigType": "ManagedIdentities"}
    if managed := infra.get("controlPlaneMIs"):
        control_plane = dict(managed.get("controlPlane") or {})
        for name in IDENTITIES:
            control_plane[name] = {**control_plane.get(name, {}), "objectEncoding": ENCODING}
        found["managedIdentities"] = {
            "controlPlane": control_plane,
            "dataPlane": infra.get("dataPlaneIdentities") or {},
        }
    return found


def _key_access(values: Values, infra: dict[str, Any]) -> Manifest:
    if not infra.get("workloadIdentities"):
        name = values.get("kms-credentials-secret-name")
        return {"kms": {"credentialsSecretName": name, "objectEncoding": ENCODING}}
    if not infra.get("kmsClientID"):
        raise UsageError(
            "self-managed Azure KMS requires a KMS workload identity; "
            "re-run 'hypershift create iam azure' with --enable-kms"
        )
    return {"workloadIdentity": {"clientID": infra["kmsClientID"]}}


def _services(values: Values) -> list[Manifest]:
    domain, access = values["external-dns-domain"], values["endpoint-access"]
    services = published_by_ingress(api_by_route=bool(domain) or access == "Private")
    if values["oauth-publishing-strategy"] == "LoadBalancer":
        for each in services:
            if each["service"] == "OAuthServer":
                each["servicePublishingStrategy"] = {"type": "LoadBalancer"}
    public = access in ("", "Public")
    named = ("APIServer", "OAuthServer", *(("Konnectivity", "Ignition") if public else ()))
    return with_host_names(services, values["name"], domain, named)


def pools(values: Values, ground: Ground, pool: PoolMaker) -> list[Manifest]:
    """One pool for each zone, or one without a zone."""
    made = []
    for zone in values["availability-zones"] or ("",):
        manifest = pool(f"{values['name']}-{zone}" if zone else values["name"])
        manifest["spec"]["platform"]["azure"] = azure.machine(
            values, _image(values, ground.infra), ground.infra.get("subnetID", ""), zone
        )
        made.append(manifest)
    return made


def _image(values: Values, infra: dict[str, Any]) -> Manifest:
    if not values["marketplace-publisher"] and infra.get("bootImageID"):
        return {"type": "ImageID", "imageID": infra["bootImageID"]}
    return azure.image(values)


def extras(values: Values, ground: Ground) -> list[Manifest]:
    credentials = {
        "AZURE_SUBSCRIPTION_ID": str(ground.credentials.get("subscriptionId", "")).encode(),
        "AZURE_TENANT_ID": str(ground.credentials.get("tenantId", "")).encode(),
    }
    found = [secret(values, f"{values['name']}-cloud-credentials", credentials)]
    if path := values["sa-token-issuer-private-key-path"]:
        key = read_file(path, "failed to read pull secret file")
        found.append(secret(values, _signing_key(values), {"key": key}))
    return found


def _signing_key(values: Values) -> str:
    return f"{values['name']}sa-token-issuer-key"  # without a dash, as the original names it


_CREDENTIALS = Flag("azure-creds", "File with the credentials of Azure")

PLATFORM = ClusterPlatform(
    name="azure",
    type="Azure",
    summary="A cluster on Azure",
    upgrade_type="Replace",
    flags=(
        *azure.FLAGS,
        Flag("availability-zones", "Zones of the nodes, one pool each: 1,2,3", STRINGS),
        Flag("dns-zone-rg-name", "Resource group of the DNS zone"),
        Flag("encryption-key-id", "Key that encrypts etcd, its URL in a key vault"),
        Flag("endpoint-access", "Public, PublicAndPrivate or Private", default="Public"),
        Flag(
            "endpoint-access-private-additional-allowed-subscriptions",
            "Further subscriptions that may reach a private cluster",
            STRINGS,
        ),
        Flag(NAT_SUBNET, "Subnet of the private link's addresses"),
        Flag("location", "Location of the cluster", default="eastus"),
        Flag("network-security-group-id", "Security group of the nodes"),
        Flag("oauth-publishing-strategy", "Route or LoadBalancer", default="Route"),
        Flag("oidc-issuer-url", "URL of the OIDC issuer"),
        Flag("resource-group-name", "Resource group of the cluster"),
        Flag("resource-group-tags", "Tags of the resource group", STRING_MAP, short="t"),
        Flag("sa-token-issuer-private-key-path", "File with the key that signs account tokens"),
        Flag("subnet-id", "Subnet of the nodes"),
        Flag("vnet-id", "Network of the nodes"),
        Flag("workload-identities-file", "File with the workload identities"),
    ),
    developer_flags=(
        Flag("assign-custom-hcp-roles", "Assign roles made for hosted control planes", BOOL),
        Flag("assign-service-principal-roles", "Assign roles to the identities", BOOL),
        _CREDENTIALS,
        Flag("data-plane-identities-file", "File with the nodes' managed identities"),
        Flag("kms-credentials-secret-name", "Secret with the credentials of the key"),
        Flag("managed-identities-file", "File with the control plane's managed identities"),
    ),
    product_flags=(
        Flag("auto-assign-roles", "Assign roles to the identities", BOOL),
        Flag("azure-creds", "File with the credentials of Azure", required=True),
        Flag("infra-json", "File with infrastructure that exists already"),
    ),
    check=check,
    complete=complete,
    shape=shape,
    pools=pools,
    extras=extras,
)
