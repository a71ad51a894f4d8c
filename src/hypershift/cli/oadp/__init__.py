"""`create oadp-backup`, `oadp-restore`, `oadp-schedule`: work for OADP, OpenShift's Velero."""

import asyncio
import random
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from hypershift.cli.clouds.notation import built
from hypershift.cli.cluster.checks import subdomain_problem
from hypershift.cli.management import management
from hypershift.cli.oadp import checks, objects
from hypershift.cli.oadp.objects import LONGEST, Keeping, Subject
from hypershift.cli.oadp.pace import cron
from hypershift.cli.output import to_yaml
from hypershift.cli.typed import Typed
from hypershift.kit import HypershiftError, Manifest, UsageError
from hypershift.kit.duration import format_duration
from hypershift.kube import AlreadyExists, Client

_LETTERS = "bcdfghjklmnpqrstvwxz2456789"
_POLICIES = ("none", "update")
_VOLUME_FLAGS = ("snapshot-move-data", "default-volumes-to-fs-backup", "restore-pvs")

Make = Callable[[Subject], Manifest]
Check = Callable[[Client], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Made:
    """What is given for every object."""

    name: str
    hc_name: str
    hc_namespace: str
    oadp_namespace: str
    include_additional_namespaces: tuple[str, ...]
    use_etcd_snapshot: bool
    render: bool
    given: frozenset[str]


@dataclass(frozen=True, slots=True)
class Kept(Made):
    """What is given for backups, whether taken once or periodically."""

    storage_location: str
    ttl: timedelta
    included_resources: tuple[str, ...] | None
    snapshot_move_data: bool
    default_volumes_to_fs_backup: bool


@dataclass(frozen=True, slots=True)
class BackupSchedule(Kept):
    """What `create oadp-schedule` is given."""

    schedule: str
    paused: bool
    use_owner_references: bool
    skip_immediately: bool


@dataclass(frozen=True, slots=True)
class Restore(Made):
    """What `create oadp-restore` is given."""

    from_backup: str
    from_schedule: str
    existing_resource_policy: str
    preserve_node_ports: bool
    restore_pvs: bool


def create_backup(options: Kept) -> int:
    """Create or print a Backup."""
    subject, name = _begin(options, "backup")
    kept = _keeping(options)
    return _finish(options, subject, lambda found: objects.backup(found, kept, name), "backup")


def create_schedule(options: BackupSchedule) -> int:
    """Create or print a Schedule."""
    pace = cron(options.schedule)
    subject, name = _begin(options, "schedule")
    kept = _keeping(options)
    switches = {
        "paused": options.paused,
        "useOwnerReferencesInBackup": options.use_owner_references,
        "skipImmediately": options.skip_immediately,
    }
    return _finish(
        options,
        subject,
        lambda found: objects.schedule(found, kept, name, pace, switches),
        "schedule",
    )


def create_restore(options: Restore) -> int:
    """Create or print a Restore."""
    source = _source(options)
    subject, name = _begin(options, "restore")
    policy = options.existing_resource_policy
    if policy not in _POLICIES:
        allowed = ", ".join(_POLICIES)
        text = f"invalid existing-resource-policy '{policy}'. Valid values are: {allowed}"
        raise UsageError(text)
    fields: Manifest = {
        "existingResourcePolicy": policy,
        "preserveNodePorts": options.preserve_node_ports,
        "restorePVs": options.restore_pvs,
    }

    async def check(client: Client) -> None:
        await checks.source(client, source, subject.velero)

    made = objects.restore(subject, name, source, fields)
    return _finish(options, subject, lambda _: made, "restore", check)


def _source(options: Restore) -> dict[str, str]:
    taken, schedule = options.from_backup, options.from_schedule
    if not taken and not schedule:
        raise UsageError("either --from-backup or --from-schedule must be specified")
    if taken and schedule:
        text = "--from-backup and --from-schedule are mutually exclusive, specify only one"
        raise UsageError(text)
    return {"backupName": taken} if taken else {"scheduleName": schedule}


def _begin(options: Made, kind: str) -> tuple[Subject, str]:
    """Check what needs no cluster; return whom it is about and the object's name."""
    if options.use_etcd_snapshot:
        for flag in _VOLUME_FLAGS:
            if flag in options.given:
                raise UsageError(
                    f"--{flag} cannot be used with --use-etcd-snapshot"
                    " (etcd snapshot mode disables volume snapshots)"
                )
    subject = Subject(
        name=options.hc_name,
        namespace=options.hc_namespace,
        velero=options.oadp_namespace,
        more_namespaces=tuple(options.include_additional_namespaces or ()),
        use_snapshot=options.use_etcd_snapshot,
    )
    name = options.name
    if len(name) > LONGEST:
        raise UsageError(
            f"{kind} name '{name}' is too long ({len(name)} characters). Kubernetes resource names"
            " must be 63 characters or less. Use --name to specify a shorter custom name"
        )
    if name and (problem := subdomain_problem(name)):
        raise UsageError(f"{kind} name '{name}' is invalid: {problem}")
    suffix = "".join(random.SystemRandom().choice(_LETTERS) for _ in range(6))
    return subject, name or objects.generated_name(subject, suffix)


def _keeping(options: Kept) -> Keeping:
    return Keeping(
        location=options.storage_location,
        ttl=format_duration(options.ttl),
        resources=options.included_resources,
        move_data=options.snapshot_move_data,
        volumes_as_files=options.default_volumes_to_fs_backup,
    )


async def _nothing(_client: Client) -> None:
    """There is nothing more to check."""


def _finish(options: Made, subject: Subject, make: Make, kind: str, check: Check = _nothing) -> int:
    if options.render:
        found = asyncio.run(_best_effort(subject, check, kind))
        _print([*_policies(found, kind), make(found)])
        return 0
    return asyncio.run(_create(subject, make, kind, check))


async def _create(subject: Subject, make: Make, kind: str, check: Check) -> int:
    async with management() as client:
        found = subject if kind == "restore" else await _with_platform(client, subject, kind)
        await check(client)
        await checks.oadp(client, subject.velero)
        for policy in _policies(found, kind):
            try:
                await client.create(policy)
            except AlreadyExists:
                sys.stderr.write("the ConfigMap of the volume policy is there already\n")
        made = await client.create(make(found))
    metadata = made["metadata"]
    sys.stdout.write(f"{kind} {metadata['namespace']}/{metadata['name']} created\n")
    return 0


async def _with_platform(client: Client, subject: Subject, kind: str) -> Subject:
    failed = (
        "platform detection failed" if kind == "schedule" else "HostedCluster validation failed"
    )
    try:
        platform = await checks.platform(client, subject.name, subject.namespace)
    except UsageError as error:
        raise UsageError(f"{failed}: {error}") from None
    return replace(subject, platform=platform)


async def _best_effort(subject: Subject, check: Check, kind: str) -> Subject:
    """Look at the cluster if there is one: rendering works without."""
    found = subject
    try:
        async with management() as client:
            if kind != "restore":
                found = await _with_platform(client, subject, kind)
            await check(client)
            await checks.oadp(client, subject.velero)
    except (HypershiftError, OSError) as error:
        sys.stderr.write(f"Warning: {error}; continuing with render\n")
    return found


def _policies(subject: Subject, kind: str) -> Sequence[Manifest]:
    return [objects.policy(subject)] if subject.is_kubevirt and kind != "restore" else []


def _print(made: Sequence[Manifest]) -> None:
    for one in made:
        sys.stdout.write(f"\n---\n{to_yaml(one)}")


_COMMON = (
    "hc-name! hc-namespace! include-additional-namespaces* name oadp-namespace=openshift-adp "
    "render? use-etcd-snapshot?"
)
_KEPT = (
    f"{_COMMON} default-volumes-to-fs-backup? included-resources* storage-location=default ttl@=2h"
)
BACKUP = built(
    "create oadp-backup",
    "Back a hosted cluster up with OADP",
    f"{_KEPT} snapshot-move-data?=true",
    Typed(Kept, create_backup),
)
RESTORE = built(
    "create oadp-restore",
    "Restore a hosted cluster with OADP",
    f"{_COMMON} existing-resource-policy=update from-backup from-schedule "
    f"preserve-node-ports?=true restore-pvs?=true",
    Typed(Restore, create_restore),
)
SCHEDULE = built(
    "create oadp-schedule",
    "Back a hosted cluster up with OADP again and again",
    f"{_KEPT} paused? schedule! skip-immediately? snapshot-move-data? use-owner-references?",
    Typed(BackupSchedule, create_schedule),
)
__all__ = ["BACKUP", "RESTORE", "SCHEDULE"]
