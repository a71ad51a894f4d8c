"""What `install` refuses: reports every violated rule at once, with the original's messages."""

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from hypershift.cli.address import cidr
from hypershift.cli.install.options import DEFAULT_IMAGE, ApplyOptions, InstallOptions
from hypershift.kit import UsageError
from hypershift.kit.duration import format_duration, parse_duration

SCOPES = ("all", "crds", "resources")
PLATFORMS = ("aws", "azure", "ibmcloud", "kubevirt", "agent", "openstack", "gcp", "local")
DAY = timedelta(hours=24)


def check(options: InstallOptions) -> None:
    """Raise one error that lists every violated rule."""
    rules = (
        *_scope(options),
        *_private(options),
        *_oidc(options),
        *_external_dns(options),
        *_images(options),
        *_scale_from_zero(options),
        *_monitoring(options),
        *_others(options),
        *_egress(options),
    )
    found = list(dict.fromkeys(rules))
    if found:
        raise UsageError(found[0] if len(found) == 1 else f"[{', '.join(found)}]")


def _scope(options: InstallOptions) -> Iterator[str]:
    if not isinstance(options, ApplyOptions):
        return
    scope = options.install_scope
    if scope and scope not in SCOPES:
        yield f"invalid --install-scope value \"{scope}\": must be 'all', 'crds', or 'resources'"
    if scope == "crds" and options.wait_until_available:
        yield "--wait-until-available has no effect with --install-scope=crds"


def _private(options: InstallOptions) -> Iterator[str]:
    match options.private_platform:
        case "AWS":
            yield from _private_aws(options)
        case "GCP":
            if bool(options.gcp_project) != bool(options.gcp_region):
                yield (
                    "--gcp-project and --gcp-region must be set together when "
                    "--private-platform=GCP"
                )
        case "Azure":
            if options.managed_service != "ARO-HCP":
                yield from _private_azure(options)
        case "None":
            pass
        case _:
            yield "--private-platform must be either AWS, Azure, GCP, or None"


def _private_aws(options: InstallOptions) -> Iterator[str]:
    file, name = options.aws_private_creds, options.aws_private_secret
    role = options.aws_private_role_arn
    if file and name:
        yield "only one of --aws-private-creds or --aws-private-secret is supported"
    if (file or name) and role:
        yield (
            "--aws-private-role-arn cannot be used with --aws-private-creds or --aws-private-secret"
        )
    if not (file or name or role):
        yield (
            "--aws-private-creds, --aws-private-secret, or --aws-private-role-arn is required "
            "with --private-platform=AWS"
        )
    if not options.aws_private_region:
        yield "--aws-private-region is required with --private-platform=AWS"


def _private_azure(options: InstallOptions) -> Iterator[str]:
    file, name = options.azure_private_creds, options.azure_private_secret
    identity = options.azure_pls_managed_identity_client_id
    if not (file or name or identity):
        yield (
            "--azure-private-creds, --azure-private-secret, or "
            "--azure-pls-managed-identity-client-id is required with --private-platform=Azure"
        )
    if (file or name) and identity:
        yield (
            "--azure-pls-managed-identity-client-id cannot be used with --azure-private-creds or "
            "--azure-private-secret"
        )
    if identity and not options.azure_pls_subscription_id:
        yield (
            "--azure-pls-subscription-id is required when using "
            "--azure-pls-managed-identity-client-id"
        )
    if file and name:
        yield "only one of --azure-private-creds or --azure-private-secret is supported"
    if not options.azure_pls_resource_group:
        yield "--azure-pls-resource-group is required with --private-platform=Azure"


def _oidc(options: InstallOptions) -> Iterator[str]:
    prefix = "oidc-storage-provider-s3"
    file, name = (
        options.oidc_storage_provider_s3_credentials,
        options.oidc_storage_provider_s3_secret,
    )
    role, key = (
        options.oidc_storage_provider_s3_role_arn,
        options.oidc_storage_provider_s3_secret_key,
    )
    bucket, region = (
        options.oidc_storage_provider_s3_bucket_name,
        options.oidc_storage_provider_s3_region,
    )
    if (file or name) and role:
        yield f"--{prefix}-role-arn cannot be used with --{prefix}-credentials or --{prefix}-secret"
    if file and name:
        yield f"only one of --{prefix}-secret or --{prefix}-credentials is supported"
    if (file or name or role) and not (bucket and region):
        yield (
            f"--{prefix}-bucket-name and --{prefix}-region are required when OIDC S3 credentials "
            "or role ARN are specified"
        )
    if (file or name) and not role and not key:
        yield "all required oidc information is not set"
    if "." in bucket:
        yield (
            "oidc bucket name must not contain dots (.); see the notes on HTTPS at "
            "https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html"
        )


