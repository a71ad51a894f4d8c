"""How much an API server takes on at once, and how a cluster's annotations change that."""

import re

from hypershift.component import View, edit
from hypershift.kit import Manifest

NAME = "kube-apiserver"
REQUESTS = "3000"
MUTATING_REQUESTS = "1000"
GOAWAY = "0.001"
VERBOSITY = "2"
NODE_PORTS = "30000-32767"
_NUMBER = re.compile(r"[+-]?[0-9]+")


def requests(view: View) -> str:
    return view.annotation(f"{NAME}-max-requests-inflight") or REQUESTS


def mutating_requests(view: View) -> str:
    return view.annotation(f"{NAME}-max-mutating-requests-inflight") or MUTATING_REQUESTS


def goaway(view: View) -> str:
    """How often a connection is told to go elsewhere; with one replica there is no elsewhere."""
    return view.annotation(f"{NAME}-goaway-chance") or ("0" if view.single_replica else GOAWAY)


def verbosity(view: View) -> str:
    """How much is logged; what is no number is as good as nothing."""
    said = view.annotation(f"{NAME}-verbosity-level")
    return str(int(said)) if _NUMBER.fullmatch(said) else VERBOSITY


def token_expiration(view: View) -> str:
    return view.annotation(f"{NAME}-service-account-token-max-expiration")


def node_ports(view: View) -> str:
    return str(view.configured("network").get("serviceNodePortRange") or NODE_PORTS)


def with_runtime_limits(view: View, manifest: Manifest) -> Manifest:
    """Tune Go's garbage collector as the annotations ask."""
    wanted = {
        variable: view.annotation(f"{NAME}-{variable.lower()}")
        for variable in ("GOGC", "GOMEMLIMIT")
    }
    values = {variable: value for variable, value in wanted.items() if value}
    return edit.set_env(manifest, NAME, values) if values else manifest
