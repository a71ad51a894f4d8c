"""The cluster's own configuration, as the HostedCluster says it: users inside read it alone."""

import ipaddress
from collections.abc import Iterator
from typing import Any

import yaml

from hypershift.api.configuration.api_server import APIServer
from hypershift.api.configuration.authentication import Authentication
from hypershift.api.configuration.image import Image
from hypershift.api.configuration.ingress import Ingress
from hypershift.api.configuration.network import Network
from hypershift.api.configuration.proxy import Proxy
from hypershift.api.domains import base_domain, ingress_domain, named_domain
from hypershift.api.platforms.inside import shown_inside
from hypershift.api.publishing import is_private
from hypershift.api.shape import Shape
from hypershift.api.view import encode
from hypershift.kit import Manifest, canonical_cidr
from hypershift.operators.guest_config.openshift.rules.guest import Guest, config, config_map

#: How many bits of an address name a node's range, where the user does not say.
PREFIXES = {4: 23, 6: 64}
#: Marks a Proxy that the HostedCluster configures.
PROXY_CONFIGURED = "hypershift.io/hosted-cluster-proxy-config"


def manifests(guest: Guest) -> Iterator[Manifest]:
    """Every object of configuration, in the order in which a cluster needs them."""
    yield infrastructure(guest)
    yield dns(guest)
    yield config("Image", _spec(guest.configuration.image or Image()))
    yield config("Ingress", ingress(guest))
    yield network_config(guest)
    yield proxy(guest)
    yield from mirrors(guest)
    yield config_map("cluster-config-v1", "kube-system", {"install-config": install_config(guest)})
    yield config("Authentication", authentication(guest))
    yield config("APIServer", api_server(guest))


def infrastructure(guest: Guest) -> Manifest:
    """Where the cluster runs, and where its API is."""
    plane, spec = guest.plane, guest.spec
    shown = shown_inside(spec.platform.type)
    endpoint = plane.status.control_plane_endpoint if plane.status else None
    host, port = (endpoint.host, endpoint.port) if endpoint else ("", 0)
    private = f"api.{guest.name}.hypershift.local" if is_private(spec, guest.annotations) else host
    public = spec.kube_api_server_dns_name or host
    status = {
        "apiServerURL": _url(public, port),
        "apiServerInternalURI": _url(private, port),
        "etcdDiscoveryDomain": named_domain(spec, guest.name),
        "infrastructureName": spec.infra_id,
        "controlPlaneTopology": "External",
        "infrastructureTopology": "SingleReplica" if guest.single else "HighlyAvailable",
        "cpuPartitioning": "None",
        "platform": shown.type,
        "platformStatus": {"type": shown.type, **shown.status(spec.platform)},
    }
    found: Manifest = {"platformSpec": {"type": shown.type, **shown.spec}}
    if shown.cloud_config:
        found["cloudConfig"] = shown.cloud_config
    return config("Infrastructure", found, status=status)


def _url(host: str, port: int) -> str:
    if not host:
        return ""
    return f"https://{f'[{host}]' if ':' in host else host}:{port}"


def dns(guest: Guest) -> Manifest:
    """The cluster's domain, and its zones where the cloud has them."""
    said = guest.spec.dns
    spec: Manifest = {"baseDomain": base_domain(guest.spec, guest.name)}
    zones = {"publicZone": said.public_zone_id, "privateZone": said.private_zone_id}
    spec |= {name: {"id": zone} for name, zone in zones.items() if zone}
    if shared := shown_inside(guest.spec.platform.type).zones(guest.spec.platform):
        spec["platform"] = shared
    return config("DNS", spec)


def ingress(guest: Guest) -> Manifest:
    """The domain of applications and rules for their routes."""
    said = guest.configuration.ingress or Ingress()
    return {**_spec(said), "domain": said.domain or ingress_domain(guest.spec, guest.name)}


def network_config(guest: Guest) -> Manifest:
    """The network; with a proxy also as what it is.

    The network operator says so only after it measured the network, and behind a proxy it
    measures after it was said.
    """
    spec = network(guest)
    if guest.configuration.proxy is None:
        return config("Network", spec)
    ranges = {name: spec[name] for name in ("clusterNetwork", "serviceNetwork")}
    return config("Network", spec, status=ranges)


def network(guest: Guest) -> Manifest:
    """The ranges of pods and Services."""
    said = guest.networking
    more = guest.configuration.network or Network()
    entries = [
        {"cidr": cidr, "hostPrefix": entry.host_prefix or _prefix(cidr)}
        for entry in said.cluster_network or ()
        for cidr in (canonical_cidr(entry.cidr),)
    ]
    return {
        "clusterNetwork": entries,
        "serviceNetwork": [canonical_cidr(each.cidr) for each in said.service_network or ()],
        "networkType": said.network_type,
        **_spec(more),
    }


def _prefix(cidr: str) -> int:
    return PREFIXES[ipaddress.ip_network(cidr).version]


def proxy(guest: Guest) -> Manifest:
    """The way to the world; without one of ours, what users of the cluster say stays."""
    said = guest.configuration.proxy
    found = config("Proxy", _spec(said or Proxy()))
    if said is not None:
        found["metadata"] = {**found["metadata"], "annotations": {PROXY_CONFIGURED: "true"}}
    return found


def mirrors(guest: Guest) -> Iterator[Manifest]:
    """Where the cluster's own nodes find images of other registries."""
    sources = guest.spec.image_content_sources or ()
    found = [
        {"source": each.source, **({"mirrors": list(each.mirrors)} if each.mirrors else {})}
        for each in sources
    ]
    made = config("ImageDigestMirrorSet", {"imageDigestMirrors": found})
    yield {
        **made,
        "metadata": {
            "name": "cluster",
            "labels": {"machineconfiguration.openshift.io/role": "worker"},
        },
    }


def install_config(guest: Guest) -> str:
    """As much of an installer's configuration as programs inside read."""
    shown = shown_inside(guest.spec.platform.type)
    machines = [
        {"cidr": canonical_cidr(each.cidr)} for each in guest.networking.machine_network or ()
    ]
    document: dict[str, Any] = {
        "apiVersion": "v1",
        "controlPlane": {"replicas": 1},
        "networking": {"machineNetwork": machines},
        "platform": shown.installed(guest.spec.platform),
    }
    return yaml.safe_dump(document, sort_keys=False)


def authentication(guest: Guest) -> Manifest:
    """Who vouches for users, and for service accounts."""
    said = _spec(guest.configuration.authentication or Authentication())
    return {**said, "serviceAccountIssuer": guest.spec.issuer_url or ""}


def api_server(guest: Guest) -> Manifest:
    """The API servers' settings."""
    return _spec(guest.configuration.api_server or APIServer())


def _spec(section: Shape) -> Manifest:
    found: Manifest = encode(section)
    return found
