"""The configuration file of OpenShift's OAuth server."""

from typing import Any

from hypershift.api import annotations
from hypershift.api.configuration.oauth import OAuth, TokenConfig
from hypershift.component import View, edit, kubeconfig
from hypershift.controlplane.oauth_openshift.providers import identity_providers
from hypershift.kit import Manifest

PORT = 6443
#: How long a login lasts by default: a day.
MAX_AGE = 86400


def service_name(view: View) -> str:
    """The name of the OAuth server's Service, as its own pods call it."""
    return f"oauth-openshift.{view.namespace}.svc.cluster.local"


def config(view: View, manifest: Manifest) -> Manifest:
    serving: dict[str, Any] = dict(view.tls.serving_info)
    if named := named_certificates(view):
        serving["namedCertificates"] = named
    overlay = {
        "servingInfo": serving,
        "oauthConfig": {
            "identityProviders": identity_providers(view),
            "masterURL": f"https://{service_name(view)}:{PORT}",
            "masterPublicURL": kubeconfig.url(view.infra.oauth_host, view.infra.oauth_port),
            "loginURL": login_url(view),
            "tokenConfig": tokens(view),
        },
    }
    return edit.merge_yaml(manifest, "config.yaml", overlay)


def login_url(view: View) -> str:
    """Where clients are sent to log in: the API server, by the name that users know."""
    if view.annotated(annotations.OAUTH_LOGIN_URL_OVERRIDE):
        return view.annotation(annotations.OAUTH_LOGIN_URL_OVERRIDE)
    endpoint = view.status.control_plane_endpoint
    host, port = (endpoint.host, endpoint.port) if endpoint else ("", 0)
    return kubeconfig.url(view.spec.kube_api_server_dns_name or host or "", port or 0)


def tokens(view: View) -> dict[str, Any]:
    """How long logins last."""
    said = (view.configuration.oauth or OAuth()).token_config or TokenConfig()
    found: dict[str, Any] = {
        "accessTokenMaxAgeSeconds": said.access_token_max_age_seconds or MAX_AGE
    }
    if said.access_token_inactivity_timeout:
        found["accessTokenInactivityTimeout"] = said.access_token_inactivity_timeout
    return found


def named_certificates(view: View) -> list[Manifest]:
    """The certificates that the user wants to be seen, by host name."""
    serving = view.api_server.serving_certs
    return [
        {
            "names": list(each.names),
            "certFile": f"/etc/kubernetes/certs/named-{number}/tls.crt",
            "keyFile": f"/etc/kubernetes/certs/named-{number}/tls.key",
        }
        for number, each in enumerate(serving.named_certificates if serving else (), 1)
    ]
