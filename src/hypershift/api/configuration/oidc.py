"""OIDC providers whose tokens the API server accepts."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.configuration.claims import ClaimMappings, ClaimValidationRule, TokenExpression
from hypershift.api.configuration.external_claims import ExternalClaimsSource
from hypershift.api.meta import NameReference
from hypershift.api.shape import Field, Go, Refers, Rule, Shape, Value, constrained


class OIDCProvider(Shape):
    """An OIDC provider whose tokens the API server accepts."""

    name: Annotated[
        str, Field("Name of the provider in this configuration.", min_length=1, go=Go.ALWAYS)
    ]
    issuer: Annotated[TokenIssuer, Field("Who issues the tokens and for whom.")]
    oidc_clients: Annotated[
        tuple[OIDCClient, ...],
        Field(
            (
                "Clients that components of the cluster, such as the console, use at this"
                " provider; at most 20."
            ),
            max_items=20,
            list_type="map",
            list_keys=("componentNamespace", "componentName"),
            go=Go.ALWAYS,
        ),
    ] = ()
    claim_mappings: Annotated[
        ClaimMappings, Field("How a token's claims become user name, groups and more.")
    ]
    claim_validation_rules: Annotated[
        tuple[ClaimValidationRule, ...],
        Field("What a token must state to be accepted.", list_type="atomic"),
    ] = ()
    user_validation_rules: Annotated[
        tuple[TokenExpression, ...],
        Field(
            "What must be true of the user that the mappings give, at most 64.",
            min_items=1,
            max_items=64,
            list_type="map",
            list_keys=("expression",),
        ),
    ] = ()
    external_claims_sources: Annotated[
        tuple[ExternalClaimsSource, ...],
        Field(
            (
                "Web services that are asked for further claims, at most 5. Names of their claims"
                " must not repeat."
            ),
            min_items=1,
            max_items=5,
            list_type="atomic",
            rules=(
                Rule(
                    (
                        "self.all(s, s.mappings.all(m, self.filter(s2, s2.mappings.exists(m2,"
                        " m2.name == m.name)).size() == 1))"
                    ),
                    "mapping names must be unique across all external claim sources.",
                ),
            ),
            gate="ExternalOIDCExternalClaimsSourcing",
        ),
    ] = ()


@constrained(
    Rule(
        (
            'self.?discoveryURL.orValue("").size() > 0 ? (self.issuerURL.size() =='
            " 0 || self.discoveryURL.find('^.+[^/]') !="
            " self.issuerURL.find('^.+[^/]')) : true"
        ),
        "discoveryURL must be different from issuerURL",
    ),
)
class TokenIssuer(Shape):
    """Who issues tokens, and for whom."""

    issuer_url: Annotated[
        str,
        Field(
            "Address of the issuer, https; must equal the token's `iss`.",
            min_length=1,
            max_length=512,
            rules=(
                Rule("isURL(self)", "must be a valid URL"),
                Rule(
                    "isURL(self) && url(self).getScheme() == 'https'", "must use the 'https' scheme"
                ),
                Rule("isURL(self) && url(self).getQuery() == {}", "must not have a query"),
                Rule("self.find('#(.+)$') == ''", "must not have a fragment"),
                Rule("self.find('@') == ''", "must not have user info"),
            ),
            go=Go.ALWAYS,
        ),
    ]
    audiences: Annotated[
        tuple[str, ...],
        Field(
            "Audiences of which a token must name at least one, at most 10.",
            items=Value(min_length=1),
            min_items=1,
            max_items=10,
            list_type="set",
            go=Go.ALWAYS,
        ),
    ]
    issuer_certificate_authority: Annotated[
        NameReference | None,
        Field(
            "ConfigMap (key `ca-bundle.crt`) with CA certificates for the provider's address."
            " Default: the system's.",
            refers=Refers.CONFIG_MAP,
        ),
    ] = None
    discovery_url: Annotated[
        str | None,
        Field(
            (
                "Where the provider's discovery document is, https, when it is not below"
                " `issuerURL`."
            ),
            min_length=1,
            max_length=2048,
            rules=(
                Rule("isURL(self)", "discoveryURL must be a valid URL"),
                Rule("url(self).getScheme() == 'https'", "discoveryURL must be a valid https URL"),
                Rule(
                    "url(self).getQuery().size() == 0",
                    "discoveryURL must not contain query parameters",
                ),
                Rule("self.matches('^[^#]*$')", "discoveryURL must not contain fragments"),
                Rule(
                    "!self.matches('^https://.+:.+@.+/.*$')",
                    "discoveryURL must not contain user info",
                ),
            ),
        ),
    ] = None


class OIDCClient(Shape):
    """The client that one component uses at the provider."""

    component_name: Annotated[
        str, Field("Name of the component.", min_length=1, max_length=256, go=Go.ALWAYS)
    ]
    component_namespace: Annotated[
        str, Field("Namespace of the component.", min_length=1, max_length=63, go=Go.ALWAYS)
    ]
    client_id: Annotated[
        str, Field("Id of the client at the provider.", min_length=1, go=Go.ALWAYS)
    ]
    client_secret: Annotated[
        NameReference | None,
        Field(
            "Secret (key `clientSecret`) with the client's secret. Unset for public clients.",
            refers=Refers.SECRET,
        ),
    ] = None
    extra_scopes: Annotated[
        tuple[str, ...], Field("Scopes to ask for besides `openid`.", list_type="set", go=Go.ALWAYS)
    ] = ()
