"""Stops and removes what a cluster left on the host, by the records on disk alone."""

import asyncio
import shutil

from hypershift.local import daemon, process, settings, state
from hypershift.local.hostwide import RUNTIME_DIRECTORY, Host, socket_path
from hypershift.local.network import bridge, nat
from hypershift.local.state import Layout, Spec
from hypershift.local.units import units


async def stop(where: Layout, spec: Spec) -> None:
    """Stop supervisor, machines and units; data, addresses and images stay."""
    await daemon.stop(where)
    await _stop_units(where, spec)
    socket_path(spec.index).unlink(missing_ok=True)


async def _stop_units(where: Layout, spec: Spec) -> None:
    """Those that need others first: nobody should see its API server go away and complain."""
    if not settings.path(where).exists():
        return
    known = units(where, spec.plan, settings.load(where).binaries)
    dependents = [unit for unit in known if unit.needs]
    rest = [unit for unit in known if not unit.needs]
    for group in (reversed(dependents), rest):
        await asyncio.gather(*(_stop_unit(where, unit.name, unit.grace) for unit in group))


async def _stop_unit(where: Layout, name: str, grace: float) -> None:
    record = where.units / f"{name}.json"
    found = process.recall(record)
    if found is not None:
        await found.stop(grace=grace)
    record.unlink(missing_ok=True)


async def remove(where: Layout, spec: Spec, nft: tuple[str, ...], host: Host) -> None:
    """Leave nothing: network, claims, sysctls and at last the files."""
    await stop(where, spec)
    await nat.remove(nft, spec.plan)
    await bridge.remove(spec.plan)
    await asyncio.to_thread(state.remove, where)
    host.release(spec.index)
    if RUNTIME_DIRECTORY.exists() and not any(RUNTIME_DIRECTORY.iterdir()):
        shutil.rmtree(RUNTIME_DIRECTORY, ignore_errors=True)
