"""Definitions as text that another program applies: no network, no compiler, no cluster is read."""

import sys
from collections.abc import Collection

from hypershift import parts
from hypershift.cli.install.crds import crds
from hypershift.cli.install.installed import is_open
from hypershift.cli.install.options import InstallOptions
from hypershift.cli.install.provider_kinds import core_kinds
from hypershift.kit import HypershiftError, Manifest


async def rendered_crds(options: InstallOptions) -> list[Manifest]:
    """Every definition; warnings for the user who applies them go to stderr."""
    found = await crds(options, _core, _providers)
    _warn_of_open(found, options)
    return found


async def _providers(platforms: Collection[str]) -> list[Manifest]:
    return await parts.provider_crds(platforms)


async def _core() -> list[Manifest]:
    """Cluster API's own definitions; without schemas where its module cannot be had.

    A rendering is text, and needs neither a network nor a compiler. `install` never falls back.
    """
    try:
        return await parts.cluster_api_crds()
    except HypershiftError as error:
        sys.stderr.write(
            f"warning: {error}\nwarning: the definitions of Cluster API are rendered without "
            "schemas: `hypershift install` or a rendering with a network brings the real ones\n"
        )
        return core_kinds()


def _warn_of_open(definitions: list[Manifest], options: InstallOptions) -> None:
    """Warn that rendered text cannot take existing definitions into account."""
    count = sum(is_open(each) for each in definitions)
    if count and "provider-definitions" not in options.given:
        sys.stderr.write(
            f"warning: {count} definitions have no schema; `kubectl apply` would put them in place "
            "of a provider's own. `hypershift install` leaves those alone; "
            "--provider-definitions=false renders none\n"
        )
