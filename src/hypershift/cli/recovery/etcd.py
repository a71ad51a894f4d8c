"""`fix etcd`: look at a hosted cluster's etcd, say what helps it, and do it where that is wanted.

The operator rebuilds single members by itself. Without a quorum it does nothing: which data counts
then is for a person to say, because writes of the last moments may be lost.
"""

import asyncio
import json
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from hypershift.cli.cluster.wait import INTERVAL, Progress
from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, DURATION, STRINGS, Flag
from hypershift.cli.management import existing, management
from hypershift.cli.typed import Typed
from hypershift.controlplane.etcd import claim_of, rescue
from hypershift.controlplane.etcd.keeper import CONTAINER, ETCDCTL, ITSELF, member_of
from hypershift.controlplane.etcd.rescue import Finding, Known, Seen, State
from hypershift.kit import HypershiftError, Key, Manifest, UsageError, annotations_of, rfc3339
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import Client, kinds

INITIAL: Final = "--initial-cluster="


@dataclass(frozen=True, slots=True)
class Fix:
    """What `fix etcd` is given."""

    etcd: str
    give_up: tuple[str, ...]
    kubeconfig: str
    namespace: str
    subject: str
    timeout: timedelta
    yes: bool

    @property
    def key(self) -> Key:
        """The hosted cluster."""
        return Key(self.namespace, self.subject)


@dataclass(frozen=True)
class Etcd:
    """One etcd cluster of a control plane: its workload and where its members find each other."""

    client: Client
    place: str
    name: str
    peers: dict[str, str]
    progress: Progress

    @property
    def members(self) -> tuple[str, ...]:
        """The names of its members."""
        return tuple(self.peers)

    async def run(self, pod: str, *command: str) -> str:
        """Run a command in a member; what it says when it fails is the error."""
        done = await self.client.exec(pod, self.place, command, container=CONTAINER)
        if done.exit_code:
            said = done.stderr.decode(errors="replace").strip()
            raise UsageError(f"{self.place}/{pod}: {said[-500:] or f'exit {done.exit_code}'}")
        return done.stdout.decode()


async def fix(options: Fix) -> int:
    """Print what is seen and what helps; do it when asked to. 1 while it is not well."""
    async with management(options.kubeconfig) as client:
        cluster = await existing(client, kinds.HOSTED_CLUSTER, options.subject, options.namespace)
        etcd = await find(client, options)
        unknown = set(options.give_up) - set(etcd.members)
        if unknown:
            raise UsageError(f"{etcd.name} has no member {', '.join(sorted(unknown))}")
        seen = [await look(etcd, name, options.give_up) for name in etcd.members]
        found = rescue.finding(seen)
        sys.stdout.write("".join(f"{line}\n" for line in (*map(str, seen), "")))
        sys.stdout.write("".join(f"{line}\n" for line in advice(found, etcd, options, cluster)))
        if found.state is State.RESCUABLE and options.yes:
            async with asyncio.timeout(options.timeout.total_seconds()):
                count = await save(etcd, found)
            sys.stdout.write(f"{count} of {len(etcd.peers)} members of {etcd.name} serve\n")
            return 0
    return int(found.state is not State.WHOLE)


async def find(client: Client, options: Fix) -> Etcd:
    """The etcd that is asked for, as its workload describes it."""
    place = control_plane_namespace(options.key)
    live = await client.find(kinds.STATEFUL_SET, options.etcd, place)
    if live is None:
        raise UsageError(f"there is no StatefulSet {place}/{options.etcd}: is its etcd managed?")
    return Etcd(client, place, options.etcd, peers_of(live), Progress())


def peers_of(workload: Manifest) -> dict[str, str]:
    """The members' names and the addresses by which they find each other."""
    for container in workload["spec"]["template"]["spec"]["containers"]:
        for word in container.get("args") or ():
            if container["name"] == CONTAINER and word.startswith(INITIAL):
                pairs = word.removeprefix(INITIAL).split(",")
                return dict(pair.split("=", 1) for pair in pairs)
    raise UsageError("only etcd of a hosted Kubernetes can be fixed: this one has another form")


