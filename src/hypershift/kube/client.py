"""The verbs of the Kubernetes API over any transport, with manifests in and manifests out."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

from hypershift.kit import Manifest
from hypershift.kube import config as kubeconfig
from hypershift.kube import inline
from hypershift.kube.base import DEFAULT_MANAGER, Manifests
from hypershift.kube.limits import TRUSTED, Limits
from hypershift.kube.pods import Pods
from hypershift.kube.reading import Event, Listing, Reading
from hypershift.kube.writing import ApplyOptions, DeleteOptions, PatchOptions, Writing

__all__ = [
    "ApplyOptions",
    "Client",
    "DeleteOptions",
    "Event",
    "Listing",
    "Manifests",
    "PatchOptions",
]


class Client(Reading, Writing, Pods):
    """Talks to one API server as one identity."""

    @classmethod
    @asynccontextmanager
    async def connect(
        cls,
        kubeconfig_file: Path | None = None,
        *,
        context: str = "",
        manager: str = DEFAULT_MANAGER,
    ) -> AsyncIterator[Self]:
        """Open a client by a kubeconfig; None means $KUBECONFIG, else the pod's own account."""
        client = cls.from_config(kubeconfig.load(kubeconfig_file, context=context), manager=manager)
        async with client:
            yield client

    @classmethod
    def from_kubeconfig_dict(
        cls,
        document: Manifest,
        *,
        context: str = "",
        manager: str = DEFAULT_MANAGER,
        limits: Limits = TRUSTED,
    ) -> Self:
        """A client for a kubeconfig of ours that is already parsed; `from_secret` reads others."""
        config = kubeconfig.from_dict(document, context=context)
        return cls.from_config(config, manager=manager, limits=limits)

    @classmethod
    def from_secret(
        cls,
        content: bytes,
        *,
        source: str = "kubeconfig",
        manager: str = DEFAULT_MANAGER,
        limits: Limits = TRUSTED,
    ) -> Self:
        """A client for the kubeconfig that a Secret holds; KubeconfigError if it is not inline."""
        config = inline.inline(content, source=source)
        return cls.from_config(config, manager=manager, limits=limits)

    @classmethod
    def from_config(
        cls,
        config: kubeconfig.Config,
        *,
        manager: str = DEFAULT_MANAGER,
        limits: Limits = TRUSTED,
    ) -> Self:
        """A client for a server and an identity; `limits` bound what the server may answer."""
        # aiohttp is large: a command that asks no server starts without it.
        from hypershift.kube.http import HttpTransport  # noqa: PLC0415

        transport = HttpTransport(config, limits=limits)
        return cls(transport, manager=manager, namespace=config.namespace, limits=limits)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of every connection."""
        await self.transport.close()
