"""The OpenShift Template of `install render --template`."""

from hypershift.cli.flags import Values
from hypershift.cli.install.operator import replicas
from hypershift.cli.install.options import DEFAULT_IMAGE
from hypershift.cli.install.rendered_crds import rendered_crds
from hypershift.cli.install.resources import resources
from hypershift.cli.install.templating import (
    EXTERNAL_DNS,
    IMAGE,
    NAMESPACE,
    S3,
    TAG,
    TOGETHER,
    Language,
    templated,
)
from hypershift.kit import Manifest

REPLICAS = "OPERATOR_REPLICAS"
LANGUAGE = Language(
    names={
        IMAGE: "OPERATOR_IMG",
        TAG: "IMAGE_TAG",
        NAMESPACE: "NAMESPACE",
        "registry-overrides": "REGISTRY_OVERRIDES",
        "aro-hcp-key-vault-users-client-id": "AZURE_KEYVAULT_CLIENT_ID",
        f"{S3}-bucket-name": "OIDC_S3_NAME",
        f"{S3}-region": "OIDC_S3_REGION",
        f"{S3}-secret": "OIDC_S3_CREDS_SECRET",
        f"{S3}-secret-key": "OIDC_S3_CREDS_SECRET_KEY",
        "aws-private-region": "AWS_PRIVATE_REGION",
        "aws-private-secret": "AWS_PRIVATE_CREDS_SECRET",
        "aws-private-secret-key": "AWS_PRIVATE_CREDS_SECRET_KEY",
        "external-dns-image": "EXTERNAL_DNS_IMAGE",
        "external-dns-domain-filter": "EXTERNAL_DNS_DOMAIN_FILTER",
        "external-dns-secret": "EXTERNAL_DNS_CREDS_SECRET",
        "external-dns-txt-owner-id": "EXTERNAL_DNS_TXT_OWNER_ID",
        "external-dns-google-project": "EXTERNAL_DNS_GOOGLE_PROJECT",
        "external-dns-interval": "EXTERNAL_DNS_INTERVAL",
        "external-dns-aws-zones-cache-duration": "EXTERNAL_DNS_AWS_ZONES_CACHE_DURATION",
    },
    wrap=lambda name: f"${{{name}}}",
)
#: Parameters that have no default even where a flag gave a value: each bucket is another.
WITHOUT_DEFAULT = (f"{S3}-bucket-name", f"{S3}-region")


async def template(values: Values) -> Manifest:
    """One object that contains all others and declares parameters."""
    filled = templated(values, LANGUAGE)
    objects = [_with_replicas(each) for each in resources(filled)]
    return {
        "apiVersion": "v1",
        "kind": "Template",
        "metadata": {"name": "hypershift-operator-template"},
        "objects": [*objects, *await rendered_crds(filled)],
        "parameters": parameters(values),
    }


def _with_replicas(manifest: Manifest) -> Manifest:
    if (manifest["kind"], manifest["metadata"]["name"]) != ("Deployment", "operator"):
        return manifest
    del manifest["metadata"]["annotations"]  # another program may process the template
    manifest["spec"]["replicas"] = f"${{{REPLICAS}}}"
    return manifest


def parameters(values: Values) -> list[Manifest]:
    """Everything that may be filled in; a value that was given by a flag is the default."""
    found = [
        {"name": LANGUAGE.names[IMAGE], "value": DEFAULT_IMAGE},
        {"name": REPLICAS, "value": str(replicas(values))},
        {"name": LANGUAGE.names[NAMESPACE], "value": values["namespace"]},
    ]
    for flag in ("oidc-storage-provider-s3-bucket-name", "aws-private-secret"):
        if values[flag]:
            found += [_parameter(values, each) for each in TOGETHER[flag]]
    return found + _external_dns(values)


def _external_dns(values: Values) -> list[Manifest]:
    provider, name = values["external-dns-provider"], values["external-dns-secret"]
    if not (provider and (name or provider == "google")):
        return []
    flags = ("external-dns-domain-filter", *(each for each in EXTERNAL_DNS if values[each]))
    return [_parameter(values, each) for each in flags]


def _parameter(values: Values, flag: str) -> Manifest:
    named = {"name": LANGUAGE.names[flag]}
    return named if flag in WITHOUT_DEFAULT else named | {"value": values[flag]}
