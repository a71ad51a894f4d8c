"""`create iam aws` and `destroy iam aws`: the roles of a cluster, made and removed."""

import asyncio
import sys
from dataclasses import dataclass

from hypershift.cli.clouds.aws.account import accounts, log
from hypershift.cli.clouds.aws.infra import SOURCE_TAG, write_json
from hypershift.cli.clouds.aws.options import (
    AccountOptions,
    BucketOptions,
    IssuerOptions,
    RoleOptions,
)
from hypershift.cli.management import management
from hypershift.cli.typed import Typed
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateOptions:
    """What `create iam aws` is given."""

    account: AccountOptions
    issuer: BucketOptions
    roles: RoleOptions
    dry_run: bool
    infra_id: str
    output_file: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DestroyOptions:
    """What `destroy iam aws` is given."""

    account: AccountOptions
    infra_id: str


async def issuer_of(options: IssuerOptions, infra_id: str) -> str:
    """The URL of the cluster's issuer: as given, or in the bucket of the operator."""
    if options.oidc_issuer_url:
        return str(options.oidc_issuer_url)
    bucket = region = ""
    if isinstance(options, BucketOptions):
        bucket = options.oidc_storage_provider_s3_bucket_name
        region = options.oidc_storage_provider_s3_region
    if not bucket or not region:
        known = await _operators_bucket(options.kubeconfig)
        bucket, region = bucket or known.get("name", ""), region or known.get("region", "")
    if not bucket or not region:
        raise UsageError(f"the bucket of OIDC documents is not known: {_advice(options)}")
    return issuer_of_bucket(bucket, region, infra_id)


def _advice(options: IssuerOptions) -> str:
    """What a user can do about an unknown bucket with the flags of this command."""
    flags = ("--oidc-storage-provider-s3-bucket-name", "--oidc-storage-provider-s3-region")
    if isinstance(options, BucketOptions):
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


def wanted_of(options: RoleOptions, infra_id: str, issuer: str) -> WantedRoles:
    """The roles that a command line asks for."""
    return WantedRoles(
        infra_id=infra_id,
        region=options.region,
        issuer=issuer,
        public_zone=options.public_zone_id,
        private_zone=options.private_zone_id,
        local_zone=options.local_zone_id,
        own_issuer=bool(options.oidc_issuer_url),
        base_domain=options.base_domain,
        kms_key=options.kms_key_arn,
        tags=(*tags_of(options.additional_tags), SOURCE_TAG),
        one_role=options.shared_role,
        rosa=options.use_rosa_managed_policies,
        shared_vpc=bool(options.vpc_owner_aws_creds),
        zones_in_cluster_account=options.private_zones_in_cluster_account,
    )


async def create(options: CreateOptions) -> int:
    """Make what is missing; print or write the description. `--dry-run` shows the steps alone."""
    issuer = await issuer_of(options.issuer, options.infra_id)
    wanted = wanted_of(options.roles, options.infra_id, issuer)
    both = await accounts(options.account, "cli-create-iam")
    if options.dry_run:
        steps = await asyncio.to_thread(planned_roles, both, wanted)
        sys.stdout.write("".join(f"{line}\n" for line in steps.lines()))
        return 0
    log("Detected Issuer URL", issuer=wanted.issuer)
    output = await create_roles(both, wanted, log=log, clock=SystemClock())
    write_json(options.output_file, output)
    return 0


async def destroy(options: DestroyOptions) -> int:
    """Remove the roles; returns when nothing is left, or reports what is and why."""
    both = await accounts(options.account, "cli-destroy-iam")
    await destroy_roles(both, options.infra_id, log=log, clock=SystemClock())
    log("Successfully destroyed IAM infra")
    return 0


CREATE = Typed(CreateOptions, create)
DESTROY = Typed(DestroyOptions, destroy)
