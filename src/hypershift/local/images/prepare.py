"""The images that a cluster runs: built once, served by its registry, unpacked for its machines."""

import asyncio
import shutil
from pathlib import Path

from hypershift import parts, payload
from hypershift.local.cluster.state import Layout, Spec
from hypershift.local.images import sharing
from hypershift.local.images.publication import Published, published, record
from hypershift.local.machine import rootfs
from hypershift.local.progress import Progress
from hypershift.local.supervise import process
from hypershift.local.units import PARTS, registry, registry_push
from hypershift.payload.images import needed_parts as needed_by_images

__all__ = ["Published", "needed_parts", "publish", "published", "seed_registry", "unpack"]

INTERVAL = 0.05
PATIENCE = 60.0
SEEDS = "registry"


def needed_parts(_spec: Spec) -> tuple[str, ...]:
    """Every part that a cluster needs, in the order in which it needs them."""
    wanted = (*PARTS, "kubectl", "nft", *needed_by_images(payload.names()))
    return tuple(dict.fromkeys(wanted))


async def publish(where: Layout, spec: Spec, say: Progress) -> Published:
    """Build the payload, push it and unpack the machines' root; only what changed is done."""
    built = await payload.build(spec.kubernetes, report=say)
    known = published(where)
    if known is not None and known.digest == built.release.digest and _is_unpacked(known):
        return known
    async with asyncio.TaskGroup() as tasks:
        unpacking = tasks.create_task(asyncio.to_thread(unpack, where, built))
        tasks.create_task(_serve(where, spec, built))
    made = Published(
        release=str(built.release_reference),
        digest=built.release.digest,
        images={name: str(built.reference(name)) for name in built.images},
        os_tree=str(unpacking.result()),
    )
    record(where, made)
    say(f"payload of Kubernetes {spec.kubernetes} with {len(built.images)} images in the registry")
    return made


def _is_unpacked(known: Published) -> bool:
    return Path(known.os_tree).is_dir()


def seed_registry(where: Layout) -> None:
    """Let a new cluster's registry start with what the last one served."""
    stored, seeds = where.data(registry.NAME), _cache() / SEEDS
    latest = next(iter(seeds.iterdir()), None) if seeds.is_dir() else None
    if latest is not None and not stored.exists():
        sharing.share_registry(latest, stored)


async def _serve(where: Layout, spec: Spec, built: payload.Payload) -> None:
    """Push what the registry does not have yet, and keep it for the next cluster."""
    await _push(where, spec, built)
    digest = built.release.digest.partition(":")[2]
    await asyncio.to_thread(_keep, where.data(registry.NAME), _cache() / SEEDS / digest, built)


def _keep(stored: Path, target: Path, built: payload.Payload) -> None:
    """Keep the content of the latest payload alone; older ones would only fill the disk."""
    if target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    for old in target.parent.iterdir():
        shutil.rmtree(old, ignore_errors=True)
    sharing.share_registry(stored, target, content(built))


def content(built: payload.Payload) -> frozenset[str]:
    """The digests of everything that a payload is made of."""
    found = set()
    for image in (*built.images.values(), built.release):
        manifest = built.layout.manifest(image.digest)
        layers = (each.digest for each in manifest.layers)
        found |= {image.digest, manifest.config.digest, *layers}
    return frozenset(digest.partition(":")[2] for digest in found)


def _cache() -> Path:
    return parts.Settings.from_environment().cache


def unpack(where: Layout, built: payload.Payload) -> Path:
    """The machines' root of a payload: unpacked once in the cache, shared by clusters.

    Machines of hosted clusters find it in their own place, and need not pull that release.
    """
    digest = built.images["machine-os"].digest
    cached = rootfs.tree_from_layout(built.layout, digest, _cache() / "machine-os")
    tree = rootfs.place_of(where.root / "os", digest)
    sharing.plant_tree(cached, tree)
    link = rootfs.place_of(where.trees, digest)
    where.trees.mkdir(exist_ok=True)
    if not link.exists():
        link.symlink_to(tree)
    return tree


async def _push(where: Layout, spec: Spec, built: payload.Payload) -> None:
    await _await_registry(where)
    await payload.push(built, f"http://{spec.plan.pushes}")


async def _await_registry(where: Layout) -> None:
    running = where.units / f"{registry_push.NAME}.json"
    async with asyncio.timeout(PATIENCE):
        while process.recall(running) is None:  # noqa: ASYNC110 - the supervisor starts it
            await asyncio.sleep(INTERVAL)
