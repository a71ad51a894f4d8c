"""Runs on each node while authorities are replaced: gives the kubelet the new ones, in each stage.

The kubelet's authorities and certificates follow from mounted files; the kubelet is restarted when
it is older than one of its files. So the next pod resumes one that was interrupted. The pod is
ready when the kubelet runs with the files of the stage.
"""

import argparse
import asyncio
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path

from hypershift.helpers.log_line import log_line
from hypershift.helpers.node import kubelet
from hypershift.helpers.node.certificates import USES, Use, is_signed_by, renew
from hypershift.helpers.node.files import put
from hypershift.helpers.node.ready import Readiness
from hypershift.kit import HypershiftError
from hypershift.kit.documents import dumped, loaded
from hypershift.kube import Client

SOON, LATER = 3.0, 15.0


def flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flags that the DaemonSet passes."""
    parser.add_argument("--source", type=Path, required=True, help="Folder with the wanted files")
    parser.add_argument("--mark", required=True, help="Stage that the folder has to be of")
    parser.add_argument("--host", type=Path, default=Path("/"), help="Root of the node")
    parser.add_argument("--ready-port", type=int, default=2046, help="Port of the readiness probe")


@dataclass(frozen=True, slots=True)
class Node:
    """The files of a node that follow its cluster's authorities."""

    host: Path

    @property
    def callers(self) -> Path:
        """Who may call the kubelet."""
        return self.host / "etc/kubernetes/kubelet-ca.crt"

    @property
    def kubeconfigs(self) -> tuple[Path, ...]:
        """How the kubelet finds its API server, and how it asked for its first certificate."""
        paths = ("var/lib/kubelet/kubeconfig", "etc/kubernetes/kubeconfig")
        return tuple(self.host / path for path in paths)

    @property
    def pki(self) -> Path:
        return self.host / "var/lib/kubelet/pki"

    @property
    def files(self) -> tuple[Path, ...]:
        """What the kubelet reads at its start."""
        links = (use.current(self.pki) for use in USES)
        return (self.callers, *self.kubeconfigs, *links)


async def run(options: argparse.Namespace) -> int:
    """Keep the node as the stage wants it until the pod ends."""
    node = Node(options.host)
    async with Readiness(options.ready_port) as readiness:
        while True:
            try:
                readiness.ready = await step(node, options.source, options.mark)
            except (OSError, ValueError, LookupError, HypershiftError) as error:
                readiness.ready = False
                log_line("not done yet", error=error)
            await asyncio.sleep(LATER if readiness.ready else SOON)


async def step(node: Node, source: Path, mark: str) -> bool:
    """Bring the node one step further; True when nothing is left to do."""
    if (source / "mark").read_text() != mark:
        return False  # the files of this stage are on their way
    put(node.callers, (source / "kubelet-ca.crt").read_bytes(), 0o644)
    for path in node.kubeconfigs:
        if path.is_file():
            trust(path, (source / "api-ca.crt").read_bytes())
    if not await _sign_anew(node, (source / "signer.crt").read_bytes()):
        return False
    process = kubelet.running()
    if kubelet.is_older(process, node.files):
        log_line("kubelet is restarted", pid=process.pid)
        await kubelet.restart(process)
    return await kubelet.is_healthy()


def trust(path: Path, authorities: bytes) -> bool:
    """Bring a kubeconfig to trust these authorities (PEM); True if it was different."""
    document = loaded(path.read_text())
    (entry,) = document["clusters"]
    wanted = b64encode(authorities).decode()
    if entry["cluster"].get("certificate-authority-data") == wanted:
        return False
    entry["cluster"]["certificate-authority-data"] = wanted
    return put(path, dumped(document).encode())


async def _sign_anew(node: Node, signer: bytes) -> bool:
    """Renew the kubelet's certificates that another authority signed; True when none is left."""
    old = [use for use in USES if _is_old(use, node, signer)]
    if not old:
        return True
    async with Client.connect(node.kubeconfigs[0]) as client:
        done = [await renew(client, use, node.pki, signer) for use in old]
    log_line("certificates are renewed", uses=[use.stem for use in old], done=done)
    return all(done)


def _is_old(use: Use, node: Node, signer: bytes) -> bool:
    path = use.current(node.pki)
    return path.exists() and not is_signed_by(path.read_bytes(), signer)