async def look(etcd: Etcd, name: str, given_up: tuple[str, ...]) -> Seen:
    """One member as it is now."""
    member = await member_of(etcd.client, etcd.place, name)
    nodes = {one["metadata"]["name"]: one for one in await etcd.client.list(kinds.NODE)}
    return rescue.seen(member, nodes, await known(etcd, member.pod), given_up)


async def known(etcd: Etcd, pod: Manifest | None) -> Known | None:
    """What a member knows; None where nothing answers."""
    statuses = ((pod or {}).get("status") or {}).get("containerStatuses") or ()
    runs = any(one["name"] == CONTAINER and "running" in one["state"] for one in statuses)
    if not runs or pod is None:
        return None
    words = ("--command-timeout=5s", f"--endpoints={ITSELF}", "endpoint", "status", "-wjson")
    try:
        return known_from(json.loads(await etcd.run(pod["metadata"]["name"], *ETCDCTL, *words)))
    except (HypershiftError, ValueError, LookupError):
        return None


def known_from(answer: Any) -> Known:
    """The place in the log that `etcdctl endpoint status` tells."""
    status = answer[0]["Status"]
    return Known(status["raftTerm"], status["raftIndex"], status["header"]["revision"])


def advice(found: Finding, etcd: Etcd, options: Fix, cluster: Manifest) -> list[str]:
    """What the user is told to do."""
    match found.state:
        case State.WHOLE:
            return [f"nothing to fix: every member of {etcd.name} serves"]
        case State.SERVES:
            lost = ", ".join(found.rebuilt)
            text = f"the operator rebuilds {lost}" if lost else "members that are away come back"
            return [f"{etcd.name} has a quorum: nothing is to be done by hand, {text}"]
        case State.WAITS if not found.awaited:
            return [f"{etcd.name} has no quorum: its members run and have to reach each other"]
        case State.WAITS:
            return [
                f"{etcd.name} has no quorum, and may get it back with nothing lost:",
                f"start {_all(found.awaited)}, or the nodes that have their disks.",
                "Only where those disks are gone for good, say so with",
                f"  hypershift fix etcd {options.subject} {_given(options, found.awaited)}",
            ]
        case State.HOPELESS:
            return _from_backup(etcd, cluster)
        case State.RESCUABLE:
            lines = [
                f"{etcd.name} has lost its quorum for good. {found.survivor} has the newest data.",
                f"{_all(found.rebuilt) or 'No other member'} will be emptied and made from it.",
                "Writes of the last moments before the loss may be missing; clients read anew.",
            ]
            again = f"  hypershift fix etcd {options.subject} {_given(options, ())}--yes"
            return lines if options.yes else [*lines, "To do it:", again]


def _from_backup(etcd: Etcd, cluster: Manifest) -> list[str]:
    url = (cluster.get("status") or {}).get("lastSuccessfulEtcdBackupURL")
    if not url:
        return [f"no member of {etcd.name} has data, and no backup of this cluster is known"]
    return [
        f"no member of {etcd.name} has data. Destroy the cluster and restore its newest backup:",
        f"  hypershift restore cluster --from {url}",
    ]


def _all(names: tuple[str, ...]) -> str:
    return " and ".join(names)


def _given(options: Fix, more: tuple[str, ...]) -> str:
    place = "" if options.namespace == "clusters" else f"-n {options.namespace} "
    which = "" if options.etcd == "etcd" else f"--etcd {options.etcd} "
    names = dict.fromkeys((*options.give_up, *more))
    return place + which + "".join(f"--give-up {name} " for name in names)


async def save(etcd: Etcd, found: Finding) -> int:
    """Make the other members from the survivor; each step looks first whether it is done.

    It ends with a quorum: members whose nodes are missing follow. Gives how many serve.
    """
    token = await mark(etcd, found)
    await restore(etcd, found.survivor, token)
    for name in found.rebuilt:
        etcd.progress.say(f"{name} is emptied")
        await etcd.client.delete(kinds.PERSISTENT_VOLUME_CLAIM, claim_of(name), etcd.place)
        # The claim is held by the pod until it is gone; a dead node never lets go by itself.
        await etcd.client.delete(kinds.POD, name, etcd.place, grace_period=0)
    while (count := await _serving(etcd, found.survivor)) <= len(etcd.peers) // 2:
        etcd.progress.say("waiting for a quorum")
        await asyncio.sleep(INTERVAL)
    await etcd.run(found.survivor, "/bin/sh", "-c", rescue.FORGET)
    await _annotate(etcd, found.survivor, {rescue.RESCUED: None})
    return count


