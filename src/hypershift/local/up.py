"""`local up`: completes a cluster from any state; every step checks first what exists."""

import asyncio
import errno
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from hypershift import parts
from hypershift.kit import HypershiftError, UsageError
from hypershift.local import down
from hypershift.local.cluster import damage, pki, settings, state
from hypershift.local.cluster.plan import MAX_NODES, MAX_ZONES
from hypershift.local.cluster.settings import Settings
from hypershift.local.cluster.state import Layout, Spec
from hypershift.local.cluster.tenants import Tenants, no_tenants
from hypershift.local.host import preflight, tools
from hypershift.local.host.shared import Host
from hypershift.local.images import prepare
from hypershift.local.network import bridge, nat
from hypershift.local.progress import Follower, Progress
from hypershift.local.supervise import daemon
from hypershift.local.units import PARTS, configure

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


@dataclass(frozen=True, slots=True)
class Options:
    """What the user typed; None keeps what the cluster has."""

    where: Layout
    nodes: int | None = None
    zones: int | None = None
    kubernetes: str = ""


def wanted(options: Options, found: Spec | None, index: int) -> Spec:
    """The cluster after `up`: what there is, changed by what was typed where that can be done."""
    nodes, zones = options.nodes, options.zones
    sizes = ((nodes, MAX_NODES), (zones, MAX_ZONES))
    if any(asked is not None and not 1 <= asked <= most for asked, most in sizes):
        raise UsageError(f"a cluster has 1 to {MAX_NODES} nodes in 1 to {MAX_ZONES} zones")
    if found is None:
        count = nodes or max(1, zones or 1)
        fresh = Spec(options.where.name, index, count, zones or 1)
        return replace(fresh, kubernetes=options.kubernetes or parts.KUBERNETES)
    again = f"`hypershift local reset --name {found.name}` first"
    if nodes is not None and nodes < found.nodes:
        raise UsageError(f"cluster {found.name} has {found.nodes} nodes; to shrink it, {again}")
    if zones is not None and zones != found.zones:
        raise UsageError(f"cluster {found.name} has {found.zones} zones; to change that, {again}")
    if options.kubernetes and options.kubernetes != found.kubernetes:
        raise UsageError(f"cluster {found.name} runs Kubernetes {found.kubernetes}; {again}")
    return replace(found, nodes=nodes or found.nodes, powered_off=())


async def up(
    options: Options,
    say: Progress,
    host: Host | None = None,
    tenants: Tenants = no_tenants,
) -> Spec:
    """Bring the cluster up, with its tenants in it, and return what it is."""
    where, host = options.where, host or Host()
    await _check(options, say)
    with state.locked(down.lock_file(where), down.busy(where)), roomy(where):
        fresh = not daemon.running(where)
        try:
            return await _bring(options, say, host, tenants)
        except asyncio.CancelledError:
            # Ctrl-C: the user wants the start of the cluster to stop completely.
            if fresh and (spec := state.load(where)) is not None:
                say("interrupted: stopping what was started; `local up` continues from here")
                await down.stop(where, spec)
            raise


async def _bring(options: Options, say: Progress, host: Host, tenants: Tenants) -> Spec:
    where = options.where
    spec = await _prepare(options, say, host)
    await _network(where, spec, say)
    follower = Follower.from_now(where.events)
    await _supervise(where, spec)
    try:
        # Modules that talk to the cluster are imported while its first processes start.
        from hypershift.local.cluster.bring_up import fill  # noqa: PLC0415

        await fill(where, spec, say, follower, tenants)
    except ExceptionGroup as group:
        raise reason(group) from group
    return spec


@contextmanager
def roomy(where: Layout) -> Iterator[None]:
    """Turn a disk that fills up meanwhile into a sentence."""
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        place = error.filename or where.root
        raise HypershiftError(
            f"the disk of {place} is full: free some space, then `local up` continues"
        ) from error


def reason(group: ExceptionGroup[Exception]) -> Exception:
    """What a user should read of several things that failed together: the first that we foresaw."""
    foreseen = group.subgroup(HypershiftError) or group
    first: Exception = foreseen
    while isinstance(first, ExceptionGroup):
        first = first.exceptions[0]
    return first


async def _prepare(options: Options, say: Progress, host: Host) -> Spec:
    """Everything before the first process: parts, address range, certificates, settings."""
    where = options.where
    found = state.load(where)
    spec = wanted(options, found, -1)
    binaries = await parts.ensure(
        prepare.needed_parts(spec), kubernetes=spec.kubernetes, report=say
    )
    if found is None:
        index = host.claim(where.root, await bridge.host_routes())
        spec = replace(spec, index=index, ipv6=bridge.has_ipv6())
    else:
        host.claim_again(where.root, spec.index)
    where.make()
    state.save(where, spec)
    for name, value in host.raise_sysctls(ipv6=spec.ipv6).items():
        say(f"sysctl {name} = {value} (restored by reset)")
    if host.switch_bridge_filter_off():
        say("packet filter of bridges: for other bridges alone (restored by reset)")
    pki.ensure(where, spec.plan, datetime.now(UTC))
    configure(where, spec.plan, await asyncio.to_thread(Path("/etc/resolv.conf").read_text))
    await asyncio.to_thread(prepare.seed_registry, where)
    kept = tools.keep_binaries({name: binaries[name] for name in PARTS}, where.programs)
    nft = await tools.nft(where.programs / "nft")
    settings.save(where, Settings(binaries=kept, nft=nft, mtu=await bridge.mtu()))
    return spec


async def _check(options: Options, say: Progress) -> None:
    """Print what will be done, or raise with what prevents it, before anything is changed."""
    where, found = options.where, state.load(options.where)
    spec, fresh = wanted(options, found, -1), found is None
    host = preflight.look(where.root)
    preflight.check_system(host)
    damage.check(where)
    names = prepare.needed_parts(spec)
    missing = parts.titles(parts.missing(names, spec.kubernetes))
    work = preflight.Work(
        nodes=spec.nodes,
        build_time=parts.estimate(names, spec.kubernetes),
        fresh=fresh,
    )
    preflight.check(host, work)
    if fresh or missing:
        for line in preflight.summary(work, where.root, missing):
            say(line)
    for part in parts.damaged(names, spec.kubernetes):
        say(f"{part.id} in the cache is damaged (its checksum differs): it is made again")
    for tool in preflight.absent(host):
        await parts.install_packages((preflight.PACKAGES[tool],), f"`{tool}` is missing", say)


async def _network(where: Layout, spec: Spec, say: Progress) -> None:
    plan, chosen = spec.plan, settings.load(where)
    steps = bridge.bridge_steps(plan, await bridge.look(plan), chosen.mtu)
    await bridge.apply(steps)
    bridge.learn_nothing(plan)
    if steps:
        await nat.install(chosen.nft, nat.ruleset(plan, ()))
        networks = f"{plan.network} and {plan.network_v6}" if plan.ipv6 else plan.network
        say(f"bridge {plan.bridge} with {networks}")


async def _supervise(where: Layout, spec: Spec) -> None:
    """Start the supervisor, or a new one when its settings changed."""
    if daemon.running(where):
        await daemon.renew(where)
    else:
        daemon.start(where)
    await daemon.await_socket(where, spec.index)
