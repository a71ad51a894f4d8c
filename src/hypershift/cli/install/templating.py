"""Options whose values become parameters of a template: Helm's, or OpenShift's."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hypershift.cli.install.options import InstallOptions

S3 = "oidc_storage_provider_s3"
#: Options that are parameters together.
BUCKET = (f"{S3}_bucket_name", f"{S3}_region", f"{S3}_secret", f"{S3}_secret_key")
PRIVATE = ("aws_private_region", "aws_private_secret", "aws_private_secret_key")
IMAGE, TAG, NAMESPACE = "hypershift_image", "image_tag", "namespace"
ALWAYS = (NAMESPACE, "registry_overrides", "aro_hcp_key_vault_users_client_id")


@dataclass(frozen=True)
class Language:
    """A kind of template: what it calls the value of an option, and how it refers to that."""

    names: Mapping[str, str]
    wrap: Callable[[str], str]

    def reference(self, name: str) -> str:
        return self.wrap(self.names[name])


def templated(options: InstallOptions, language: Language) -> InstallOptions:
    """The options with references to parameters in their place."""
    image = f"{language.reference(IMAGE)}:{language.reference(TAG)}"
    found: dict[str, Any] = {name: language.reference(name) for name in (*ALWAYS, *used(options))}
    return replace(options, **{**found, IMAGE: image})


def used(options: InstallOptions) -> Iterator[str]:
    """The options that are parameters because of what was typed."""
    if options.oidc_storage_provider_s3_bucket_name:
        yield from BUCKET
    if options.aws_private_secret:
        yield from PRIVATE
    if options.external_dns_provider:
        yield from ("external_dns_image", "external_dns_domain_filter")
        yield from external_dns(options)


def bucket(options: InstallOptions) -> dict[str, str]:
    """The parameters about the bucket of OIDC documents, and what was typed for them."""
    return dict(
        zip(
            BUCKET,
            (
                options.oidc_storage_provider_s3_bucket_name,
                options.oidc_storage_provider_s3_region,
                options.oidc_storage_provider_s3_secret,
                options.oidc_storage_provider_s3_secret_key,
            ),
            strict=True,
        )
    )


def private(options: InstallOptions) -> dict[str, str]:
    """The parameters about private clusters on AWS, and what was typed for them."""
    return dict(
        zip(
            PRIVATE,
            (
                options.aws_private_region,
                options.aws_private_secret,
                options.aws_private_secret_key,
            ),
            strict=True,
        )
    )


def external_dns(options: InstallOptions) -> dict[str, str]:
    """The parameters of external-dns that are used, and what was typed for them."""
    every = {
        "external_dns_secret": options.external_dns_secret,
        "external_dns_txt_owner_id": options.external_dns_txt_owner_id,
        "external_dns_google_project": options.external_dns_google_project,
        "external_dns_interval": options.external_dns_interval,
        "external_dns_aws_zones_cache_duration": options.external_dns_aws_zones_cache_duration,
    }
    return {name: value for name, value in every.items() if value}
