"""Who vouches for users, and what components report about it."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.configuration.oidc import OIDCProvider
from hypershift.api.meta import Condition, NameReference
from hypershift.api.shape import Field, Go, Refers, Shape, Value, members
from hypershift.api.values import AuthenticationType


class Authentication(Shape):
    """Who vouches for users.

    A change restarts the API servers, and the OAuth server goes or comes.
    """

    type: Annotated[
        str | None,
        Field(
            (
                "`IntegratedOAuth` runs the built-in OAuth server, `OIDC` trusts tokens of your"
                " provider, `None` neither. Empty means IntegratedOAuth."
            ),
            enum=("", *members(AuthenticationType)),
            go=Go.ALWAYS,
        ),
    ] = None
    oauth_metadata: Annotated[
        NameReference | None,
        Field(
            "ConfigMap (key `oauthMetadata`) with OAuth server metadata to publish, for an"
            " OAuth server outside the cluster.",
            refers=Refers.CONFIG_MAP,
        ),
    ] = None
    webhook_token_authenticators: Annotated[
        tuple[DeprecatedWebhookTokenAuthenticator, ...],
        Field("Older form of `webhookTokenAuthenticator`; ignored.", list_type="atomic"),
    ] = ()
    webhook_token_authenticator: Annotated[
        WebhookTokenAuthenticator | None,
        Field("A web service of yours that checks bearer tokens.", go=Go.POINTER),
    ] = None
    service_account_issuer: Annotated[
        str | None,
        Field(
            "Issuer of service account tokens in standalone clusters. Hosted clusters use"
            " `spec.issuerURL`.",
            go=Go.ALWAYS,
        ),
    ] = None
    oidc_providers: Annotated[
        tuple[OIDCProvider, ...],
        Field(
            "Your OIDC provider, at most one; needs `type: OIDC`.",
            max_items=1,
            list_type="map",
            list_keys=("name",),
        ),
    ] = ()


class WebhookTokenAuthenticator(Shape):
    """A web service that checks bearer tokens."""

    kube_config: Annotated[
        NameReference,
        Field(
            "Secret (key `kubeConfig`) with a kubeconfig that says where the service is and"
            " how to reach it.",
            refers=Refers.SECRET,
        ),
    ]


class DeprecatedWebhookTokenAuthenticator(Shape):
    """The older form of a token-checking web service; ignored."""

    kube_config: Annotated[
        NameReference | None,
        Field("Secret with a kubeconfig of the service.", refers=Refers.SECRET),
    ] = None


class ConfigurationStatus(Shape):
    """What components report about the configuration in use."""

    authentication: Annotated[
        AuthenticationStatus | None, Field("How authentication is set up at present.")
    ] = None


class AuthenticationStatus(Shape):
    """How authentication is set up at present."""

    integrated_oauth_metadata: Annotated[
        NameReference | None, Field("ConfigMap with the metadata of the built-in OAuth server.")
    ] = None
    oidc_clients: Annotated[
        tuple[OIDCClientStatus, ...],
        Field(
            "Components that log users in by OIDC, and which client each uses. At most 20.",
            max_items=20,
            list_type="map",
            list_keys=("componentNamespace", "componentName"),
        ),
    ] = ()


class OIDCClientStatus(Shape):
    """One component that logs users in by OIDC."""

    component_name: Annotated[str, Field("Name of the component.", min_length=1, max_length=256)]
    component_namespace: Annotated[
        str, Field("Namespace of the component.", min_length=1, max_length=63)
    ]
    conditions: Annotated[
        tuple[Condition, ...],
        Field(
            "Whether the component's OIDC client is set up.", list_type="map", list_keys=("type",)
        ),
    ] = ()
    consuming_users: Annotated[
        tuple[str, ...],
        Field(
            "Service accounts that must be able to read the client's secret, at most 5.",
            items=Value(
                pattern=(
                    "^system:serviceaccount:[a-z0-9]([-a-z0-9]*[a-z0-9])?:[a-z0-9]("
                    r"[-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"
                ),
                min_length=1,
                max_length=512,
            ),
            max_items=5,
            list_type="set",
        ),
    ] = ()
    current_oidc_clients: Annotated[
        tuple[OIDCClientReference, ...],
        Field(
            "Clients that the component uses now.",
            list_type="map",
            list_keys=("issuerURL", "clientID"),
        ),
    ] = ()


class OIDCClientReference(Shape):
    """A client at an OIDC provider."""

    client_id: Annotated[str, Field("Id of the client at the provider.", min_length=1)]
    issuer_url: Annotated[str, Field("Address of the provider.", pattern=r"^https:\/\/[^\s]")]
    oidc_provider_name: Annotated[
        str, Field("Name of the provider in this configuration.", min_length=1)
    ]
