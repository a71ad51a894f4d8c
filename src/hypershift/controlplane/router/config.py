"""The router's HAProxy configuration: the name that a client asks for chooses the service."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from hypershift.api import labels
from hypershift.api.well_known import API_PORT, HTTPS_PORT, KONNECTIVITY_PORT, KUBE_APISERVER
from hypershift.api.well_known import OAUTH_PORT as LOGIN_PORT
from hypershift.component.haproxy import BEGINNING, HEALTH, READ_HELLO, Backend, lines
from hypershift.kit import Manifest, labels_of
from hypershift.kube.services import route_port

KUBE_API = "kube_api"
#: Routes to the API server: it answers clients that ask for no other name.
API_ROUTES = frozenset({"kube-apiserver", "kube-apiserver-internal", "kube-apiserver-private"})
#: Back ends by the name of their Route. Port 0 is the one that the Route itself names.
BACKENDS: dict[str, tuple[str, int]] = {
    "ignition-server": ("ignition", HTTPS_PORT),
    "konnectivity-server": ("konnectivity", KONNECTIVITY_PORT),
    "metrics-forwarder": ("metrics_forwarder", 0),
    "metrics-proxy": ("metrics_proxy", HTTPS_PORT),
    "oauth": ("oauth", LOGIN_PORT),
    "oauth-internal": ("oauth_internal", LOGIN_PORT),
    "oauth-private": ("oauth_private", LOGIN_PORT),
}
#: Azure's resolver answers for private names, the management cluster's own does not.
RESOLVERS = """
resolvers azure_dns
  nameserver azure 168.63.129.16:53
"""


@dataclass(frozen=True, slots=True)
class Served:
    """What a router serves."""

    backends: tuple[Backend, ...] = ()
    #: The address of the API server; empty when no route leads to it.
    api_address: str = ""
    #: The name of a key vault that the API server reaches through the router.
    key_vault: str = ""


def served(routes: Iterable[Manifest], addresses: Mapping[str, str], key_vault: str = "") -> Served:
    """What the labelled routes lead to; `addresses` are those of Services by their name.

    A route without the label is served by the management cluster's own router.
    """
    ours = sorted(
        (route for route in routes if labels.HOSTED_CONTROL_PLANE in labels_of(route)),
        key=lambda route: str(route["metadata"]["name"]),
    )
    has_api = any(route["metadata"]["name"] in API_ROUTES for route in ours)
    return Served(
        backends=tuple(_backends(ours, addresses)),
        api_address=addresses.get(KUBE_APISERVER, "") if has_api else "",
        key_vault=key_vault,
    )


def _backends(routes: Iterable[Manifest], addresses: Mapping[str, str]) -> Iterator[Backend]:
    for route in routes:
        leads = route["spec"]
        if known := BACKENDS.get(route["metadata"]["name"]):
            name, port = known
            address = addresses.get(leads["to"]["name"], "")
            yield Backend(name, address, port or route_port(route), host=leads.get("host") or "")


def configuration(wanted: Served) -> str:
    """The text of haproxy.cfg."""
    hosts = [(one.name, one.host) for one in wanted.backends]
    if wanted.key_vault:
        hosts.append(("keyvault", wanted.key_vault))
    parts = [
        BEGINNING,
        RESOLVERS if wanted.key_vault else "",
        "\nfrontend main\n  bind :::8443 v4v6\n",
        READ_HELLO,
        lines(f"acl is_{name} req_ssl_sni -i {host}" for name, host in hosts),
        lines(f"use_backend {name} if is_{name}" for name, _ in hosts),
        lines([f"default_backend {KUBE_API}"] if wanted.api_address else []),
        "\n" + HEALTH,
        *(f"\n{section}" for section in _sections(wanted)),
    ]
    return "".join(parts)


def _sections(wanted: Served) -> Iterator[str]:
    yield from (backend.section for backend in wanted.backends)
    if wanted.api_address:
        yield Backend(KUBE_API, wanted.api_address, API_PORT).section
    if wanted.key_vault:
        server = f"server kv {wanted.key_vault}:{HTTPS_PORT} resolvers azure_dns"
        yield "backend keyvault\n" + lines(("mode tcp", server))
