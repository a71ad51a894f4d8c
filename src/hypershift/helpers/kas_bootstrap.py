"""Beside a starting API server: apply the resources that the hosted cluster needs first."""

import argparse
import asyncio
import os
from collections.abc import Iterable
from pathlib import Path

from hypershift.helpers.log_line import log_line
from hypershift.kit import HypershiftError, Manifest
from hypershift.kit.documents import each
from hypershift.kube import Client, kinds

#: Gives this program's own identity the right to apply the rest.
ROLE_BINDING = "00_kas-bootstrap-container-rolebinding.yaml"
INTERVAL, PATIENCE = 0.5, 180.0


def flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flag that the API server's pod passes."""
    parser.add_argument("--resources-path", type=Path, required=True)


async def run(options: argparse.Namespace) -> int:
    """Apply everything, then stay: the pod restarts containers that end."""
    first = options.resources_path / ROLE_BINDING
    if first.exists():
        await _patiently(os.environ["KUBECONFIG_ADMIN"], manifests(first))
    rest = sorted(path for path in options.resources_path.glob("*.y*ml") if path != first)
    await _patiently(os.environ["KUBECONFIG"], [one for path in rest for one in manifests(path)])
    log_line("applied", files=len(rest))
    await asyncio.Event().wait()
    return 0


def manifests(path: Path) -> list[Manifest]:
    """The objects of a file."""
    return [one for one in each(path.read_text()) if one]


async def _patiently(kubeconfig: str, wanted: Iterable[Manifest]) -> None:
    """Apply objects, and retry while the server starts; TimeoutError in the end."""
    async with asyncio.timeout(PATIENCE):
        for manifest in wanted:
            while not await _applied(kubeconfig, manifest):  # noqa: ASYNC110 - no event reports a start
                await asyncio.sleep(INTERVAL)


async def _applied(kubeconfig: str, manifest: Manifest) -> bool:
    try:
        async with Client.connect(Path(kubeconfig)) as client:
            await client.apply(manifest)
            if manifest["kind"] == "FeatureGate":
                await _publish_gates(client, manifest)
    except (HypershiftError, OSError) as error:
        log_line(
            "not applied", kind=manifest["kind"], name=manifest["metadata"]["name"], error=error
        )
        return False
    return True


async def _publish_gates(client: Client, rendered: Manifest) -> None:
    """Add the gates of this version to the status, and forget versions that ended."""
    live = await client.get(kinds.FEATURE_GATE, rendered["metadata"]["name"])
    version = await client.find(kinds.CLUSTER_VERSION, "version")
    history = ((version or {}).get("status") or {}).get("history") or []
    status = {"featureGates": merged_gates(_gates(live), _gates(rendered), history)}
    if _gates(live) != status["featureGates"]:
        await client.replace_status({**live, "status": status})


def _gates(manifest: Manifest) -> list[Manifest]:
    return (manifest.get("status") or {}).get("featureGates") or []


def merged_gates(
    live: list[Manifest], rendered: list[Manifest], history: list[Manifest]
) -> list[Manifest]:
    """The rendered versions, and those before them that the cluster still runs in part."""
    ours = {one["version"] for one in rendered}
    running = set()
    for entry in history:
        running.add(entry["version"])
        if entry["state"] == "Completed":
            break
    kept = [one for one in live if one["version"] in running and one["version"] not in ours]
    return [*rendered, *kept]
