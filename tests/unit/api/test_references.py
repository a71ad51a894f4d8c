"""References to users' objects, derived from the fields that name them."""

from collections.abc import Iterator

from hypershift.api import read
from hypershift.api.configuration import ClusterConfiguration
from hypershift.api.facts import declared, nested
from hypershift.api.references import Reference, references
from hypershift.api.shape import Refers, Shape

_EXTERNAL = "authentication.oidcProviders.externalClaimsSources"
#: Named by the configuration, and read by nothing in a control plane: no copy is made.
NOT_COPIED = {
    "apiServer.encryption.kms.vault.authentication.appRole.secret",
    "apiServer.encryption.kms.vault.tls.caBundle",
    f"{_EXTERNAL}.authentication.clientCredential.clientSecret",
    f"{_EXTERNAL}.authentication.clientCredential.tls.certificateAuthority",
    f"{_EXTERNAL}.tls.certificateAuthority",
    "ingress.componentRoutes.servingCertKeyPairSecret",
}


def unmarked(shape: type[Shape], place: str = "") -> Iterator[str]:
    """Yield the fields that hold a reference and do not say to what."""
    for facts in declared(shape):
        inner, field = nested(facts.type), f"{place}{facts.wire}"
        if inner is None or facts.value.refers:
            continue
        if inner.shape.__name__.endswith("Reference"):
            yield field
        else:
            yield from unmarked(inner.shape, f"{field}.")


def test_a_reference_says_what_it_refers_to_or_is_known_not_to_be_copied() -> None:
    assert set(unmarked(ClusterConfiguration)) == NOT_COPIED


def test_references_in_lists_are_found_with_the_path_of_their_field() -> None:
    named = {"namedCertificates": [{"servingCertificate": {"name": "mine"}}, {}]}
    given = {"apiServer": {"servingCerts": named, "clientCA": {"name": "users"}}}
    assert list(references(read(ClusterConfiguration, given))) == [
        Reference(
            Refers.SECRET, "mine", "apiServer.servingCerts.namedCertificates.servingCertificate"
        ),
        Reference(Refers.CONFIG_MAP, "users", "apiServer.clientCA"),
    ]


def test_an_empty_name_refers_to_nothing() -> None:
    given = {"proxy": {"trustedCA": {"name": ""}}}
    assert not list(references(read(ClusterConfiguration, given)))
