"""What a cluster on AWS stands on: described by files, or made when no file describes it."""

import secrets
from dataclasses import dataclass, replace
from typing import Any

from hypershift.cli.cluster.aws.options import AwsOptions
from hypershift.cli.cluster.infra import from_json, require_management
from hypershift.cli.decoding import Struct
from hypershift.kit import UsageError
from hypershift.kit.names import infra_id

ROLES = (
    "controlPlaneOperatorARN",
    "imageRegistryARN",
    "ingressARN",
    "kubeCloudControllerARN",
    "networkARN",
    "nodePoolManagementARN",
    "storageARN",
)
_ZONE = Struct("aws.CreateInfraOutputZone", {"name": str, "subnetID": str})
_TEXTS = (
    "infraID",
    "machineCIDR",
    "vpcID",
    "Name",
    "baseDomain",
    "baseDomainPrefix",
    "publicZoneID",
    "privateZoneID",
    "localZoneID",
    "proxyAddr",
    "secureProxyAddr",
    "proxyPrivateSSHKey",
    "proxyCA",
)
INFRA = Struct(
    "aws.CreateInfraOutput",
    {**dict.fromkeys(_TEXTS, str), "zones": (_ZONE,), "publicOnly": bool},
)
IAM = Struct(
    "aws.CreateIAMOutput",
    {
        "profileName": str,
        "issuerURL": str,
        "roles": Struct("v1beta1.AWSRolesRef", dict.fromkeys(ROLES, str)),
        "kmsKeyARN": str,
        "kmsProviderRoleARN": str,
        "sharedIngressRoleARN": str,
        "sharedControlPlaneRoleARN": str,
        "karpenterRoleARN": str,
    },
)
NO_DOMAIN = "base-domain flag is required if infra-json is not provided"


@dataclass(frozen=True, slots=True)
class Infrastructure:
    """The infrastructure and the roles that a cluster stands on."""

    infra: dict[str, Any]
    iam: dict[str, Any]

    @property
    def zones(self) -> list[dict[str, str]]:
        return self.infra.get("zones") or [{}]


async def prepare(options: AwsOptions) -> Infrastructure:
    """Read the descriptions of infrastructure and roles; make what no file describes."""
    require_management(options.kubeconfig)
    infra = iam = None
    if options.infra_json:
        infra = from_json(options.infra_json, "infra", INFRA)
    elif not options.base_domain:
        raise UsageError(NO_DOMAIN)
    if options.iam_json:
        iam = from_json(options.iam_json, "iam", IAM)
    if infra is not None and iam is not None:
        return Infrastructure(infra, iam)
    # Imported here: rendering from files needs no client of AWS.
    from hypershift.cli.cluster.aws import making  # noqa: PLC0415

    return await making.make(_identified(options, infra), infra, iam)


def _identified(options: AwsOptions, infra: dict[str, Any] | None) -> AwsOptions:
    """The same with the infra id that everything is tagged with, chosen once."""
    known = (infra or {}).get("infraID") or options.infra_id
    return replace(options, infra_id=known or infra_id(options.name, secrets.SystemRandom()))
