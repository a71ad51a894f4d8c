"""Publish the rendered feature gates of a release as ConfigMap `feature-gate`."""

import argparse
import os
from pathlib import Path

from hypershift.kit import Manifest
from hypershift.kube import Client

PAYLOAD_VERSION = "hypershift.openshift.io/payload-version"


def flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flags; the pod gives most of them by its environment."""
    parser.add_argument("--file", type=Path, default=Path("/manifests/99_feature-gate.yaml"))
    parser.add_argument("--namespace", default=os.environ.get("NAMESPACE", ""))
    parser.add_argument("--name", default="feature-gate")
    parser.add_argument("--payload-version", default=os.environ.get("PAYLOAD_VERSION", ""))


def config_map(options: argparse.Namespace, text: str) -> Manifest:
    """The ConfigMap that the other components read."""
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {
            "name": options.name,
            "namespace": options.namespace,
            "annotations": {PAYLOAD_VERSION: options.payload_version},
        },
        "data": {"feature-gate.yaml": text},
    }


async def run(options: argparse.Namespace) -> int:
    """Write the ConfigMap."""
    async with Client.connect() as client:
        await client.apply(config_map(options, options.file.read_text()))
    return 0
