"""Manifests that an upstream module carries beside its code: Cluster API's resource definitions."""

import json
from pathlib import Path

import msgspec
import yaml

from hypershift.kit import Manifest, replace_file
from hypershift.parts.cache import Cache
from hypershift.parts.errors import PartUnavailable
from hypershift.parts.fetch import sources, to_stderr
from hypershift.parts.lock import Report, locked
from hypershift.parts.process import run
from hypershift.parts.recipe import module_directory
from hypershift.parts.settings import Settings
from hypershift.parts.table import CLUSTER_API
from hypershift.parts.toolchain import find_toolchain

_DEFINITIONS = "config/crd/bases"


async def cluster_api_crds(
    settings: Settings | None = None, report: Report = to_stderr
) -> list[Manifest]:
    """The custom resource definitions of the pinned Cluster API, as its module has them."""
    origin = sources(settings)
    file = _file(origin.cache)
    async with locked(origin.cache.lock("cluster-api-crds"), "Cluster API's definitions", report):
        if (found := _read(file)) is None:
            directory = await _module(origin.settings, origin.cache, report)
            found = _definitions(directory)
            file.parent.mkdir(parents=True, exist_ok=True)
            replace_file(file, msgspec.json.encode(found), mode=0o644)
    return found


def _file(cache: Cache) -> Path:
    return cache.root / "cluster-api-crds" / f"{CLUSTER_API.version}.json"


def _read(file: Path) -> list[Manifest] | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=list[Manifest])
    except (OSError, msgspec.DecodeError):
        return None


async def _module(settings: Settings, cache: Cache, report: Report) -> Path:
    """Where Go keeps the module's files, downloaded and verified when they were not there."""
    async with locked(cache.lock("toolchain"), "Go compiler", report):
        toolchain = await find_toolchain(settings.cache, report)
    finished = await run(
        (toolchain.command, "mod", "download", "-json", CLUSTER_API.upstream),
        directory=module_directory(CLUSTER_API),
        environment=toolchain.environment(),
    )
    if not finished.ok:
        raise PartUnavailable(
            f"the definitions of Cluster API {CLUSTER_API.version} are not in the cache, and the "
            "Go module proxy does not give them: connect to a network and try again"
        )
    return Path(json.loads(finished.text)["Dir"])


def _definitions(directory: Path) -> list[Manifest]:
    files = sorted((directory / _DEFINITIONS).glob("*.yaml"))
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return [yaml.load(file.read_bytes(), loader) for file in files]  # noqa: S506 - both are safe