async def mark(etcd: Etcd, found: Finding) -> str:
    """Note on the claims what becomes of them; give the identity of the new cluster."""
    claim = await etcd.client.get(
        kinds.PERSISTENT_VOLUME_CLAIM, claim_of(found.survivor), etcd.place
    )
    began = annotations_of(claim).get(rescue.RESCUED)
    if not began:
        began = rfc3339(datetime.now(UTC))
        for name in found.rebuilt:
            await _annotate(etcd, name, {rescue.EMPTIED: began})
        await _annotate(etcd, found.survivor, {rescue.RESCUED: began, rescue.EMPTIED: None})
    return f"{etcd.place}-{etcd.name}-{began}"


async def restore(etcd: Etcd, survivor: str, token: str) -> None:
    """Turn the survivor's data into a cluster of its own, and start it with that."""
    etcd.progress.say(f"the data of {survivor} becomes a new cluster")
    cluster = ",".join(f"{name}={peer}" for name, peer in etcd.peers.items())
    words = (token, cluster, etcd.peers[survivor], *ETCDCTL, f"--endpoints={ITSELF}")
    script = ("/bin/sh", "-c", rescue.RESTORE, "rescue", *words)
    try:
        await etcd.run(survivor, *script)
    except UsageError:
        # The end of etcd, which is the last step, may end the command too.
        if not await _runs(etcd, survivor, token, looks=20):
            raise
    while not await _runs(etcd, survivor, token):
        etcd.progress.say(f"waiting until {survivor} runs with it")


async def _runs(etcd: Etcd, survivor: str, token: str, looks: int = 1) -> bool:
    """Whether the survivor has started with the new cluster; its container may be between two."""
    for _ in range(looks):
        await asyncio.sleep(INTERVAL)
        try:
            if (await etcd.run(survivor, "/bin/sh", "-c", rescue.RUNS)).strip() == token:
                return True
        except HypershiftError:
            continue
    return False


async def _annotate(etcd: Etcd, member: str, marks: dict[str, str | None]) -> None:
    claim = claim_of(member)
    if await etcd.client.find(kinds.PERSISTENT_VOLUME_CLAIM, claim, etcd.place) is not None:
        patch = {"metadata": {"annotations": marks}}
        await etcd.client.patch(kinds.PERSISTENT_VOLUME_CLAIM, claim, patch, etcd.place)


async def _serving(etcd: Etcd, survivor: str) -> int:
    """How many members serve, counted once the survivor does."""
    members = [await member_of(etcd.client, etcd.place, name) for name in etcd.members]
    ready = {one.name for one in members if one.ready}
    return len(ready) if survivor in ready else 0


COMMAND = Command(
    "etcd",
    "Say what helps an etcd without a quorum, and do it",
    arguments="NAME",
    description=(
        "Looks at the members of a hosted cluster's etcd. Members that may come back are waited\n"
        "for; once a quorum is lost for good, --yes makes the others from the one with the newest\n"
        "data. The same command continues what was interrupted. The operator rebuilds single\n"
        "members of a cluster that has a quorum by itself."
    ),
    examples="""\
  # what is the matter, and what would be done
  hypershift fix etcd demo
  # the disk of etcd-2 will never come back
  hypershift fix etcd demo --give-up etcd-2 --yes""",
    run=Typed(Fix, fix),
    flags=(
        Flag("namespace", "Namespace of the cluster", default="clusters", short="n"),
        Flag("kubeconfig", "Kubeconfig of the management cluster"),
        Flag("etcd", "Which etcd: the first one, or the StatefulSet of a shard", default="etcd"),
        Flag("give-up", "Members whose data is lost for good, though it does not show", STRINGS),
        Flag("yes", "Do it", BOOL),
        Flag("timeout", "How long it may take", DURATION, default=timedelta(minutes=15)),
    ),
)
