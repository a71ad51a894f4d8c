"""Stops and removes what a cluster left on the host, by the records on disk alone."""

import asyncio
import contextlib
import signal
from pathlib import Path

from hypershift.kit import HypershiftError, UsageError
from hypershift.local.cluster import settings, state
from hypershift.local.cluster.state import Layout, Spec
from hypershift.local.host import tools
from hypershift.local.host.names import HostNames
from hypershift.local.host.shared import RUNTIME_DIRECTORY, Host, socket_path
from hypershift.local.machine import Machine, sweep
from hypershift.local.network import bridge, nat, ports
from hypershift.local.supervise import daemon, process

#: How long machines get to end their containers, and units to end themselves.
GRACE = 2.0
#: What is deleted anyway needs no time to tidy up.
NO_GRACE = 0.0


async def down(where: Layout, spec: Spec) -> None:
    """Stop supervisor, machines and units; data and images stay."""
    with state.locked(lock_file(where), busy(where)):
        await stop(where, spec)


async def stop(where: Layout, spec: Spec) -> None:
    """The same for a caller that holds the cluster's lock."""
    await _stop(where, spec, GRACE)
    await _remove_network(where, spec)


async def reset(where: Layout, host: Host | None = None) -> None:
    """Leave nothing: processes, machines, network, claims, sysctls and at last the files."""
    host = host or Host()
    spec = remains(where, host)
    if spec is None:
        if where.root.exists():
            await asyncio.to_thread(state.remove, where)
            return
        raise UsageError(f"there is no cluster {where.name} in {where.root.parent}")
    with state.locked(lock_file(where), busy(where)):
        await _stop(where, spec, NO_GRACE)
        await _remove_network(where, spec)
        await asyncio.to_thread(state.remove, where)
        host.release(spec.index)
    lock_file(where).unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        where.root.parent.rmdir()
    with contextlib.suppress(OSError):
        RUNTIME_DIRECTORY.rmdir()


def lock_file(where: Layout) -> Path:
    """Held by the command that changes the cluster; beside its directory, which `reset` removes."""
    return where.root.with_name(f".{where.root.name}.lock")


def busy(where: Layout) -> str:
    """The error of the second of two commands."""
    return f"another command is changing cluster {where.name} right now; wait for it to end"


def remains(where: Layout, host: Host) -> Spec | None:
    """What is left of a cluster, even when its directory was deleted by hand."""
    try:
        if (spec := state.load(where)) is not None:
            return spec
    except state.NewerState:
        raise
    except UsageError:
        pass  # unreadable, so the index comes from the claim
    for index, owner in host.claims().items():
        if owner == str(where.root):
            return Spec(where.name, index)
    return None


async def _stop(where: Layout, spec: Spec, grace: float) -> None:
    await daemon.stop(where)
    await asyncio.gather(_stop_machines(where, spec, grace), _stop_units(where, grace))
    await daemon.await_end(where)
    for record in (daemon.GUARDIAN_RECORD, daemon.SUPERVISOR_RECORD):
        (where.units / record).unlink(missing_ok=True)
    socket_path(spec.index).unlink(missing_ok=True)


async def _stop_machines(where: Layout, spec: Spec, grace: float) -> None:
    patterns = ("*/spec.json", "hosted/*/spec.json")
    known = [path.parent for each in patterns for path in where.machines.glob(each)]
    machines = [machine for path in known if (machine := _loaded(path)) is not None]
    if grace:
        await asyncio.gather(*(machine.shutdown(grace) for machine in machines))
    else:
        await asyncio.gather(*(machine.kill() for machine in machines))
    for each in (scope(spec), f"hosted{spec.index}"):
        await asyncio.to_thread(sweep, each)


def scope(spec: Spec) -> str:
    """The scope of the machines that are the cluster's own nodes."""
    return f"mgmt{spec.index}"


def _loaded(path: Path) -> Machine | None:
    with contextlib.suppress(ValueError, OSError, HypershiftError):
        return Machine.load(path)
    return None


async def _stop_units(where: Layout, grace: float) -> None:
    """The API server's clients and the API server first, then etcd, so that no unit logs errors."""
    own = {daemon.GUARDIAN_RECORD, daemon.SUPERVISOR_RECORD}
    records = {path.stem: path for path in where.units.glob("*.json") if path.name not in own}
    last = {"etcd"}
    for group in (records.keys() - last, records.keys() & last):
        await asyncio.gather(*(_stop_unit(records[name], grace) for name in group))


async def _stop_unit(record: Path, grace: float) -> None:
    found = process.recall(record)
    if found is not None:
        await found.stop(signal.SIGTERM if grace else signal.SIGKILL, grace or GRACE)
    await asyncio.to_thread(record.unlink, missing_ok=True)


def _own_nft(where: Layout) -> tuple[str, ...]:
    """The nft that the cluster kept, if it is still there."""
    if not settings.path(where).exists():
        return ()
    words = settings.load(where).nft
    return words if Path(words[0]).exists() else ()


async def _remove_network(where: Layout, spec: Spec) -> None:
    await asyncio.to_thread(HostNames(spec.index).keep, {})
    nft = _own_nft(where) or await tools.nft()
    await nat.remove(nft, spec.plan)
    await ports.remove(nft, spec.plan)
    await bridge.remove(spec.plan)
