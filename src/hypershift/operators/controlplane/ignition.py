"""The authority of a control plane's own ignition server, which replaces it when it is asked to.

In Shared mode one server answers the machines of all clusters: its authority is nobody's own.
"""

from collections.abc import Iterator

from hypershift.api import annotations
from hypershift.ignition.authority import KEY, NAME, has_followed
from hypershift.kit import Manifest, annotations_of, data_of
from hypershift.kube import kinds
from hypershift.operators.controlplane.scope import PlaneScope
from hypershift.pki import Stage, Succession


def _own(scope: PlaneScope) -> Manifest | None:
    """The Secret with the authority's key; None where there is a copy, or none."""
    found = scope.secrets.get(NAME)
    runs = annotations.DISABLE_IGNITION_SERVER not in scope.annotations
    return found if found and runs and data_of(found, KEY) else None


async def ask(scope: PlaneScope, found: Succession) -> None:
    """Pass the request on, with its grace period, where authorities are replaced."""
    secret = _own(scope)
    if secret is None or not found.replaces_authorities:
        return
    grace = scope.annotations.get(annotations.ROTATE_AUTHORITIES_GRACE)
    wish = {
        annotations.ROTATE_AUTHORITIES: found.request,
        annotations.ROTATE_AUTHORITIES_GRACE: grace,
    }
    known = annotations_of(secret)
    if any(known.get(name) != value for name, value in wish.items()):
        patch = {"metadata": {"annotations": wish}}
        live = await scope.kube.patch(kinds.SECRET, NAME, patch, scope.namespace)
        scope.secrets[NAME] = live


def behind(scope: PlaneScope, found: Succession) -> Iterator[str]:
    """What the end of a replacement waits for."""
    secret = _own(scope)
    last = found.replaces_authorities and found.stage is Stage.DROP
    if secret and last and not has_followed(secret, found.request):
        yield "the ignition server's authority"
