"""The management cluster's own proxy: how pods beside us reach the world outside."""

from collections.abc import Iterable

from hypershift.api.well_known import KUBE_APISERVER
from hypershift.component import edit
from hypershift.component.view import View
from hypershift.kit import Manifest

HTTP, HTTPS, NO = "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"

#: Always reached directly: it is in the same namespace.
ALWAYS_DIRECT = KUBE_APISERVER


def variables(view: View, direct: Iterable[str] = ()) -> dict[str, str]:
    """The environment variables of the proxy; none where there is no proxy."""
    told = view.management.proxy
    found = {name: edit.literal(told[name]) for name in (HTTP, HTTPS) if told.get(name)}
    if not found:
        return {}
    exempt = {ALWAYS_DIRECT, *direct, *(told.get(NO) or ALWAYS_DIRECT).split(",")}
    return {**found, NO: ",".join(sorted(exempt))}


def with_proxy(
    view: View, manifest: Manifest, container: str, direct: Iterable[str] = ()
) -> Manifest:
    """Give a container the proxy, and the names that it must reach without it."""
    values = variables(view, direct)
    return edit.set_env(manifest, container, values) if values else manifest
