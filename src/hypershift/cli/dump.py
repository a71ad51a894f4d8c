"""`dump cluster`: everything that support needs, in one archive, secrets masked."""

import asyncio
import sys
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hypershift import dump
from hypershift.cli.command import Command
from hypershift.cli.consoles import console_of, embedded_home
from hypershift.cli.flags import BOOL, Flag
from hypershift.cli.management import kubeconfig_path
from hypershift.cli.typed import Typed
from hypershift.cli.version import client_version
from hypershift.dump import Collector, file_name
from hypershift.explain import explain_cluster, look, text
from hypershift.kit import HypershiftError, Key, Manifest, UsageError, key_of
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import Client, Impersonation, Resource, config, inline, kinds
from hypershift.kube.limits import VISITED

OPERATOR_NAMESPACE = "hypershift"
SHARED_INGRESS = "hypershift-sharedingress"
AGENT_GROUP = "agent-install.openshift.io"
SERVICE_PORT = 6443
#: What is taken of the hosted side: namespaces, and seconds for all of it.
MOST_NAMESPACES = 2000
GUEST_SECONDS = 900.0


@dataclass(frozen=True, slots=True)
class Dump:
    """What `dump cluster` is given."""

    agent_namespace: str
    archive_dump: bool
    artifact_dir: str
    as_: str
    dump_guest_cluster: bool
    dump_guest_cluster_through_kube_service: bool
    name: str
    namespace: str


async def cluster(options: Dump) -> int:
    """Collect both sides, pack them, and report what could not be read."""
    directory = _directory(options.artifact_dir)
    settings = config.load(kubeconfig_path(""))
    if options.as_:
        settings = replace(settings, impersonate=Impersonation(options.as_))
    async with Client.from_config(settings) as client:
        await client.raw("GET", "/version")  # an unreachable cluster is one sentence, not a dump
        collector = Collector(client, directory)
        guest = await _management(collector, options)
        problems = [*collector.problems, *await _guest(client, directory, guest, options)]
        collector.write("version.txt", client_version() + "\n")
        collector.write("problems.txt", "".join(f"{line}\n" for line in problems))
    _conclude(directory, collector.files, problems, archive=options.archive_dump)
    return 0


def _directory(name: str) -> Path:
    directory = Path(name)
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise UsageError(f"artifact directory {name}: {error.strerror}") from None
    return directory


async def _management(collector: Collector, options: Dump) -> Manifest | None:
    """The management side; gives the cluster when there is one."""
    name, namespace = options.name, options.namespace
    _print_progress(f"dumping cluster {namespace}/{name} from the management side")
    question = collector.client.find(kinds.HOSTED_CLUSTER, name, namespace)
    found = await collector.ask(f"hostedcluster {namespace}/{name}", question, None)
    served = await collector.served()
    plane = control_plane_namespace(Key(namespace, name))
    places = (plane, namespace, OPERATOR_NAMESPACE, SHARED_INGRESS)
    await asyncio.gather(
        *(collector.namespace(place, served) for place in places),
        collector.cluster(served),
        _agents(collector, options.agent_namespace, served),
    )
    if found is None:
        collector.problems.append(f"hostedcluster {namespace}/{name} is not there")
        return None
    await _explain(collector, found)
    await _consoles(collector, plane)
    return found


async def _agents(collector: Collector, namespace: str, served: Sequence[Resource]) -> None:
    if not namespace:
        return
    wanted = [kind for kind in served if kind.group.endswith(AGENT_GROUP)]
    await collector.namespace(namespace, wanted)


async def _explain(collector: Collector, found: Manifest) -> None:
    """Write our own explanation beside the objects: readers open it first."""
    try:
        picture = await look(collector.client, found, operator_namespace=OPERATOR_NAMESPACE)
        collector.write("explain.txt", text(explain_cluster(picture)))
    except HypershiftError as error:
        collector.problems.append(f"explain: {error}")


async def _consoles(collector: Collector, namespace: str) -> None:
    """The console logs of Local machines, if they run on this host."""
    home = embedded_home("")
    if home is None:
        return
    question = collector.client.list(kinds.LOCAL_MACHINE, namespace)
    for machine in await collector.ask("localmachines", question, []):
        key = Key(namespace, machine["metadata"]["name"])
        try:
            content = console_of(home, key).read_text(errors="replace")
        except OSError as error:
            collector.problems.append(f"console of {key}: {error.strerror}")
            continue
        collector.write(f"consoles/{key.name}.log", content)


