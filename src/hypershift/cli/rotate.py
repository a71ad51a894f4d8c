"""`rotate ca`: replace every authority of a cluster by one with a new key."""

import asyncio
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from hypershift.api import annotations
from hypershift.api.conditions import ControlPlaneCondition, ControlPlaneReason, fails, holds
from hypershift.cli import rotate_ignition
from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, DURATION, Flag, choice
from hypershift.cli.management import existing, management
from hypershift.cli.typed import Typed
from hypershift.kit import Manifest, UsageError, annotations_of, rfc3339
from hypershift.kube import Client, kinds
from hypershift.pki import Part
from hypershift.runtime import condition_of

CONDITION = ControlPlaneCondition.AUTHORITIES_ROTATED
REFUSED = ControlPlaneReason.AUTHORITY_ROTATION_REFUSED
POLL = 2.0
ONLY = choice("part", tuple(Part), lambda text: f"it is {' or '.join(Part)}, not {text!r}")
#: What is replaced, by the value of `--only`.
WHAT = {
    "": "all authorities, and the key that signs tokens of service accounts, are",
    Part.AUTHORITIES: "all authorities are",
    Part.TOKEN_KEYS: "the key that signs tokens of service accounts is",
}


@dataclass(frozen=True, slots=True)
class Rotate:
    """What `rotate ca` is given."""

    finish: bool
    grace: timedelta
    kubeconfig: str
    namespace: str
    only: str
    subject: str
    timeout: timedelta
    token_lifetime: timedelta
    wait: bool


async def rotate(options: Rotate) -> int:
    """Start a replacement, or continue with the one under way."""
    async with management(options.kubeconfig) as client:
        cluster = await _cluster(client, options)
        if is_under_way(cluster):
            _say(f"a replacement of authorities is under way: {rotate_ignition.KEPT}")
            if options.finish:
                await _annotate(client, options, {annotations.ROTATE_AUTHORITIES_GRACE: "0s"})
        elif options.finish:
            raise UsageError(f"no replacement is under way in {options.subject}: nothing to finish")
        else:
            await _annotate(client, options, wish(options, datetime.now(UTC)))
            what = WHAT[options.only]
            _say(f"hostedcluster {options.namespace}/{options.subject}: {what} replaced")
        return await _follow(client, options) if options.wait else 0


def wish(options: Rotate, now: datetime) -> dict[str, str | None]:
    """The annotations that ask for a replacement; those of an earlier one are replaced."""
    return {
        annotations.ROTATE_AUTHORITIES: rfc3339(now),
        annotations.ROTATE_AUTHORITIES_GRACE: _seconds(options.grace),
        annotations.ROTATE_AUTHORITIES_ONLY: options.only or None,
        annotations.ROTATE_AUTHORITIES_TOKEN_LIFETIME: _seconds(options.token_lifetime),
    }


def _seconds(duration: timedelta) -> str:
    return f"{int(duration.total_seconds())}s"


def is_under_way(cluster: Manifest) -> bool:
    """Whether a replacement began, or was asked for, and is not done."""
    request = annotations_of(cluster).get(annotations.ROTATE_AUTHORITIES, "")
    told = condition_of(cluster, CONDITION) or {}
    if fails(told):
        return bool(told.get("reason") != REFUSED)
    return bool(request) and not is_done(cluster)


def is_done(cluster: Manifest) -> bool:
    """Whether the replacement that was asked for last is done."""
    request = annotations_of(cluster).get(annotations.ROTATE_AUTHORITIES, "")
    told = condition_of(cluster, CONDITION)
    return told is not None and holds(told) and request in told.get("message", "")


async def _follow(client: Client, options: Rotate) -> int:
    """Print the progress until it is done, for as long as the user waits."""
    limit, said = options.timeout, ""
    try:
        async with asyncio.timeout(limit.total_seconds()):
            while not is_done(cluster := await _cluster(client, options)):
                text = (condition_of(cluster, CONDITION) or {}).get("message", "")
                if text and text != said:
                    _say(text)
                said = text or said
                await asyncio.sleep(POLL)
    except TimeoutError:
        raise UsageError(
            f"the replacement is not done after {limit}; the operator continues it: {said}"
        ) from None
    _say((condition_of(cluster, CONDITION) or {}).get("message", ""))
    _say("done: what the old ones signed opens nothing any more")
    return 0


async def _cluster(client: Client, options: Rotate) -> Manifest:
    name, namespace = options.subject, options.namespace
    return await existing(client, kinds.HOSTED_CLUSTER, name, namespace)


async def _annotate(client: Client, options: Rotate, marks: Mapping[str, str | None]) -> None:
    patch = {"metadata": {"annotations": dict(marks)}}
    await client.patch(kinds.HOSTED_CLUSTER, options.subject, patch, options.namespace)


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


COMMAND = Command(
    "rotate",
    "Replace what a cluster is trusted by",
    commands=(
        Command(
            "ca",
            "Replace all certificate authorities of a cluster, and the key of its tokens",
            arguments="NAME",
            description=(
                "Every authority gets a successor with a new key. First everything trusts both,\n"
                "then everything is signed by the new ones, and after the grace period nothing\n"
                "trusts the old ones. Nodes follow by themselves. Fetch kubeconfigs again and\n"
                "restart programs that talk to the API server before the grace period ends.\n"
                "The key that signs tokens of service accounts is replaced in the same steps."
            ),
            examples="""\
  # replace them; the old ones are trusted for another day
  hypershift rotate ca demo
  # end the grace period now, and wait until the old ones open nothing
  hypershift rotate ca demo --finish --wait
  # replace the key that signs tokens of service accounts, and nothing else
  hypershift rotate ca demo --only service-account-keys""",
            flags=(
                Flag("namespace", "Namespace of the cluster", default="clusters", short="n"),
                Flag("kubeconfig", "Kubeconfig of the management cluster"),
                Flag(
                    "grace",
                    "How long the old authorities are trusted after nothing uses them",
                    DURATION,
                    default=timedelta(hours=24),
                ),
                Flag("only", "Replace nothing but these", ONLY),
                Flag(
                    "token-lifetime",
                    "How long tokens of the old key are good at least, once none is signed by it",
                    DURATION,
                    default=timedelta(hours=1),
                ),
                Flag("finish", "End the grace period of the replacement under way", BOOL),
                Flag("wait", "Wait until the replacement is done, and tell how far it is", BOOL),
                Flag("timeout", "How long to wait", DURATION, default=timedelta(hours=2)),
            ),
            run=Typed(Rotate, rotate),
        ),
        rotate_ignition.COMMAND,
    ),
)
