"""`create cluster local`: machines on the same host as the embedded management cluster."""

from dataclasses import dataclass
from typing import Any

from hypershift.api.annotations import SHARED_INGRESS
from hypershift.cli.cluster.options import ClusterOptions
from hypershift.cli.cluster.platform import ClusterPlatform, PoolMaker, with_host_names
from hypershift.cli.consoles import embedded_home
from hypershift.cli.flags import BOOL, Flag
from hypershift.cli.nodepool import local
from hypershift.kit import HypershiftError, Manifest
from hypershift.local.images.publication import release_of
from hypershift.local.units.resolver import HOSTED_DOMAIN

DEFAULT_RELEASE = "registry.hypershift.local/kubernetes/release:1.35.8"
SHARED = Flag(
    "shared-ingress",
    f"Publish by host names (below {HOSTED_DOMAIN}) behind the address that clusters share",
    BOOL,
)
PUBLISHED = ("APIServer", "Ignition", "Konnectivity")


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalOptions(ClusterOptions):
    """What `create cluster local` is given."""

    machine: local.LocalMachine
    shared_ingress: bool


def default_release(kubeconfig: str) -> str:
    """The release of the embedded cluster by its digest; by tag where there is none yet."""
    try:
        home = embedded_home(kubeconfig)
    except HypershiftError:  # objects can be rendered without any management cluster
        return DEFAULT_RELEASE
    return (release_of(home) if home else "") or DEFAULT_RELEASE


def specialize(options: LocalOptions, _completed: Any, cluster: Manifest) -> Manifest:
    spec = cluster["spec"]
    spec["dns"]["baseDomain"] = options.base_domain or "hypershift.local"
    spec["release"]["image"] = spec["release"]["image"] or default_release(options.kubeconfig)
    domain = options.external_dns_domain
    if options.shared_ingress:
        domain = domain or HOSTED_DOMAIN
        annotations = cluster["metadata"].setdefault("annotations", {})
        annotations[SHARED_INGRESS] = "true"
    strategy = {"type": "Route" if domain else "LoadBalancer"}
    services = [{"service": name, "servicePublishingStrategy": strategy} for name in PUBLISHED]
    spec["services"] = with_host_names(services, options.name, domain)
    return cluster


def pools(options: LocalOptions, _completed: Any, pool: PoolMaker) -> list[Manifest]:
    manifest = pool(options.name)
    spec = manifest["spec"]
    spec["release"]["image"] = spec["release"]["image"] or default_release(options.kubeconfig)
    spec["platform"]["local"] = local.section(options.machine)
    return [manifest]


PLATFORM = ClusterPlatform(
    name="local",
    type="Local",
    upgrade_type="Replace",
    options=LocalOptions,
    needs_pull_secret=False,
    dual_stack=True,
    like_host=True,
    flags=(*local.FLAGS, SHARED),
    examples="""\
  # a cluster with two nodes; returns when they are Ready
  hypershift create cluster local --name demo --node-pool-replicas 2 --wait
  # published by host names, behind one address
  hypershift create cluster local --name demo --external-dns-domain hosted.hypershift.local
  # published by host names, behind the one address of all clusters that choose so
  hypershift create cluster local --name demo --shared-ingress
  # pods and Services with addresses of IPv4 and IPv6
  hypershift create cluster local --name demo --node-pool-replicas 1 --default-dual""",
    specialize=specialize,
    pools=pools,
)