async def _guest(
    client: Client, directory: Path, found: Manifest | None, options: Dump
) -> list[str]:
    """The hosted side, where it is asked for and answers."""
    through_service = options.dump_guest_cluster_through_kube_service
    if found is None or not (options.dump_guest_cluster or through_service):
        return []
    name = found["metadata"]["name"]
    _print_progress(f"dumping cluster {name} from inside")
    try:
        content = await _kubeconfig(client, found, through_service=through_service)
        async with Client.from_secret(content, limits=VISITED) as inside:
            collector = Collector(inside, directory / file_name(f"hostedcluster-{name}"))
            await asyncio.wait_for(inside.raw("GET", "/version"), 20)
            await collect_inside(collector)
            return [f"inside: {line}" for line in collector.problems]
    except TimeoutError:
        return ["inside: the hosted API does not answer"]
    except (HypershiftError, KeyError) as error:
        return [f"inside: {error}"]


async def collect_inside(collector: Collector) -> None:
    """Everything that the hosted cluster shows, one namespace after the other."""
    try:
        async with asyncio.timeout(GUEST_SECONDS):
            served = await collector.served()
            spaces = await collector.ask("namespaces", _namespaces(collector.client), [])
            if len(spaces) > MOST_NAMESPACES:
                text = f"namespaces: there are {len(spaces)}, {MOST_NAMESPACES} are read"
                collector.problems.append(text)
            await collector.cluster(served)
            for each in spaces[:MOST_NAMESPACES]:
                await collector.namespace(each, served)
    except TimeoutError:
        collector.problems.append(f"not everything was read within {GUEST_SECONDS:.0f} s")


async def _namespaces(client: Client) -> list[str]:
    return [str(each["metadata"]["name"]) for each in await client.list(kinds.NAMESPACE)]


async def _kubeconfig(client: Client, found: Manifest, *, through_service: bool) -> bytes:
    reference = (found.get("status") or {}).get("kubeconfig")
    if not reference:
        raise UsageError("the cluster has not published a kubeconfig")
    namespace = found["metadata"]["namespace"]
    secret = await client.get(kinds.SECRET, reference["name"], namespace)
    content = b64decode(secret["data"]["kubeconfig"])
    if through_service:
        plane = control_plane_namespace(key_of(found))
        return inline.at(
            content, f"https://kube-apiserver.{plane}.svc.cluster.local:{SERVICE_PORT}"
        )
    return content


def _conclude(directory: Path, files: int, problems: list[str], *, archive: bool) -> None:
    where = dump.pack(directory) if archive else directory
    for line in problems[:10]:
        _print_progress(f"could not be read: {line}")
    if len(problems) > 10:  # noqa: PLR2004 - as many as one looks at
        _print_progress(f"... and {len(problems) - 10} more, in problems.txt")
    _print_progress(f"{files} files of the management side")
    sys.stdout.write(f"{where}\n")


def _print_progress(message: str) -> None:
    sys.stderr.write(f"{message}\n")
    sys.stderr.flush()


COMMAND = Command(
    "dump",
    "Collect what support needs",
    commands=(
        Command(
            "cluster",
            "Dump a hosted cluster: objects, logs, consoles; secrets are masked",
            description=(
                "Collects the objects and logs around a hosted cluster on the management side,\n"
                "and inside with --dump-guest-cluster; what cannot be had is in problems.txt.\n"
                "Values of Secrets, keys and tokens are masked."
            ),
            examples="""\
  # both sides, in one archive
  hypershift dump cluster --name demo --artifact-dir /tmp/demo --dump-guest-cluster""",
            flags=(
                Flag("agent-namespace", "Namespace of the agents, for the agent platform"),
                Flag("archive-dump", "Pack everything into one archive", BOOL, default=True),
                Flag("artifact-dir", "Directory to write to", required=True),
                Flag("as", "User to act as"),
                Flag("dump-guest-cluster", "Dump the hosted cluster from inside too", BOOL),
                Flag(
                    "dump-guest-cluster-through-kube-service",
                    "The same through the Service of its API server, from within this cluster",
                    BOOL,
                ),
                Flag("name", "Name of the cluster", default="example"),
                Flag("namespace", "Namespace of the cluster", default="clusters"),
            ),
            exclusive=(("dump-guest-cluster", "dump-guest-cluster-through-kube-service"),),
            run=Typed(Dump, cluster),
        ),
    ),
)
