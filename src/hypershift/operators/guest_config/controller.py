"""The guest configuration controller: its phases, and what wakes it on the management side."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from hypershift.api.conditions import Owner
from hypershift.kit import Key, Manifest, key_of
from hypershift.kube import kinds
from hypershift.operators.guest_config import cleanup, connect, phases, webhooks
from hypershift.operators.guest_config.deadline import GUEST_PASS
from hypershift.operators.guest_config.scope import Environment, GuestScope
from hypershift.runtime import Context, Controller, Phase, Watch

NAME = Owner.GUEST_CONFIG.value
#: A new cluster fills itself with objects that are not ours.
PACE = timedelta(seconds=0.5)

NORMAL: Sequence[Phase[GuestScope]] = (
    connect.connect,
    webhooks.refuse_webhooks,
    connect.find_release,
    connect.gather,
    phases.apply_software,
    phases.sync_nodes,
    phases.count_nodes,
    phases.report_version,
    phases.probe_tunnel,
)


class Planes:
    """Which control plane lives in a namespace, as passes saw it."""

    def __init__(self) -> None:
        """Know nothing yet: a control plane's first pass needs nothing else to wake it."""
        self._keys: dict[str, Key] = {}

    def remember(self, key: Key) -> None:
        """Note where a control plane lives."""
        self._keys[key.namespace] = key

    def beside(self, manifest: Manifest) -> Iterator[Key]:
        """The control plane in the same namespace."""
        if key := self._keys.get(manifest["metadata"].get("namespace", "")):
            yield key


def controller(environment: Environment) -> Controller[GuestScope]:
    """The guest configuration of one control plane namespace, or of all."""
    planes = Planes()

    def scope(control_plane: Manifest, context: Context) -> GuestScope:
        planes.remember(key_of(control_plane))
        return GuestScope(control_plane, context, environment)

    return Controller(
        name=NAME,
        resource=kinds.HOSTED_CONTROL_PLANE,
        scope=scope,
        normal=NORMAL,
        delete=(cleanup.destroyer(), connect.forget),
        namespace=environment.namespace,
        watches=(
            Watch(kinds.MACHINE, keys=planes.beside, optional=True),
            Watch(kinds.SERVICE, keys=planes.beside),
            # A changed pull secret or certificate reaches the guest at once.
            Watch(kinds.SECRET, keys=planes.beside),
            Watch(kinds.CONFIG_MAP, keys=planes.beside),
        ),
        pace=PACE,
        timeout=GUEST_PASS,
    )
