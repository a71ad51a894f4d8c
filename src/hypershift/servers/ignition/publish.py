"""Copies the shared server's CA to every control plane namespace, for its machines to trust."""

from base64 import b64encode
from dataclasses import dataclass
from datetime import timedelta

from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.runtime import Context, Controller, Done, Outcome, Phase, Scope
from hypershift.servers.ignition.identity import AUTHORITY, CERT, authority
from hypershift.servers.ignition.settings import Settings

NAME = "ignition-publisher"


@dataclass(slots=True)
class PublishScope(Scope):
    """One pass over a HostedControlPlane."""

    settings: Settings


async def publish_authority(scope: PublishScope) -> Outcome:
    """Copy the certificate, never the key, into the control plane namespace."""
    if scope.object["metadata"].get("deletionTimestamp"):
        return Done()
    signer = await authority(scope.context.live, scope.settings.namespace, scope.clock.now())
    await scope.kube.apply(copy_of(signer.pem, scope.key.namespace))
    return Done()


def copy_of(certificate: bytes, namespace: str) -> Manifest:
    """The authority as machines' user data carries it."""
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": AUTHORITY, "namespace": namespace},
        "type": "Opaque",
        "data": {CERT: b64encode(certificate).decode()},
    }


NORMAL: tuple[Phase[PublishScope], ...] = (publish_authority,)


def controller(settings: Settings) -> Controller[PublishScope]:
    """The controller that publishes the authority."""

    def scope(control_plane: Manifest, context: Context) -> PublishScope:
        return PublishScope(control_plane, context, settings)

    return Controller(
        name=NAME,
        resource=kinds.HOSTED_CONTROL_PLANE,
        scope=scope,
        normal=NORMAL,
        manages_status=False,
        honour_pause=False,
        resync=timedelta(minutes=10),
    )
