"""`create cluster none`: no cloud; the user boots machines and points them at us."""

from typing import Any

from hypershift.cli.cluster.platform import (
    ClusterPlatform,
    published_at,
    published_by_ingress,
)
from hypershift.cli.flags import BOOL, Flag, Values
from hypershift.cli.management import node_address
from hypershift.kit import Manifest


def complete(values: Values) -> str:
    """The address under which the control plane is reached; empty behind a load balancer."""
    if values["external-api-server-address"]:
        return str(values["external-api-server-address"])
    return "" if values["expose-through-load-balancer"] else node_address(values["kubeconfig"])


def shape(values: Values, address: Any, cluster: Manifest) -> Manifest:
    spec = cluster["spec"]
    spec["dns"]["baseDomain"] = values["base-domain"] or "example.com"
    spec["services"] = published_at(address) if address else published_by_ingress()
    return cluster


PLATFORM = ClusterPlatform(
    name="none",
    type="None",
    summary="A cluster whose machines you boot yourself",
    upgrade_type="InPlace",
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
    shape=shape,
)
