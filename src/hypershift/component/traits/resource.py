"""Resource requests: what was tuned from outside stays, what a cluster's annotations ask wins."""

from contextlib import suppress
from typing import Any

from hypershift.api.annotations import RESOURCE_REQUEST_OVERRIDE_PREFIX
from hypershift.component import edit
from hypershift.component.view import View
from hypershift.kit import InvalidSpec, Manifest
from hypershift.kit.quantity import canonical

#: Extended resources need a limit equal to their request.
LIMITED = frozenset({"aro.openshift.io/swift-nic"})


def with_live_requests(live: Manifest | None, pod: Manifest) -> Manifest:
    """Keep the requests of containers that already run: an autoscaler may have set them."""
    if live is None:
        return pod
    running = {c["name"]: c.get("resources") or {} for c in edit.pod_of(live)["spec"]["containers"]}

    def kept(container: Manifest) -> Manifest:
        found = running.get(container["name"])
        return container if found is None else {**container, "resources": found}

    return edit.change_containers(pod, kept, init=False)


def with_request_overrides(view: View, workload: str, pod: Manifest) -> Manifest:
    """Apply the annotations that override requests of single containers."""
    prefix = f"{RESOURCE_REQUEST_OVERRIDE_PREFIX}{workload}."
    wanted = {
        name.removeprefix(prefix): _quantities(text)
        for name, text in view.annotations.items()
        if name.startswith(prefix)
    }

    def overridden(container: Manifest) -> Manifest:
        requests = wanted.get(container["name"])
        if not requests:
            return container
        container = edit.at(
            container, ("resources", "requests"), lambda r: {**(r or {}), **requests}
        )
        if limits := {name: value for name, value in requests.items() if name in LIMITED}:
            container = edit.at(
                container, ("resources", "limits"), lambda r: {**(r or {}), **limits}
            )
        return container

    return edit.change_containers(pod, overridden) if wanted else pod


def _quantities(text: str) -> dict[str, Any]:
    """Name and amount; what is no amount is as good as nothing."""
    pairs = (part.split("=", 1) for part in text.split(",") if "=" in part)
    amounts: dict[str, Any] = {}
    for name, value in pairs:
        with suppress(InvalidSpec):
            amounts[name.strip()] = canonical(value.strip())
    return amounts
