"""OpenShift's own users: where they log in, and who vouches for their tokens."""

import json

from hypershift.api.values import AuthenticationType
from hypershift.component import Asset, View, edit, kubeconfig
from hypershift.kit import InvalidSpec, Manifest
from hypershift.pki import kubeconfig as build
from hypershift.pki import kubeconfig_text

AUTHENTICATOR = "openshift-authenticator-cert"
SCOPES = (
    "user:check-access",
    "user:full",
    "user:info",
    "user:list-projects",
    "user:list-scoped-projects",
)


def announces_oauth(view: View) -> bool:
    """Whether the server publishes where clients log in."""
    section = view.configuration.authentication
    return section is None or section.type == AuthenticationType.INTEGRATED_OAUTH


def oauth_metadata(view: View, manifest: Manifest) -> Manifest:
    own = view.authentication.oauth_metadata
    if own and own.name:
        return edit.set_data(manifest, {"oauthMetadata.json": users_own(view, own.name)})
    issuer = kubeconfig.url(view.infra.oauth_host, view.infra.oauth_port)
    document = {
        "issuer": issuer,
        "authorization_endpoint": f"{issuer}/oauth/authorize",
        "token_endpoint": f"{issuer}/oauth/token",
        "scopes_supported": list(SCOPES),
        "response_types_supported": ["code", "token"],
        "grant_types_supported": ["authorization_code", "implicit"],
        "code_challenge_methods_supported": ["plain", "S256"],
    }
    return edit.set_data(manifest, {"oauthMetadata.json": json.dumps(document)})


def users_own(view: View, name: str) -> str:
    """The metadata that the user wrote."""
    text = view.text(name, "oauthMetadata")
    if not text:
        raise InvalidSpec(
            f"ConfigMap {name} has no key 'oauthMetadata'",
            field="spec.configuration.authentication.oauthMetadata",
        )
    return text


def token_webhook(view: View, manifest: Manifest) -> Manifest:
    host = f"openshift-oauth-apiserver.{view.namespace}.svc:443"
    config = build(
        f"https://{host}/apis/oauth.openshift.io/v1/tokenreviews",
        kubeconfig.root_ca(view),
        certificate=view.secret(AUTHENTICATOR, "tls.crt"),
        key=view.secret(AUTHENTICATOR, "tls.key"),
        cluster="local-cluster",
        user="openshift-authenticator",
        context="local-context",
        namespace="",
    )
    return edit.set_data(manifest, {"kubeconfig": kubeconfig_text(config)})


# The pods mount both, with every kind of authentication.
METADATA = Asset("openshift/oauth-metadata.yaml", adapt=oauth_metadata)
TOKEN_WEBHOOK = Asset("openshift/token-webhook.yaml", adapt=token_webhook)
