"""Puts images on nodes: out of an archive file, or pulled from a registry by reference."""

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hypershift import oci, parts
from hypershift.kit import HypershiftError, UsageError
from hypershift.local.cluster.state import Layout, Spec
from hypershift.local.machine import Machine, State
from hypershift.local.supervise.machines import hosted
from hypershift.local.units.resolver import REGISTRY_HOST

IMPORT = ("ctr", "-n", "k8s.io", "images", "import", "-")
#: An argument with one of these is a file; no image reference begins or ends so.
FILE_STARTS, FILE_ENDS = ("/", "./", "../", "~"), (".tar", ".tar.gz", ".tgz")


@dataclass(frozen=True, slots=True)
class Loaded:
    """What one machine got."""

    machine: str
    images: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """What to load: files or references, for which machines (none named: every node)."""

    sources: tuple[str, ...]
    machines: tuple[str, ...] = ()
    secret: oci.PullSecret | None = None


async def load(where: Layout, spec: Spec, order: Order) -> list[Loaded]:
    """Import every source into every machine that is meant; nothing is imported by halves."""
    targets = machines(where, order.machines)
    with tempfile.TemporaryDirectory(dir=where.root, prefix=".load-") as scratch:
        archives = [
            await archive_of(spec, source, order.secret, Path(scratch) / str(number))
            for number, source in enumerate(order.sources)
        ]
        found = [image for archive in archives for image in usable(archive)]
        for archive in archives:
            await asyncio.gather(*(_import(machine, archive) for machine in targets))
    return [Loaded(machine.spec.name, tuple(found)) for machine in targets]


def machines(where: Layout, names: Sequence[str]) -> list[Machine]:
    """The machines that are meant, all of them running."""
    nodes = {path.parent.name: path.parent for path in where.machines.glob("*/spec.json")}
    known = {name: Machine.load(path) for name, path in sorted(nodes.items())}
    everywhere = hosted(where) | known
    for name in names:
        if name not in everywhere:
            raise UsageError(
                f"there is no machine {name}; `hypershift local machine list` shows them"
            )
    chosen = [everywhere[name] for name in names] if names else list(known.values())
    running = [each for each in chosen if each.status().state is State.RUNNING]
    absent = sorted({each.spec.name for each in chosen} - {each.spec.name for each in running})
    if (names and absent) or not running:
        listed = ", ".join(absent) or f"no node of cluster {where.name}"
        raise UsageError(f"not running: {listed}; `hypershift local up` starts what is down")
    return running


def usable(archive: Path) -> list[str]:
    """The names of an archive's images, if all of them run here."""
    here = parts.architecture()
    found = oci.read_archive(archive)
    for image in found:
        if here not in image.architectures:
            others = ", ".join(sorted(filter(None, image.architectures))) or "nothing"
            raise UsageError(f"{image.name} is for {others}; these nodes are {here}")
    return [image.name for image in found]


async def archive_of(spec: Spec, source: str, secret: oci.PullSecret | None, scratch: Path) -> Path:
    """The archive that an argument names: a file, or an image of a registry."""
    file = await asyncio.to_thread(Path(source).expanduser)
    if file.is_file():
        return file
    if source.startswith(FILE_STARTS) or source.endswith(FILE_ENDS) or file.exists():
        raise UsageError(f"{source} is not a file")
    try:
        reference = oci.parse(source)
    except oci.InvalidReference as error:
        raise UsageError(f'"{source}" is neither a file nor an image reference') from error
    return await _pull(spec, reference, secret, scratch)


async def _pull(
    spec: Spec, reference: oci.Reference, secret: oci.PullSecret | None, scratch: Path
) -> Path:
    """Pull what an index has for this architecture, as an archive under the reference's name."""
    layout, archive = oci.Layout(scratch), scratch.with_suffix(".tar")
    mirrors = {REGISTRY_HOST: f"http://{spec.plan.registry}"}
    async with oci.Registry(mirrors, secret, oci.Trust(loopback=True)) as registry:
        image = await oci.pull_image(registry, reference, layout, parts.architecture())
    layout.name({str(reference): image})
    await asyncio.to_thread(oci.write_archive, layout, [str(reference)], archive)
    return archive


async def _import(machine: Machine, archive: Path) -> None:
    with await asyncio.to_thread(archive.open, "rb") as content:
        child = await asyncio.create_subprocess_exec(
            *machine.exec_command(IMPORT),
            stdin=content,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        output, _ = await child.communicate()
    if child.returncode:
        text = output.decode(errors="replace").strip()
        raise HypershiftError(f"machine {machine.spec.name} refuses {archive.name}: {text}")
