"""Whether a release has images for nodes of another architecture than the management cluster's."""

import json
import sys

from hypershift.cli.cluster.checks import ARCHITECTURES
from hypershift.cli.cluster.options import ClusterOptions
from hypershift.cli.files import read_file
from hypershift.kit import HypershiftError, UsageError
from hypershift.kube import Client

FAILING = "failed to check mgmt cluster CPU arch"
MULTI = "multi"
SKIPPED = "WARNING: Unable to access the payload, skipping the Architectures check."


async def check_architecture(client: Client, options: ClusterOptions) -> None:
    """Refuse nodes that no image of a release for the management cluster's architecture runs on."""
    here = await _architecture(client)
    if here.lower() == options.arch.lower() or await _has_several(options):
        return
    raise UsageError(
        "multi-arch hosted cluster is not enabled and management cluster and nodepool cpu "
        "architectures do not match; please use a multi-arch release image or a multi-arch "
        f"release stream - management cluster cpu arch: {here}, nodepool cpu arch: {options.arch}"
    )


async def _architecture(client: Client) -> str:
    version = json.loads(await client.raw("GET", "/version"))
    system, slash, architecture = version.get("platform", "").partition("/")
    if not (system and slash) or "/" in architecture:
        raise UsageError(f"{FAILING}: failed to extract the cpu arch from the platform field")
    return str(architecture)


async def _has_several(options: ClusterOptions) -> bool:
    """True if the release serves several architectures, or no registry says what it serves."""
    if not options.release_image:
        return MULTI in options.release_stream
    if not options.pull_secret:
        return False
    # A registry's client is large, and most clusters have nodes like the management cluster's.
    from hypershift.oci import Registry, Trust, parse, read_pull_secret  # noqa: PLC0415

    secret = read_file(options.pull_secret, "failed to read pull secret file")
    try:
        trust = Trust(loopback=True)
        async with Registry({}, read_pull_secret(secret), trust) as registry:
            found = await registry.architectures(parse(options.release_image))
    except HypershiftError as error:
        sys.stderr.write(f"{SKIPPED} {error}\n")
        return True
    return len(found & set(ARCHITECTURES)) > 1
