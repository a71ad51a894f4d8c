"""The objects of a cluster on Azure: the cluster's own part, its pools and its Secrets."""

from typing import Any

from hypershift.cli.cluster.azure.infrastructure import Infrastructure
from hypershift.cli.cluster.azure.options import AzureOptions
from hypershift.cli.cluster.platform import (
    PoolMaker,
    published_by_ingress,
    secret,
    with_host_names,
)
from hypershift.cli.files import read_file
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


def specialize(
    options: AzureOptions, infrastructure: Infrastructure, cluster: Manifest
) -> Manifest:
    spec, infra = cluster["spec"], infrastructure.infra
    names = ("baseDomain", "publicZoneID", "privateZoneID")
    spec["dns"] = {name: infra.get(name, "") for name in names}
    spec["infraID"] = infra.get("infraID", "")
    if options.oidc_issuer_url:
        spec["issuerURL"] = options.oidc_issuer_url
    if options.sa_token_issuer_private_key_path:
        spec["serviceAccountSigningKey"] = {"name": _signing_key(options)}
    spec["platform"]["azure"] = _platform(options, infrastructure)
    if infrastructure.key:
        azure_key = {**infrastructure.key, **_key_access(options, infra)}
        spec["secretEncryption"] = {"type": "kms", "kms": {"provider": "Azure", "azure": azure_key}}
    spec["services"] = _services(options)
    return cluster


def _platform(options: AzureOptions, infrastructure: Infrastructure) -> Manifest:
    infra = infrastructure.infra
    return {
        "subscriptionID": infrastructure.credentials.get("subscriptionId", ""),
        "tenantID": infrastructure.credentials.get("tenantId", ""),
        "location": infra.get("region", ""),
        "resourceGroup": infra.get("resourceGroupName", ""),
        "vnetID": infra.get("vnetID", ""),
        "subnetID": infra.get("subnetID", ""),
        "securityGroupID": infra.get("securityGroupID", ""),
        "azureAuthenticationConfig": _authentication(infra),
        **_topology(options, infra),
    }


def _topology(options: AzureOptions, infra: dict[str, Any]) -> Manifest:
    access = options.endpoint_access
    if access in ("", "Public"):
        return {"topology": "Public"} if infra.get("workloadIdentities") is not None else {}
    link: Manifest = {"natSubnetID": options.endpoint_access_private_nat_subnet_id}
    if subscriptions := options.endpoint_access_private_additional_allowed_subscriptions:
        link["additionalAllowedSubscriptions"] = list(subscriptions)
    return {"topology": access, "private": {"type": "PrivateLink", "privateLink": link}}


def _authentication(infra: dict[str, Any]) -> Manifest:
    if (identities := infra.get("workloadIdentities")) is not None:
        return {
            "azureAuthenticationConfigType": "WorkloadIdentities",
            "workloadIdentities": identities,
        }
    found: Manifest = {"azureAuthenticationConfigType": "ManagedIdentities"}
    if (managed := infra.get("controlPlaneMIs")) is not None:
        control_plane = dict(managed.get("controlPlane") or {})
        for name in IDENTITIES:
            control_plane[name] = {**(control_plane.get(name) or {}), "objectEncoding": ENCODING}
        found["managedIdentities"] = {
            "controlPlane": control_plane,
            "dataPlane": infra.get("dataPlaneIdentities") or {},
        }
    return found


def _key_access(options: AzureOptions, infra: dict[str, Any]) -> Manifest:
    if infra.get("workloadIdentities") is None:
        name = options.kms_credentials_secret_name
        return {"kms": {"credentialsSecretName": name, "objectEncoding": ENCODING}}
    if not infra.get("kmsClientID"):
        raise UsageError(
            "self-managed Azure KMS requires a KMS workload identity; "
            "re-run 'hypershift create iam azure' with --enable-kms"
        )
    return {"workloadIdentity": {"clientID": infra["kmsClientID"]}}


def _services(options: AzureOptions) -> list[Manifest]:
    domain, access = options.external_dns_domain, options.endpoint_access
    services = published_by_ingress(api_by_route=bool(domain) or access == "Private")
    if options.oauth_publishing_strategy == "LoadBalancer":
        for each in services:
            if each["service"] == "OAuthServer":
                each["servicePublishingStrategy"] = {"type": "LoadBalancer"}
    public = access in ("", "Public")
    named = ("APIServer", "OAuthServer", *(("Konnectivity", "Ignition") if public else ()))
    return with_host_names(services, options.name, domain, named)


def pools(options: AzureOptions, infrastructure: Infrastructure, pool: PoolMaker) -> list[Manifest]:
    """One pool for each zone, or one without a zone."""
    made = []
    for zone in options.availability_zones or ("",):
        manifest = pool(f"{options.name}-{zone}" if zone else options.name)
        manifest["spec"]["platform"]["azure"] = azure.section(
            options.machine,
            options.arch,
            _image(options.machine, infrastructure.infra),
            infrastructure.infra.get("subnetID", ""),
            zone,
        )
        made.append(manifest)
    return made


def _image(machine: azure.AzureMachine, infra: dict[str, Any]) -> Manifest:
    if not machine.marketplace_publisher and infra.get("bootImageID"):
        return {"type": "ImageID", "imageID": infra["bootImageID"]}
    return azure.image(machine)


def extras(options: AzureOptions, infrastructure: Infrastructure) -> list[Manifest]:
    credentials = {
        "AZURE_SUBSCRIPTION_ID": infrastructure.credentials["subscriptionId"].encode(),
        "AZURE_TENANT_ID": infrastructure.credentials["tenantId"].encode(),
    }
    found = [secret(options, f"{options.name}-cloud-credentials", credentials)]
    if path := options.sa_token_issuer_private_key_path:
        key = read_file(path, "failed to read pull secret file")
        found.append(secret(options, _signing_key(options), {"key": key}))
    return found


def _signing_key(options: AzureOptions) -> str:
    return f"{options.name}sa-token-issuer-key"  # without a dash, as the original names it
