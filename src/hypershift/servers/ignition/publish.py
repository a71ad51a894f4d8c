"""Copies the shared server's CA to every control plane namespace, for its machines to trust."""

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from hypershift.ignition.authority import CERT
from hypershift.ignition.authority import NAME as AUTHORITY
from hypershift.kit import Key, Manifest
from hypershift.kube import kinds
from hypershift.runtime import (
    Context,
    Controller,
    Done,
    Outcome,
    Phase,
    Scope,
    Watch,
    mapping,
)
from hypershift.servers.ignition.identity import authority
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
    await scope.kube.apply(copy_of(signer.trusted, scope.key.namespace))
    return Done()


def copy_of(trusted: bytes, namespace: str) -> Manifest:
    """The authority as machines' user data carries it, and its predecessor while it has one."""
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": AUTHORITY, "namespace": namespace},
        "type": "Opaque",
        "data": {CERT: b64encode(trusted).decode()},
    }


def by_authority(secret: Manifest) -> Iterator[Key]:
    """Every control plane, when the authority is another one."""
    if secret["metadata"]["name"] == AUTHORITY:
        yield from mapping.every(secret)


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
        indexes=(mapping.EVERY,),
        watches=(
            Watch(
                kinds.SECRET,
                by_authority,
                through=mapping.EVERY.name,
                namespace=settings.namespace,
            ),
        ),
    )