def _external_dns(options: InstallOptions) -> Iterator[str]:
    provider = options.external_dns_provider
    if not provider:
        return
    file, name = options.external_dns_credentials, options.external_dns_secret
    role = options.external_dns_role_arn
    if role and provider != "aws":
        yield "--external-dns-role-arn is only supported with --external-dns-provider=aws"
    if (file or name) and role:
        yield (
            "--external-dns-role-arn cannot be used with --external-dns-credentials or "
            "--external-dns-secret"
        )
    if provider != "google" and not (file or name or role):
        yield (
            "--external-dns-credentials, --external-dns-secret, or --external-dns-role-arn are "
            "required with --external-dns-provider"
        )
    if file and name:
        yield (
            "only one of --external-dns-credentials or --external-dns-credentials-secret is "
            "supported"
        )
    if not options.external_dns_domain_filter:
        yield "--external-dns-domain-filter is required with --external-dns-provider"
    yield from _durations(options, provider)


def _durations(options: InstallOptions, provider: str) -> Iterator[str]:
    cache = "external-dns-aws-zones-cache-duration"
    remembered = options.external_dns_aws_zones_cache_duration
    typed = {"external-dns-interval": options.external_dns_interval, cache: remembered}
    for flag, text in typed.items():
        if text:
            try:
                parse_duration(text)
            except ValueError as error:
                yield f"--{flag} is not a valid duration: {error}"
    if remembered and provider != "aws":
        yield f"--{cache} is only effective with --external-dns-provider=aws"


def _images(options: InstallOptions) -> Iterator[str]:
    if options.hypershift_image != DEFAULT_IMAGE and options.image_refs:
        yield "only one of --hypershift-image or --image-refs-file should be specified"
    if options.rhobs_monitoring and os.environ.get("RHOBS_MONITORING") != "1":
        yield (
            "when invoking this command with the --rhobs-monitoring flag, the RHOBS_MONITORING "
            'environment variable must be set to "1"'
        )
    if options.cert_rotation_scale > DAY:
        shown = format_duration(options.cert_rotation_scale)
        yield f"cannot set --cert-rotation-scale longer than 24h, invalid value: {shown}"


def _scale_from_zero(options: InstallOptions) -> Iterator[str]:
    file, name = options.scale_from_zero_creds, options.scale_from_zero_secret
    provider = options.scale_from_zero_provider
    if not (file or name):
        return
    if file and name:
        yield "only one of --scale-from-zero-creds or --scale-from-zero-secret is supported"
    if not provider:
        yield "--scale-from-zero-provider is required when using scale-from-zero credentials"
    elif provider not in ("aws", "azure"):
        yield f"invalid --scale-from-zero-provider: {provider} (must be one of: [aws azure])"
    if file and not Path(file).exists():
        yield f"--scale-from-zero-creds file does not exist: {file}"


def _monitoring(options: InstallOptions) -> Iterator[str]:
    access = "enable-cvo-management-cluster-metrics-access"
    rhobs = options.rhobs_monitoring
    accessed = options.enable_cvo_management_cluster_metrics_access
    if rhobs and accessed:
        yield (
            "when invoking this command with the --rhobs-monitoring flag, the "
            f"--{access} flag is not supported "
        )
    if options.cvo_prometheus_url and not rhobs and not accessed:
        yield f"--cvo-prometheus-url requires either --rhobs-monitoring or --{access} to be enabled"


def _others(options: InstallOptions) -> Iterator[str]:
    roles = (
        options.aws_private_role_arn,
        options.oidc_storage_provider_s3_role_arn,
        options.external_dns_role_arn,
    )
    source = options.aws_role_credential_source
    if any(roles) and source not in (
        "web-identity",
        "ec2-instance-metadata",
    ):
        yield (
            '--aws-role-credential-source must be "web-identity" or "ec2-instance-metadata", '
            f'got "{source}"'
        )
    if options.managed_service not in ("", "ARO-HCP"):
        yield f"not a valid managed service type: {options.managed_service}"
    for platform in options.limit_crd_install:
        if platform.lower() not in PLATFORMS:
            yield f"not a valid platform type: {platform}"
    policy = options.image_pull_policy
    if policy and policy.lower() not in ("always", "never", "ifnotpresent"):
        yield f"invalid --image-pull-policy: {policy} (want Always|Never|IfNotPresent)"


def _egress(options: InstallOptions) -> Iterator[str]:
    for text in options.hcp_egress_block_cidrs:
        try:
            cidr(text)
        except ValueError as error:
            yield f'invalid --hcp-egress-block-cidrs value "{text}": {error}'
