"""`install`: apply the definitions, then the objects, to the management cluster."""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable

from hypershift.cli.flags import Values
from hypershift.cli.install.checks import check
from hypershift.cli.install.crds import crds
from hypershift.cli.install.credentials import completed
from hypershift.cli.management import management
from hypershift.kit import HypershiftError, Manifest, UsageError, key_of
from hypershift.kube import AlreadyExists, Client, kinds

MANAGER = "hypershift"
#: The Deployment that `install render` prints names the original's program and flags.
NOT_YET = (
    "install cannot bring the operator to a cluster of your own yet: --install-scope=crds installs "
    "its definitions, `install render` prints the objects, and `hypershift local up` makes a "
    "management cluster on this machine with the operator in it"
)
LIMIT = 300.0
INTERVAL = 0.5
#: Why something does not hold yet; empty when it does.
Reason = Callable[[], Awaitable[str]]
#: Kinds of which a cluster may know nothing: without them there is only less to look at.
OPTIONAL_GROUPS = ("monitoring.coreos.com", "monitoring.rhobs")


async def run(values: Values) -> int:
    """Install or upgrade the definitions: applying twice changes nothing the second time."""
    values = completed(values)
    check(values)
    if values["install-scope"] != "crds":
        raise UsageError(NOT_YET)
    definitions = await crds(values)
    async with management() as client:
        for manifest in definitions:
            await _write(client, manifest)
        if values["wait-until-crds-established"]:
            await _wait(_unestablished(client, definitions), "the definitions to be established")
    return 0


async def _write(client: Client, manifest: Manifest) -> None:
    key, kind = key_of(manifest), manifest["kind"]
    name = f"{key.namespace}/{key.name}"
    try:
        if kind == "PriorityClass":  # immutable: what is there stays
            await client.create(manifest)
            sys.stdout.write(f"created {kind} {name}\n")
            return
        await client.apply(manifest, manager=MANAGER)
    except AlreadyExists:
        sys.stdout.write(f"already exists: {kind} {name}\n")
    except (HypershiftError, LookupError) as error:
        if manifest["apiVersion"].partition("/")[0] not in OPTIONAL_GROUPS:
            raise UsageError(f"failed to apply {kind} {name}: {error}") from None
        sys.stderr.write(f"left out {kind} {name}: the cluster does not have this kind\n")
    else:
        sys.stdout.write(f"applied {kind} {name}\n")


def _unestablished(client: Client, definitions: list[Manifest]) -> Reason:
    names = {each["metadata"]["name"] for each in definitions}

    async def reason() -> str:
        found = await client.list(kinds.CUSTOM_RESOURCE_DEFINITION)
        done = {each["metadata"]["name"] for each in found if _holds(each, "Established")}
        return ", ".join(sorted(names - done)[:3])

    return reason


def _holds(manifest: Manifest, name: str) -> bool:
    conditions = manifest.get("status", {}).get("conditions", [])
    return any(each["type"] == name and each["status"] == "True" for each in conditions)


async def _wait(reason: Reason, what: str) -> None:
    """Look until there is no reason to wait any more."""
    deadline = time.monotonic() + LIMIT
    while left := await reason():
        if time.monotonic() > deadline:
            raise UsageError(f"waited {LIMIT:.0f}s for {what}: {left}")
        await asyncio.sleep(INTERVAL)
