"""`get ignition NODEPOOL`: what a pool's machines boot with, without what is secret in it.

The request uses the pool's own user data, as a machine's would, with a header by which the server
records no machine.
"""

import json
import ssl
import sys
from base64 import b64decode
from dataclasses import dataclass

from hypershift.api import annotations
from hypershift.cli.command import Command
from hypershift.cli.flags import Flag
from hypershift.cli.management import management
from hypershift.cli.typed import Typed
from hypershift.ignition import mask, token
from hypershift.kit import Key, Manifest, UsageError, annotations_of
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import Client, kinds

NAMESPACE = "clusters"
CURRENT = annotations.NODE_POOL_CURRENT_CONFIG_VERSION
SECONDS = 30


@dataclass(frozen=True, slots=True)
class GetIgnition:
    """What `get ignition` is given."""

    kubeconfig: str
    namespace: str
    subject: str


async def run(options: GetIgnition) -> int:
    """Fetch the configuration and print it, secrets masked."""
    name, namespace = options.subject, options.namespace or NAMESPACE
    async with management(options.kubeconfig) as client:
        pool = await client.find(kinds.NODE_POOL, name, namespace)
        if pool is None:
            raise UsageError(f"there is no node pool {name} in namespace {namespace}")
        user_data = await _user_data(client, pool)
    shown = mask.masked(json.loads(await fetch(user_data)))
    sys.stdout.write(as_json(shown))
    return 0


def as_json(shown: Manifest) -> str:
    """The configuration as ASCII: a terminal obeys signs beyond that, which files may hold."""
    return json.dumps(shown, indent=2) + "\n"


async def _user_data(client: Client, pool: Manifest) -> Manifest:
    """What new machines of the pool are given to boot with."""
    name = pool["metadata"]["name"]
    plane = control_plane_namespace(Key(pool["metadata"]["namespace"], pool["spec"]["clusterName"]))
    secret = token.user_data_name(name, annotations_of(pool).get(CURRENT, ""))
    for kind in (kinds.MACHINE_DEPLOYMENT, kinds.MACHINE_SET):
        if found := await client.find(kind, name, plane):
            secret = found["spec"]["template"]["spec"]["bootstrap"]["dataSecretName"]
    found = await client.find(kinds.SECRET, secret, plane)
    if found is None:
        raise UsageError(f"node pool {name} has no configuration for machines yet")
    document: Manifest = json.loads(b64decode(found["data"]["value"]))
    return document


async def fetch(user_data: Manifest) -> bytes:
    """What a machine with that user data would get."""
    import aiohttp  # noqa: PLC0415 - the other listings start without it

    ignition = user_data["ignition"]
    merge = ignition["config"]["merge"][0]
    sources = (one["source"] for one in ignition["security"]["tls"]["certificateAuthorities"])
    trusted = "".join(b64decode(source.partition(",")[2]).decode() for source in sources)
    context = ssl.create_default_context(cadata=trusted)
    headers = {one["name"]: one["value"] for one in merge["httpHeaders"]} | {token.PREVIEW: "true"}
    timeout = aiohttp.ClientTimeout(total=SECONDS)
    connector = aiohttp.TCPConnector(ssl=context)
    try:
        async with (
            aiohttp.ClientSession(connector=connector, timeout=timeout) as session,
            session.get(merge["source"], headers=headers) as answer,
        ):
            if answer.status == 200:  # noqa: PLR2004 - HTTP's word for yes
                return await answer.read()
            why = f"it answers {answer.status}"
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        why = str(error) or "it does not answer in time"
    raise UsageError(f"the ignition server at {merge['source']} gave no configuration: {why}")


COMMAND = Command(
    "ignition",
    "What the machines of a node pool boot with, secrets masked",
    arguments="NODEPOOL",
    flags=(
        Flag("namespace", f"Namespace of the node pool ({NAMESPACE} when not given)", short="n"),
        Flag("kubeconfig", "Kubeconfig of the management cluster"),
    ),
    run=Typed(GetIgnition, run),
)
