"""What `install` refuses: reports every violated rule at once, with the original's messages."""

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from hypershift.cli.address import cidr
from hypershift.cli.flags import Values
from hypershift.cli.install.options import DEFAULT_IMAGE
from hypershift.kit import UsageError
from hypershift.kit.duration import format_duration, parse_duration

SCOPES = ("all", "crds", "resources")
PLATFORMS = ("aws", "azure", "ibmcloud", "kubevirt", "agent", "openstack", "gcp", "local")
DAY = timedelta(hours=24)


def check(values: Values) -> None:
    """Raise one error that lists every violated rule."""
    rules = (
        *_scope(values),
        *_private(values),
        *_oidc(values),
        *_external_dns(values),
        *_images(values),
        *_scale_from_zero(values),
        *_monitoring(values),
        *_others(values),
        *_egress(values),
    )
    found = list(dict.fromkeys(rules))
    if found:
        raise UsageError(found[0] if len(found) == 1 else f"[{', '.join(found)}]")


def _scope(values: Values) -> Iterator[str]:
    scope = values.get("install-scope", "all")
    if scope and scope not in SCOPES:
        yield f"invalid --install-scope value \"{scope}\": must be 'all', 'crds', or 'resources'"
    if scope == "crds" and values.get("wait-until-available", default=False):
        yield "--wait-until-available has no effect with --install-scope=crds"


def _private(values: Values) -> Iterator[str]:
    match values["private-platform"]:
        case "AWS":
            yield from _private_aws(values)
        case "GCP":
            if bool(values["gcp-project"]) != bool(values["gcp-region"]):
                yield (
                    "--gcp-project and --gcp-region must be set together when "
                    "--private-platform=GCP"
                )
        case "Azure":
            if values["managed-service"] != "ARO-HCP":
                yield from _private_azure(values)
        case "None":
            pass
        case _:
            yield "--private-platform must be either AWS, Azure, GCP, or None"


def _private_aws(values: Values) -> Iterator[str]:
    file, name = values["aws-private-creds"], values["aws-private-secret"]
    role = values["aws-private-role-arn"]
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
    if not values["aws-private-region"]:
        yield "--aws-private-region is required with --private-platform=AWS"


def _private_azure(values: Values) -> Iterator[str]:
    file, name = values["azure-private-creds"], values["azure-private-secret"]
    identity = values["azure-pls-managed-identity-client-id"]
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
    if identity and not values["azure-pls-subscription-id"]:
        yield (
            "--azure-pls-subscription-id is required when using "
            "--azure-pls-managed-identity-client-id"
        )
    if file and name:
        yield "only one of --azure-private-creds or --azure-private-secret is supported"
    if not values["azure-pls-resource-group"]:
        yield "--azure-pls-resource-group is required with --private-platform=Azure"


def _oidc(values: Values) -> Iterator[str]:
    prefix = "oidc-storage-provider-s3"
    file, name, role, key, bucket, region = (
        values[f"{prefix}-{word}"]
        for word in ("credentials", "secret", "role-arn", "secret-key", "bucket-name", "region")
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


def _external_dns(values: Values) -> Iterator[str]:
    provider = values["external-dns-provider"]
    if not provider:
        return
    file, name = values["external-dns-credentials"], values["external-dns-secret"]
    role = values["external-dns-role-arn"]
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
    if not values["external-dns-domain-filter"]:
        yield "--external-dns-domain-filter is required with --external-dns-provider"
    yield from _durations(values, provider)


def _durations(values: Values, provider: str) -> Iterator[str]:
    cache = "external-dns-aws-zones-cache-duration"
    for flag in ("external-dns-interval", cache):
        if values[flag]:
            try:
                parse_duration(values[flag])
            except ValueError as error:
                yield f"--{flag} is not a valid duration: {error}"
    if values[cache] and provider != "aws":
        yield f"--{cache} is only effective with --external-dns-provider=aws"


def _images(values: Values) -> Iterator[str]:
    if values["hypershift-image"] != DEFAULT_IMAGE and values["image-refs"]:
        yield "only one of --hypershift-image or --image-refs-file should be specified"
    if values["rhobs-monitoring"] and os.environ.get("RHOBS_MONITORING") != "1":
        yield (
            "when invoking this command with the --rhobs-monitoring flag, the RHOBS_MONITORING "
            'environment variable must be set to "1"'
        )
    if values["cert-rotation-scale"] > DAY:
        shown = format_duration(values["cert-rotation-scale"])
        yield f"cannot set --cert-rotation-scale longer than 24h, invalid value: {shown}"


def _scale_from_zero(values: Values) -> Iterator[str]:
    file, name = values["scale-from-zero-creds"], values["scale-from-zero-secret"]
    provider = values["scale-from-zero-provider"]
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


def _monitoring(values: Values) -> Iterator[str]:
    access = "enable-cvo-management-cluster-metrics-access"
    rhobs = values["rhobs-monitoring"]
    if rhobs and values[access]:
        yield (
            "when invoking this command with the --rhobs-monitoring flag, the "
            f"--{access} flag is not supported "
        )
    if values["cvo-prometheus-url"] and not rhobs and not values[access]:
        yield f"--cvo-prometheus-url requires either --rhobs-monitoring or --{access} to be enabled"


def _others(values: Values) -> Iterator[str]:
    roles = ("aws-private", "oidc-storage-provider-s3", "external-dns")
    source = values["aws-role-credential-source"]
    if any(values[f"{name}-role-arn"] for name in roles) and source not in (
        "web-identity",
        "ec2-instance-metadata",
    ):
        yield (
            '--aws-role-credential-source must be "web-identity" or "ec2-instance-metadata", '
            f'got "{source}"'
        )
    if values["managed-service"] not in ("", "ARO-HCP"):
        yield f"not a valid managed service type: {values['managed-service']}"
    for platform in values["limit-crd-install"]:
        if platform.lower() not in PLATFORMS:
            yield f"not a valid platform type: {platform}"
    policy = values["image-pull-policy"]
    if policy and policy.lower() not in ("always", "never", "ifnotpresent"):
        yield f"invalid --image-pull-policy: {policy} (want Always|Never|IfNotPresent)"


def _egress(values: Values) -> Iterator[str]:
    for text in values["hcp-egress-block-cidrs"]:
        try:
            cidr(text)
        except ValueError as error:
            yield f'invalid --hcp-egress-block-cidrs value "{text}": {error}'
