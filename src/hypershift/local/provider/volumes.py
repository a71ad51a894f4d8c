"""Volumes of hosted clusters: directories on the disks of their own machines."""

from functools import partial
from pathlib import Path
from typing import Final

from hypershift.kube import kinds
from hypershift.local.controllers import storage
from hypershift.local.controllers.disk import Disks
from hypershift.local.provider.fleet import Fleet
from hypershift.local.provider.guest import GuestScope
from hypershift.runtime import Done, Outcome

KINDS: Final = storage.RESOURCES


async def provide_volumes(scope: GuestScope) -> Outcome:
    """Create volumes that the guest's claims wait for, and delete those that none uses."""
    classes, claims, found = [
        await scope.guest.list(kind)
        for kind in (kinds.STORAGE_CLASS, kinds.PERSISTENT_VOLUME_CLAIM, kinds.PERSISTENT_VOLUME)
    ]
    disks = Disks(partial(var_of, scope.fleet, scope.key.namespace))
    await storage.settle(scope.guest, disks, classes=classes, claims=claims, volumes=found)
    return Done()


def var_of(fleet: Fleet, namespace: str, node: str) -> Path | None:
    """The /var of a guest's node; another guest's machine of the same name is another machine.

    The node's name comes from the guest: it is compared, and no path is made of it.
    """
    for machine in fleet.all():
        here = machine.spec.name.startswith(f"{namespace}.")
        if here and machine.spec.metadata.hostname == node:
            return machine.var
    return None
