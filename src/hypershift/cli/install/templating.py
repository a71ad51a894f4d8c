"""Flags whose values become parameters of a template: Helm's, or OpenShift's."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from hypershift.cli.flags import Values

S3 = "oidc-storage-provider-s3"
#: Flags that are parameters together, by the flag whose use makes them so.
TOGETHER = {
    f"{S3}-bucket-name": (
        f"{S3}-bucket-name",
        f"{S3}-region",
        f"{S3}-secret",
        f"{S3}-secret-key",
    ),
    "aws-private-secret": ("aws-private-region", "aws-private-secret", "aws-private-secret-key"),
    "external-dns-provider": ("external-dns-image", "external-dns-domain-filter"),
}
#: Flags of external-dns that are parameters when they are used.
EXTERNAL_DNS = (
    "external-dns-secret",
    "external-dns-txt-owner-id",
    "external-dns-google-project",
    "external-dns-interval",
    "external-dns-aws-zones-cache-duration",
)
IMAGE, TAG, NAMESPACE = "hypershift-image", "image-tag", "namespace"
ALWAYS = (NAMESPACE, "registry-overrides", "aro-hcp-key-vault-users-client-id")


@dataclass(frozen=True)
class Language:
    """A kind of template: what it calls the value of a flag, and how it refers to that."""

    names: Mapping[str, str]
    wrap: Callable[[str], str]

    def reference(self, flag: str) -> str:
        return self.wrap(self.names[flag])


def templated(values: Values, language: Language) -> Values:
    """The flags with references to parameters in their place."""
    image = f"{language.reference(IMAGE)}:{language.reference(TAG)}"
    found = {flag: language.reference(flag) for flag in (*ALWAYS, *used(values))}
    return values.having(**{**found, IMAGE: image})


def used(values: Values) -> Iterator[str]:
    """The flags that are parameters because of what was typed."""
    for flag, together in TOGETHER.items():
        if values[flag]:
            yield from together
    if values["external-dns-provider"]:
        yield from (flag for flag in EXTERNAL_DNS if values[flag])
