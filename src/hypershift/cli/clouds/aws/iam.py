"""`create iam aws` and `destroy iam aws`: the roles of a cluster, made and removed."""

import asyncio
import sys

from hypershift.cli.clouds.aws.account import accounts, log
from hypershift.cli.clouds.aws.infra import SOURCE_TAG, write_json
from hypershift.cli.flags import Values
from hypershift.cli.management import management
from hypershift.infra.aws import tags_of
from hypershift.infra.aws.roles import (
    WantedRoles,
    create_roles,
    destroy_roles,
    issuer_of_bucket,
    planned_roles,
)
from hypershift.kit import SystemClock, UsageError
from hypershift.kube import kinds

BUCKET_NAMESPACE, BUCKET_CONFIG = "kube-public", "oidc-storage-provider-s3-config"


async def issuer_of(values: Values) -> str:
    """The URL of the cluster's issuer: as given, or in the bucket of the operator."""
    if values["oidc-issuer-url"]:
        return str(values["oidc-issuer-url"])
    bucket = values.get("oidc-storage-provider-s3-bucket-name")
    region = values.get("oidc-storage-provider-s3-region")
    if not bucket or not region:
        known = await _operators_bucket(values.get("kubeconfig"))
        bucket, region = bucket or known.get("name", ""), region or known.get("region", "")
    if not bucket or not region:
        raise UsageError(f"the bucket of OIDC documents is not known: {_advice(values)}")
    return issuer_of_bucket(bucket, region, values["infra-id"])


def _advice(values: Values) -> str:
    """What a user can do about an unknown bucket with the flags of this command."""
    flags = ("--oidc-storage-provider-s3-bucket-name", "--oidc-storage-provider-s3-region")
    if flags[0].removeprefix("--") in values.values:
        return f"give {flags[0]} and {flags[1]}"
    return f"tell `hypershift install` of it ({flags[0]}, {flags[1]}), or give --oidc-issuer-url"


async def _operators_bucket(kubeconfig: str) -> dict[str, str]:
    """What `hypershift install` wrote for us on the management cluster."""
    try:
        async with management(kubeconfig) as client:
            found = await client.find(kinds.CONFIG_MAP, BUCKET_CONFIG, BUCKET_NAMESPACE)
    except UsageError:
        return {}
    return dict((found or {}).get("data") or {})


def wanted_of(values: Values, issuer: str) -> WantedRoles:
    """The roles that a command line asks for."""
    return WantedRoles(
        infra_id=values["infra-id"],
        region=values["region"],
        issuer=issuer,
        public_zone=values["public-zone-id"],
        private_zone=values["private-zone-id"],
        local_zone=values["local-zone-id"],
        own_issuer=bool(values["oidc-issuer-url"]),
        base_domain=values["base-domain"],
        kms_key=values["kms-key-arn"],
        tags=(*tags_of(values["additional-tags"]), SOURCE_TAG),
        one_role=values["shared-role"],
        rosa=values["use-rosa-managed-policies"],
        shared_vpc=bool(values.get("vpc-owner-aws-creds")),
        zones_in_cluster_account=values["private-zones-in-cluster-account"],
    )


async def create(values: Values) -> int:
    """Make what is missing; print or write the description. `--dry-run` shows the steps alone."""
    wanted = wanted_of(values, await issuer_of(values))
    both = await accounts(values, "cli-create-iam")
    if values["dry-run"]:
        steps = await asyncio.to_thread(planned_roles, both, wanted)
        sys.stdout.write("".join(f"{line}\n" for line in steps.lines()))
        return 0
    log("Detected Issuer URL", issuer=wanted.issuer)
    output = await create_roles(both, wanted, log=log, clock=SystemClock())
    write_json(values["output-file"], output)
    return 0


async def destroy(values: Values) -> int:
    """Remove the roles; returns when nothing is left, or reports what is and why."""
    both = await accounts(values, "cli-destroy-iam")
    await destroy_roles(both, values["infra-id"], log=log, clock=SystemClock())
    log("Successfully destroyed IAM infra")
    return 0
