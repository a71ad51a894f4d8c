"""The OpenShift Template of `install render --template`."""

from hypershift.cli.install.operator import replicas
from hypershift.cli.install.options import DEFAULT_IMAGE, InstallOptions
from hypershift.cli.install.rendered_crds import rendered_crds
from hypershift.cli.install.resources import resources
from hypershift.cli.install.templating import (
    IMAGE,
    NAMESPACE,
    S3,
    TAG,
    Language,
    bucket,
    external_dns,
    private,
    templated,
)
from hypershift.kit import Manifest

REPLICAS = "OPERATOR_REPLICAS"
LANGUAGE = Language(
    names={
        IMAGE: "OPERATOR_IMG",
        TAG: "IMAGE_TAG",
        NAMESPACE: "NAMESPACE",
        "registry_overrides": "REGISTRY_OVERRIDES",
        "aro_hcp_key_vault_users_client_id": "AZURE_KEYVAULT_CLIENT_ID",
        f"{S3}_bucket_name": "OIDC_S3_NAME",
        f"{S3}_region": "OIDC_S3_REGION",
        f"{S3}_secret": "OIDC_S3_CREDS_SECRET",
        f"{S3}_secret_key": "OIDC_S3_CREDS_SECRET_KEY",
        "aws_private_region": "AWS_PRIVATE_REGION",
        "aws_private_secret": "AWS_PRIVATE_CREDS_SECRET",
        "aws_private_secret_key": "AWS_PRIVATE_CREDS_SECRET_KEY",
        "external_dns_image": "EXTERNAL_DNS_IMAGE",
        "external_dns_domain_filter": "EXTERNAL_DNS_DOMAIN_FILTER",
        "external_dns_secret": "EXTERNAL_DNS_CREDS_SECRET",
        "external_dns_txt_owner_id": "EXTERNAL_DNS_TXT_OWNER_ID",
        "external_dns_google_project": "EXTERNAL_DNS_GOOGLE_PROJECT",
        "external_dns_interval": "EXTERNAL_DNS_INTERVAL",
        "external_dns_aws_zones_cache_duration": "EXTERNAL_DNS_AWS_ZONES_CACHE_DURATION",
    },
    wrap=lambda name: f"${{{name}}}",
)
#: Parameters that have no default even where a flag gave a value: each bucket is another.
WITHOUT_DEFAULT = (f"{S3}_bucket_name", f"{S3}_region")


async def template(options: InstallOptions) -> Manifest:
    """One object that contains all others and declares parameters."""
    filled = templated(options, LANGUAGE)
    objects = [_with_replicas(each) for each in resources(filled)]
    return {
        "apiVersion": "v1",
        "kind": "Template",
        "metadata": {"name": "hypershift-operator-template"},
        "objects": [*objects, *await rendered_crds(filled)],
        "parameters": parameters(options),
    }


def _with_replicas(manifest: Manifest) -> Manifest:
    if (manifest["kind"], manifest["metadata"]["name"]) != ("Deployment", "operator"):
        return manifest
    del manifest["metadata"]["annotations"]  # another program may process the template
    manifest["spec"]["replicas"] = f"${{{REPLICAS}}}"
    return manifest


def parameters(options: InstallOptions) -> list[Manifest]:
    """Everything that may be filled in; a value that was given by a flag is the default."""
    found = [
        {"name": LANGUAGE.names[IMAGE], "value": DEFAULT_IMAGE},
        {"name": REPLICAS, "value": str(replicas(options))},
        {"name": LANGUAGE.names[NAMESPACE], "value": options.namespace},
    ]
    if options.oidc_storage_provider_s3_bucket_name:
        found += _parameters(bucket(options))
    if options.aws_private_secret:
        found += _parameters(private(options))
    return found + _external_dns(options)


def _external_dns(options: InstallOptions) -> list[Manifest]:
    provider, name = options.external_dns_provider, options.external_dns_secret
    if not (provider and (name or provider == "google")):
        return []
    domain = {"external_dns_domain_filter": options.external_dns_domain_filter}
    return _parameters(domain | external_dns(options))


def _parameters(values: dict[str, str]) -> list[Manifest]:
    return [
        {"name": LANGUAGE.names[name]} | ({} if name in WITHOUT_DEFAULT else {"value": value})
        for name, value in values.items()
    ]
