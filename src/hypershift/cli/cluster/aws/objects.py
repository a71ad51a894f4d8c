"""The objects of a cluster on AWS: the cluster's own part, its pools and its Secrets."""

import base64
import binascii
from typing import Any

from hypershift.api import annotations
from hypershift.cli.cluster import checks
from hypershift.cli.cluster.aws.infrastructure import ROLES, Infrastructure
from hypershift.cli.cluster.aws.options import AwsOptions
from hypershift.cli.cluster.platform import (
    PoolMaker,
    published_by_ingress,
    secret,
    with_host_names,
)
from hypershift.cli.files import read_file
from hypershift.cli.nodepool import aws
from hypershift.kit import Manifest, UsageError

PUBLIC_ADDRESSES = annotations.AWS_MACHINE_PUBLIC_IPS
ROSA_TAGS = ("red-hat-managed=true", "red-hat-clustertype=rosa")


def specialize(options: AwsOptions, infrastructure: Infrastructure, cluster: Manifest) -> Manifest:
    spec, infra = cluster["spec"], infrastructure.infra
    platform = _platform(options, infrastructure)
    spec["infraID"] = infra.get("infraID", "")
    spec["issuerURL"] = infrastructure.iam.get("issuerURL", "")
    spec["dns"] = _dns(infra)
    spec["platform"]["aws"] = platform
    if options.sa_token_issuer_private_key_path:
        spec["serviceAccountSigningKey"] = {"name": _signing_key(options)}
    if infra.get("machineCIDR"):
        cidr = checks.check_cidr(infra["machineCIDR"], "MachineCIDR")
        spec["networking"]["machineNetwork"] = [{"cidr": cidr}]
    if options.auto_node:
        spec["autoNode"] = _auto_node(infrastructure.iam)
    if proxy := _proxy(infra):
        spec["configuration"]["proxy"] = proxy
    if infrastructure.iam.get("kmsProviderRoleARN"):
        spec["secretEncryption"] = _kms(options, infrastructure.iam)
    spec["services"] = _services(options)
    if infra.get("publicOnly"):
        cluster["metadata"].setdefault("annotations", {})[PUBLIC_ADDRESSES] = "true"
    return cluster


def _platform(options: AwsOptions, infrastructure: Infrastructure) -> Manifest:
    infra, iam, zone = infrastructure.infra, infrastructure.iam, infrastructure.zones[0]
    platform: Manifest = {
        "region": options.region,
        "rolesRef": {name: iam.get("roles", {}).get(name, "") for name in ROLES},
        "cloudProviderConfig": {
            "vpc": infra.get("vpcID", ""),
            "subnet": {"id": zone.get("subnetID", "")},
            "zone": zone.get("name", ""),
        },
        "endpointAccess": options.endpoint_access,
        "multiArch": False,
    }
    if tags := _tags(options):
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


def _tags(options: AwsOptions) -> list[Manifest]:
    given = (
        *options.additional_tags,
        *(ROSA_TAGS if options.use_rosa_managed_policies else ()),
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


def _kms(options: AwsOptions, iam: dict[str, Any]) -> Manifest:
    key = {
        "region": options.region,
        "activeKey": {"arn": iam.get("kmsKeyARN", "")},
        "auth": {"awsKms": iam["kmsProviderRoleARN"]},
    }
    return {"type": "kms", "kms": {"provider": "AWS", "aws": key}}


def _services(options: AwsOptions) -> list[Manifest]:
    """Nodes of a private cluster do not come by the public names of Konnectivity and Ignition."""
    domain = options.external_dns_domain
    public = options.endpoint_access == "Public"
    named = ("APIServer", "OAuthServer", *(("Konnectivity", "Ignition") if public else ()))
    services = published_by_ingress(api_by_route=bool(domain))
    return with_host_names(services, options.name, domain, named)


def pools(options: AwsOptions, infrastructure: Infrastructure, pool: PoolMaker) -> list[Manifest]:
    """One pool for each zone."""
    made = []
    for zone in infrastructure.infra.get("zones") or []:
        manifest = pool("-".join(filter(None, (options.name, zone.get("name")))))
        profile = infrastructure.iam.get("profileName", "")
        manifest["spec"]["platform"]["aws"] = aws.instance(
            options.machine, options.arch, profile, zone.get("subnetID", "")
        )
        made.append(manifest)
    return made


def extras(options: AwsOptions, infrastructure: Infrastructure) -> list[Manifest]:
    infra, found = infrastructure.infra, []
    if infra.get("proxyCA"):
        metadata = {"name": f"{infra.get('Name', '')}-proxy-ca", "namespace": options.namespace}
        data = {"ca-bundle.crt": infra["proxyCA"]}
        found.append({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data})
    if infra.get("proxyPrivateSSHKey"):
        name = f"{infra.get('Name', '')}-proxy-ssh-key"
        found.append(secret(options, name, {"privatekey": _decoded(infra["proxyPrivateSSHKey"])}))
    if path := options.sa_token_issuer_private_key_path:
        key = read_file(path, "failed to read pull secret file")
        found.append(secret(options, _signing_key(options), {"key": key}))
    return found


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise UsageError(f"failed to decode proxy private ssh key: {error}") from None


def _signing_key(options: AwsOptions) -> str:
    return f"{options.name}-sa-token-issuer-key"
