"""What a request to the simulated API server asks for."""

import msgspec
import yaml
from tests.lib.sim import status
from tests.lib.sim.objects import Removal
from tests.lib.sim.ownership import Owner
from tests.lib.sim.routes import Target

from hypershift.kit import Manifest
from hypershift.kube import Request


def body_of(request: Request) -> Manifest:
    """The object that a request carries, as JSON or YAML."""
    try:
        body = msgspec.json.decode(request.body)
    except msgspec.DecodeError:
        body = yaml.safe_load(request.body)
    if not isinstance(body, dict):
        raise status.bad_request("the body is not an object")
    return body


def owner_of(request: Request, operation: str, target: Target) -> Owner:
    """Whose fields a request writes."""
    agent = request.headers.get("User-Agent", "unknown").partition("/")[0]
    return Owner(request.parameter("fieldManager") or agent, operation, target.subresource)


def flag(request: Request, name: str) -> bool:
    """Whether a parameter is set."""
    return request.parameter(name) in {"true", "1"}


def is_dry(request: Request) -> bool:
    """Whether nothing is to be kept."""
    return request.parameter("dryRun") == "All"


def removal_of(request: Request) -> Removal:
    """How a request wants something deleted."""
    options = body_of(request) if request.body else {}
    conditions = options.get("preconditions") or {}
    return Removal(
        options.get("propagationPolicy") or request.parameter("propagationPolicy", "Background"),
        conditions.get("uid", ""),
        conditions.get("resourceVersion", ""),
    )
