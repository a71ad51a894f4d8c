"""`create cluster none`: no cloud; the user boots machines and points them at us."""

from dataclasses import dataclass
from typing import Any

from hypershift.cli.cluster.options import ClusterOptions
from hypershift.cli.cluster.platform import (
    ClusterPlatform,
    published_at,
    published_by_ingress,
)
from hypershift.cli.flags import BOOL, Flag
from hypershift.cli.management import node_address
from hypershift.kit import Manifest


@dataclass(frozen=True, slots=True, kw_only=True)
class NoneOptions(ClusterOptions):
    """What `create cluster none` is given."""

    expose_through_load_balancer: bool
    external_api_server_address: str


def complete(options: NoneOptions) -> str:
    """The address under which the control plane is reached; empty behind a load balancer."""
    if options.external_api_server_address:
        return str(options.external_api_server_address)
    return "" if options.expose_through_load_balancer else node_address(options.kubeconfig)


def specialize(options: NoneOptions, address: Any, cluster: Manifest) -> Manifest:
    spec = cluster["spec"]
    spec["dns"]["baseDomain"] = options.base_domain or "example.com"
    spec["services"] = published_at(address) if address else published_by_ingress()
    return cluster


PLATFORM = ClusterPlatform(
    name="none",
    type="None",
    upgrade_type="InPlace",
    options=NoneOptions,
    flags=(
        Flag(
            "expose-through-load-balancer",
            "Publish the API server by a load balancer instead of node ports",
            BOOL,
        ),
        Flag("external-api-server-address", "Address of the management cluster's node ports"),
    ),
    examples="""\
  # print the objects of a cluster behind a load balancer
  hypershift create cluster none --name demo --pull-secret FILE --release-image IMAGE \\
    --expose-through-load-balancer --render""",
    complete=complete,
    specialize=specialize,
)
