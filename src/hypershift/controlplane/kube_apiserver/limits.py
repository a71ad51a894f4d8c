"""How much an API server takes on at once, and how a cluster's annotations change that."""

import re

from hypershift.api import annotations
from hypershift.component import View, edit
from hypershift.controlplane.kube_apiserver.common import NAME
from hypershift.kit import Manifest

REQUESTS = "3000"
MUTATING_REQUESTS = "1000"
GOAWAY = "0.001"
VERBOSITY = "2"
NODE_PORTS = "30000-32767"
_NUMBER = re.compile(r"[+-]?[0-9]+")


def requests(view: View) -> str:
    return view.annotation(annotations.KUBE_API_SERVER_MAX_REQUESTS_INFLIGHT) or REQUESTS


def mutating_requests(view: View) -> str:
    asked = view.annotation(annotations.KUBE_API_SERVER_MAX_MUTATING_REQUESTS_INFLIGHT)
    return asked or MUTATING_REQUESTS


def goaway(view: View) -> str:
    """The share of requests after which clients connect again; 0 with one replica."""
    asked = view.annotation(annotations.KUBE_API_SERVER_GOAWAY_CHANCE)
    return asked or ("0" if view.single_replica else GOAWAY)


def verbosity(view: View) -> str:
    """How much is logged; what is no number is as good as nothing."""
    said = view.annotation(annotations.KUBE_API_SERVER_VERBOSITY_LEVEL)
    return str(int(said)) if _NUMBER.fullmatch(said) else VERBOSITY


def token_expiration(view: View) -> str:
    return view.annotation(annotations.KUBE_API_SERVER_TOKEN_MAX_EXPIRATION)


def node_ports(view: View) -> str:
    return view.network.service_node_port_range or NODE_PORTS


def with_runtime_limits(view: View, manifest: Manifest) -> Manifest:
    """Tune Go's garbage collector as the annotations ask."""
    wanted = {
        "GOGC": view.annotation(annotations.KUBE_API_SERVER_GOGC),
        "GOMEMLIMIT": view.annotation(annotations.KUBE_API_SERVER_GOMEMLIMIT),
    }
    values = {variable: value for variable, value in wanted.items() if value}
    return edit.set_env(manifest, NAME, values) if values else manifest
