"""The objects of a cluster on Azure: the cluster's own part, its pools and its Secrets."""

from typing import Any

from hypershift.cli.cluster.azure.checks import NAT_SUBNET
from hypershift.cli.cluster.azure.ground import Ground
from hypershift.cli.cluster.platform import (
    PoolMaker,
    published_by_ingress,
    secret,
    with_host_names,
)
from hypershift.cli.files import read_file
from hypershift.cli.flags import Values
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
