"""`version`: which program this is, and which versions the installed operator supports."""

import asyncio
import json
import sys
from dataclasses import dataclass
from importlib.metadata import version as installed

from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, Flag
from hypershift.cli.management import management
from hypershift.cli.typed import Typed
from hypershift.kit import HypershiftError
from hypershift.kube import kinds

CONFIG_MAP = "supported-versions"


def client_version() -> str:
    """The version of this program."""
    return f"hypershift: {installed('hypershift')}"


@dataclass(frozen=True, slots=True)
class Versions:
    """What `version` is given."""

    client_only: bool
    commit_only: bool
    namespace: str


def run(options: Versions) -> int:
    """Print both sides; a server that cannot be reached is named and is no error."""
    if options.commit_only:
        sys.stdout.write(f"{installed('hypershift')}\n")
        return 0
    sys.stdout.write(f"Client Version: {client_version()}\n")
    if not options.client_only:
        asyncio.run(_server(options.namespace))
    return 0


async def _server(namespace: str) -> None:
    try:
        async with management() as client:
            found = await client.get(kinds.CONFIG_MAP, CONFIG_MAP, namespace)
    except HypershiftError as error:
        sys.stdout.write(f"failed to get the server version: {error}\n")
        return
    data = found.get("data", {})
    supported = json.loads(data.get("supported-versions", "{}")).get("versions", [])
    sys.stdout.write(f"Server Version: {data.get('server-version', '')}\n")
    sys.stdout.write(f"Server Supports OCP Versions: {', '.join(supported)}\n")


COMMAND = Command(
    "version",
    "Print the versions of this program and of the installed operator",
    flags=(
        Flag("client-only", "Do not ask the cluster", BOOL),
        Flag("commit-only", "Only the revision of this program", BOOL),
        Flag("namespace", "Namespace of the operator", default="hypershift"),
    ),
    run=Typed(Versions, run),
)
