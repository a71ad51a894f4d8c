"""Web services that are asked for claims which a token does not carry."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.shape import Field, Go, Rule, Shape, Value, constrained


class ExternalClaimsSource(Shape):
    """A web service that knows more about a user than the token says."""

    authentication: Annotated[
        ExternalSourceAuthentication | None,
        Field("How we identify ourselves to the service. Unset means not at all.", go=Go.OMIT_ZERO),
    ] = None
    tls: Annotated[
        ExternalSourceTLS | None,
        Field(
            "How the service's certificate is checked. Default: against the system's CA"
            " certificates.",
            go=Go.OMIT_ZERO,
        ),
    ] = None
    url: Annotated[ExternalSourceURL, Field("Address to ask.", go=Go.OMIT_ZERO)]
    mappings: Annotated[
        tuple[ExternalClaimMapping, ...],
        Field(
            "Claims that its answer gives, at most 16.",
            min_items=1,
            max_items=16,
            list_type="map",
            list_keys=("name",),
        ),
    ]
    predicates: Annotated[
        tuple[ExternalSourcePredicate, ...],
        Field(
            "When to ask: all must hold, at most 16. Unset asks always.",
            min_items=1,
            max_items=16,
            list_type="map",
            list_keys=("expression",),
        ),
    ] = ()


@constrained(
    Rule(
        (
            "self.type == 'ClientCredential' ? has(self.clientCredential) :"
            " !has(self.clientCredential)"
        ),
        "clientCredential is required when type is ClientCredential, and forbidden otherwise",
    ),
)
class ExternalSourceAuthentication(Shape):
    """How we identify ourselves to a claims service."""

    type: Annotated[
        str,
        Field(
            (
                "`RequestProvidedToken` passes the user's token on, `ClientCredential` fetches a"
                " token with a client secret."
            ),
            enum=("RequestProvidedToken", "ClientCredential"),
        ),
    ]
    client_credential: Annotated[
        ClientCredential | None,
        Field("Client id and secret; required with `type: ClientCredential`.", go=Go.OMIT_ZERO),
    ] = None


class ClientCredential(Shape):
    """An OAuth client that fetches its own token."""

    client_id: Annotated[
        str,
        Field(
            "Id of the client, printable ASCII.",
            min_length=1,
            max_length=256,
            rules=(
                Rule(
                    "self.matches('^[[:print:]]+$')",
                    "clientID must only contain printable ASCII characters",
                ),
            ),
        ),
    ]
    client_secret: Annotated[
        ExternalSourceReference, Field("Secret with the client's secret.", go=Go.OMIT_ZERO)
    ]
    token_endpoint: Annotated[
        str,
        Field(
            "Where tokens are fetched, https with a path, without query or user.",
            min_length=1,
            max_length=2048,
            rules=(
                Rule("isURL(self)", "tokenEndpoint must be a valid HTTPS url"),
                Rule(
                    "isURL(self) && url(self).getScheme() == 'https'",
                    "tokenEndpoint must be a valid HTTPS url",
                ),
                Rule(
                    "isURL(self) && url(self).getHost() != ''", "tokenEndpoint must have a hostname"
                ),
                Rule(
                    "isURL(self) && url(self).getEscapedPath() != ''",
                    "tokenEndpoint must have a path",
                ),
                Rule(
                    "isURL(self) && url(self).getQuery() == {}",
                    "tokenEndpoint must not have query parameters",
                ),
                Rule(
                    "isURL(self) && self.find('#(.+)$') == ''",
                    "tokenEndpoint must not have a fragment",
                ),
                Rule(
                    "isURL(self) && !self.matches('^https://[^/]+@.+$')",
                    "tokenEndpoint must not have user info",
                ),
            ),
        ),
    ]
    scopes: Annotated[
        tuple[str, ...],
        Field(
            "Scopes to ask for, at most 16.",
            items=Value(
                min_length=1,
                max_length=256,
                rules=(
                    Rule(
                        r"self.matches('^[!#-[\\]-~]+$')",
                        (
                            "scopes must only contain printable ASCII characters excluding spaces,"
                            " double quotes and backslashes"
                        ),
                    ),
                ),
            ),
            min_items=1,
            max_items=16,
            list_type="set",
        ),
    ] = ()
    tls: Annotated[
        ExternalSourceTLS | None,
        Field("How the token endpoint's certificate is checked.", go=Go.OMIT_ZERO),
    ] = None


class ExternalSourceReference(Shape):
    """The name of a Secret or ConfigMap in the configuration namespace."""

    name: Annotated[
        str,
        Field(
            "Name of the object.",
            min_length=1,
            max_length=253,
            rules=(
                Rule(
                    (
                        r"self.matches('^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]("
                        "[a-z0-9-]*[a-z0-9])?)*$')"
                    ),
                    (
                        "name must start and end with a lowercase alphanumeric character, and"
                        " must only contain lowercase alphanumeric characters, '-' or '.'"
                    ),
                ),
            ),
        ),
    ]


class ExternalSourceTLS(Shape):
    """How a service's certificate is checked."""

    certificate_authority: Annotated[
        ExternalSourceReference,
        Field("ConfigMap (key `ca-bundle.crt`) with the CA certificates.", go=Go.OMIT_ZERO),
    ]


class ExternalClaimMapping(Shape):
    """One claim out of a service's answer."""

    name: Annotated[
        str,
        Field(
            "Name of the claim, lowercase letters and underscores; unique over all services.",
            min_length=1,
            max_length=256,
            rules=(
                Rule(
                    "self.matches('^[a-z_]+$')",
                    "name must consist of only lowercase alpha characters and underscores",
                ),
            ),
        ),
    ]
    expression: Annotated[
        str,
        Field(
            "CEL expression over `response` that gives the claim.", min_length=1, max_length=1024
        ),
    ]


class ExternalSourcePredicate(Shape):
    """When to ask a service."""

    expression: Annotated[
        str,
        Field(
            "CEL expression over `claims` that gives true or false.", min_length=1, max_length=1024
        ),
    ]


class ExternalSourceURL(Shape):
    """The address of a service, with a part computed from the token."""

    hostname: Annotated[
        str,
        Field(
            "Host and, optionally, port; https is used.",
            min_length=1,
            max_length=259,
            rules=(
                Rule("isURL('https://'+self)", "hostname must be a valid hostname"),
                Rule(
                    (
                        r"self.split(':')[0].matches('^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\."
                        "[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$')"
                    ),
                    (
                        "hostname before port must start and end with a lowercase alphanumeric"
                        " character, and must only contain lowercase alphanumeric characters,"
                        " '-' or '.'"
                    ),
                ),
                Rule(
                    "self.split(':').size() > 1 ? int(self.split(':')[1]) <= 65535 : true",
                    "port must not exceed 65535",
                ),
            ),
        ),
    ]
    path_expression: Annotated[
        str,
        Field(
            "CEL expression over `claims` that gives the path as a list of segments.",
            min_length=1,
            max_length=1024,
        ),
    ]
