"""`console-logs PLATFORM`: what a cluster's machines printed while they booted."""

import sys
from dataclasses import dataclass
from pathlib import Path

from hypershift.cli.clouds import CONSOLE_LOGS
from hypershift.cli.command import Command
from hypershift.cli.consoles import console_of, embedded_home
from hypershift.cli.flags import Flag
from hypershift.cli.management import existing, management
from hypershift.cli.typed import Typed
from hypershift.dump import masked
from hypershift.kit import Key, UsageError
from hypershift.kit.lines import visible
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import kinds

BEFORE = "console.log.1"


@dataclass(frozen=True, slots=True)
class ConsoleLogs:
    """What `console-logs local` is given."""

    kubeconfig: str
    name: str
    namespace: str
    output_dir: str


async def local(options: ConsoleLogs) -> int:
    """Write one file for each machine of a cluster of platform Local, and print their names."""
    name, namespace = options.name, options.namespace
    async with management(options.kubeconfig) as client:
        await existing(client, kinds.HOSTED_CLUSTER, name, namespace)
        plane = control_plane_namespace(Key(namespace, name))
        machines = await client.list(kinds.LOCAL_MACHINE, plane)
    if not machines:
        raise UsageError(f"hostedcluster {namespace}/{name} has no Local machines")
    home = embedded_home(options.kubeconfig)
    if home is None:
        raise UsageError(
            "the machines run on another host: no embedded cluster of this user has this API server"
        )
    directory = _directory(options.output_dir)
    for machine in machines:
        _copy(console_of(home, Key(plane, machine["metadata"]["name"])), directory)
    return 0


def _directory(name: str) -> Path:
    directory = Path(name)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"output directory {name}: {error.strerror}") from None
    return directory


def _copy(console: Path, directory: Path) -> None:
    """The console of this boot, and of the one before where there was one."""
    machine = console.parent.name.partition(".")[2]
    for source, target in (
        (console.with_name(BEFORE), f"{machine}-previous.log"),
        (console, f"{machine}.log"),
    ):
        try:
            content = source.read_text(errors="replace")
        except FileNotFoundError:
            continue
        except OSError as error:
            raise UsageError(f"console of {machine}: {error.strerror} (are you root?)") from None
        (directory / target).write_text(masked(content))
        sys.stdout.write(visible(str(directory / target)) + "\n")


COMMAND = Command(
    "console-logs",
    "Get the consoles of machines",
    commands=(
        Command(
            "local",
            "Consoles of machines on this host",
            examples="""\
  # why does a machine not boot?
  sudo hypershift console-logs local --name demo --output-dir /tmp/consoles""",
            flags=(
                Flag("kubeconfig", "Kubeconfig of the management cluster"),
                Flag("name", "Name of the cluster", required=True),
                Flag("namespace", "Namespace of the cluster", default="clusters", short="n"),
                Flag("output-dir", "Directory to write to", required=True),
            ),
            run=Typed(ConsoleLogs, local),
        ),
        CONSOLE_LOGS,
    ),
)
