"""`rotate ignition-ca`: replace the authority of the ignition server that clusters share."""

import asyncio
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from hypershift.api import annotations
from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, DURATION, Flag
from hypershift.cli.management import existing, management
from hypershift.cli.typed import Typed
from hypershift.ignition.authority import NAME, OLD, has_followed
from hypershift.kit import Manifest, UsageError, annotations_of, data_of, rfc3339
from hypershift.kube import Client, kinds

POLL = 2.0
#: What is said of flags that meet a replacement under way.
KEPT = "it keeps what it was started with, and --finish ends its grace period"


@dataclass(frozen=True, slots=True)
class RotateIgnition:
    """What `rotate ignition-ca` is given."""

    finish: bool
    grace: timedelta
    kubeconfig: str
    namespace: str
    timeout: timedelta
    wait: bool


async def rotate(options: RotateIgnition) -> int:
    """Start a replacement, or continue with the one under way."""
    async with management(options.kubeconfig) as client:
        secret = await _secret(client, options)
        marks = {annotations.ROTATE_AUTHORITIES_GRACE: f"{int(options.grace.total_seconds())}s"}
        if is_under_way(secret):
            _say(f"a replacement of the ignition server's authority is under way: {KEPT}")
            marks = {annotations.ROTATE_AUTHORITIES_GRACE: "0s"} if options.finish else {}
        elif options.finish:
            raise UsageError("no replacement is under way: nothing to finish")
        else:
            marks[annotations.ROTATE_AUTHORITIES] = rfc3339(datetime.now(UTC))
            _say(f"secret {options.namespace}/{NAME}: the ignition server's authority is replaced")
        if marks:
            patch = {"metadata": {"annotations": marks}}
            await client.patch(kinds.SECRET, NAME, patch, options.namespace)
        return await _follow(client, options) if options.wait else 0


def is_under_way(secret: Manifest) -> bool:
    """Whether a replacement was asked for, or began, and is not done."""
    request = annotations_of(secret).get(annotations.ROTATE_AUTHORITIES, "")
    return bool(data_of(secret, OLD)) or bool(request and not has_followed(secret, request))


async def _follow(client: Client, options: RotateIgnition) -> int:
    try:
        async with asyncio.timeout(options.timeout.total_seconds()):
            secret = await _secret(client, options)
            while is_under_way(secret):
                await asyncio.sleep(POLL)
                secret = await _secret(client, options)
    except TimeoutError:
        raise UsageError(
            f"the replacement is not done after {options.timeout}; the operator continues it"
        ) from None
    _say("done: machines trust the new authority alone")
    return 0


async def _secret(client: Client, options: RotateIgnition) -> Manifest:
    return await existing(client, kinds.SECRET, NAME, options.namespace)


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


COMMAND = Command(
    "ignition-ca",
    "Replace the authority of the ignition server that clusters share",
    description=(
        "The server shows a certificate of a new authority, which the old one has signed too, and\n"
        "machines are given both to trust; after the grace period the new one alone. No node is\n"
        "replaced. A server of a cluster's own follows `hypershift rotate ca`."
    ),
    flags=(
        Flag("namespace", "Namespace of the operator", default="hypershift", short="n"),
        Flag("kubeconfig", "Kubeconfig of the management cluster"),
        Flag(
            "grace",
            "For how long machines may boot with user data from before, at least a minute",
            DURATION,
            default=timedelta(hours=24),
        ),
        Flag("finish", "End the grace period of the replacement under way", BOOL),
        Flag("wait", "Wait until the replacement is done", BOOL),
        Flag("timeout", "How long to wait", DURATION, default=timedelta(hours=2)),
    ),
    run=Typed(RotateIgnition, rotate),
)
