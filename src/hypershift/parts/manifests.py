"""Manifests that upstream modules carry beside their code: resource definitions of Cluster API."""

import json
from collections.abc import Collection
from pathlib import Path

import msgspec
import yaml

from hypershift.kit import Manifest, replace_file
from hypershift.parts.cache import Cache
from hypershift.parts.errors import ChecksumMismatch, PartUnavailable
from hypershift.parts.fetch import sources, to_stderr
from hypershift.parts.lock import Report, locked
from hypershift.parts.part import Definitions, GoModule
from hypershift.parts.process import run
from hypershift.parts.recipe import module_directory
from hypershift.parts.settings import Settings
from hypershift.parts.table import CLUSTER_API, CLUSTER_API_AWS, DEFINITIONS
from hypershift.parts.toolchain import find_toolchain

_DEFINITIONS = "config/crd/bases"


#: Versions of Cluster API's contract that a provider's kinds keep, as a label of their definitions.
_CONTRACT = {"cluster.x-k8s.io/v1beta1": "v1beta2"}


async def cluster_api_crds(
    settings: Settings | None = None, report: Report = to_stderr
) -> list[Manifest]:
    """The custom resource definitions of the pinned Cluster API, as its module has them."""
    return await _crds(CLUSTER_API, settings, report)


async def provider_aws_crds(
    settings: Settings | None = None, report: Report = to_stderr
) -> list[Manifest]:
    """The definitions of the pinned provider for AWS, with the label that Cluster API looks for."""
    found = await _crds(CLUSTER_API_AWS, settings, report)
    for definition in found:
        metadata = definition["metadata"]
        metadata["labels"] = {**(metadata.get("labels") or {}), **_CONTRACT}
    return found


async def provider_crds(
    platforms: Collection[str], settings: Settings | None = None, report: Report = to_stderr
) -> list[Manifest]:
    """The definitions of the infrastructure providers of some platforms, as far as they can be had.

    Says which cannot; after the first that the network does not give, only the cache is asked.
    """
    origin = sources(settings)
    found, out_of_reach = [], origin.settings.offline
    for one in DEFINITIONS:
        if one.platform not in platforms:
            continue
        file = origin.cache.root / "provider-crds" / f"{one.title.replace(' ', '-')}.json"
        async with locked(
            origin.cache.lock("provider-crds"), f"definitions of {one.title}", report
        ):
            if (known := _read(file)) is not None:
                found += known
            elif out_of_reach:
                report(f"the definitions of {one.title} are not in the cache")
            else:
                try:
                    found += await _fetched(one, file, origin.settings, origin.cache, report)
                except PartUnavailable as error:
                    report(str(error))
                    out_of_reach = True
    return found


async def _fetched(
    one: Definitions, file: Path, settings: Settings, cache: Cache, report: Report
) -> list[Manifest]:
    report(f"definitions of {one.title}: asking the Go module proxy")
    file.parent.mkdir(parents=True, exist_ok=True)
    answer = await _download(f"{one.upstream}@v{one.version}", one.title, file.parent, settings,
                             cache, report)  # fmt: skip
    if answer["Sum"] != one.sum:
        raise ChecksumMismatch(
            f"{one.upstream} {one.version} has {answer['Sum']}, but {one.sum} is pinned: not used"
        )
    found = _definitions(Path(answer["Dir"]))
    replace_file(file, msgspec.json.encode(found), mode=0o644)
    return found


async def _crds(module: GoModule, settings: Settings | None, report: Report) -> list[Manifest]:
    origin = sources(settings)
    name = f"{module.name}-crds"
    file = origin.cache.root / name / f"{module.version}.json"
    async with locked(origin.cache.lock(name), f"definitions of {module.title}", report):
        if (found := _read(file)) is None:
            found = _definitions(await _module(module, origin.settings, origin.cache, report))
            file.parent.mkdir(parents=True, exist_ok=True)
            replace_file(file, msgspec.json.encode(found), mode=0o644)
    return found


def _read(file: Path) -> list[Manifest] | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=list[Manifest])
    except (OSError, msgspec.DecodeError):
        return None


async def _module(module: GoModule, settings: Settings, cache: Cache, report: Report) -> Path:
    """Where Go keeps the module's files, downloaded and verified when they were not there."""
    directory = module_directory(module)
    answer = await _download(module.upstream, module.title, directory, settings, cache, report)
    return Path(answer["Dir"])


async def _download(  # noqa: PLR0917 - internal
    what: str, title: str, directory: Path, settings: Settings, cache: Cache, report: Report
) -> dict[str, str]:
    """Go's answer about a module that it has downloaded and verified."""
    async with locked(cache.lock("toolchain"), "Go compiler", report):
        toolchain = await find_toolchain(settings.cache, report)
    finished = await run(
        (toolchain.command, "mod", "download", "-json", what),
        directory=directory,
        environment=toolchain.environment(),
    )
    if not finished.ok:
        raise PartUnavailable(
            f"the definitions of {title} are not in the cache, and the "
            "Go module proxy does not give them: connect to a network and try again"
        )
    answer: dict[str, str] = json.loads(finished.text)
    return answer


def _definitions(directory: Path) -> list[Manifest]:
    files = sorted((directory / _DEFINITIONS).glob("*.yaml"))
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return [yaml.load(file.read_bytes(), loader) for file in files]  # noqa: S506 - both are safe
