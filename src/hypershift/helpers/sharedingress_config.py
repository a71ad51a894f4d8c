"""Beside the proxy of the shared ingress: follow its configuration and have the proxy reload it.

A reload hands the listening sockets to a new process; the old one ends with its last connection.
A configuration that the proxy refuses is put back, so that a restart finds one that works.
"""

import argparse
import asyncio
import gzip
import os
from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from hypershift.helpers.log_line import log_line
from hypershift.kit import HypershiftError, Manifest
from hypershift.kube import Client, kinds

KEY = "haproxy.cfg"
#: Changes that come together are one reload: each one leaves a process behind for a while.
PACE = 1.0
AGAIN, SOON = 1.0, 0.2
PATIENCE = 60.0
#: What a proxy may answer, and what a packed configuration may become.
MOST_ANSWER, MOST_TEXT = 64 << 10, 64 << 20


def flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flags that the router's pods pass."""
    parser.add_argument("--namespace", required=True)
    parser.add_argument("--config-map", required=True, help="What holds the configuration")
    parser.add_argument("--config", type=Path, required=True, help="The file that the proxy reads")
    parser.add_argument("--socket", type=Path, required=True, help="The proxy's master socket")


async def run(options: argparse.Namespace) -> int:
    """Follow the configuration until a signal."""
    loader = Loader(options.config, options.socket)
    async with Client.connect() as client, asyncio.TaskGroup() as group:
        group.create_task(loader.keep())
        while True:
            try:
                async for text in follow(client, options.namespace, options.config_map):
                    loader.take(text)
            except (HypershiftError, OSError, TimeoutError, ValueError) as error:
                log_line("not followed", error=error)
            await asyncio.sleep(AGAIN)


async def follow(client: Client, namespace: str, name: str) -> AsyncIterator[str]:
    """Yield the configuration as it is and whenever it changes, until the watch ends."""
    chosen = f"metadata.name={name}"
    async with aclosing(client.watch(kinds.CONFIG_MAP, namespace, fields=chosen)) as events:
        async for event in events:
            if event.type in ("ADDED", "MODIFIED") and (text := text_of(event.object)):
                yield text


def text_of(config_map: Manifest) -> str:
    """The configuration in a ConfigMap, packed or not; empty without one."""
    if text := (config_map.get("data") or {}).get(KEY):
        return str(text)
    if packed := (config_map.get("binaryData") or {}).get(f"{KEY}.gz"):
        with gzip.open(BytesIO(b64decode(packed))) as file:
            unpacked = file.read(MOST_TEXT + 1)
        if len(unpacked) > MOST_TEXT:
            raise ValueError("the configuration is too large")
        return unpacked.decode()
    return ""


@dataclass(slots=True)
class Loader:
    """The file, the proxy that reads it, and what is to be loaded next."""

    file: Path
    socket: Path
    _wanted: str = ""
    _loaded: str = ""
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def take(self, text: str) -> None:
        """Load this configuration as soon as the pace allows."""
        self._wanted = text
        self._changed.set()

    async def keep(self) -> None:
        """Load what was taken, the newest alone, until cancelled.

        A proxy that does not answer is asked again: one that starts at this moment may have read
        the file of before, and its socket comes later.
        """
        while True:
            await self._changed.wait()
            self._changed.clear()
            if self._wanted == self._loaded:
                continue
            while not await self.load(self._wanted):  # noqa: ASYNC110 - another process answers
                await asyncio.sleep(SOON)
            await asyncio.sleep(PACE)

    async def load(self, text: str) -> bool:
        """Write the file and have the proxy read it; False while no proxy answers."""
        before = self.file.read_text() if self.file.exists() else ""
        if text != before:
            self._good = self._good or before
            write(self.file, text)
        answer = await self.reload()
        if answer is None:
            return False
        self._loaded = text
        if answer:
            log_line("configuration refused", problem=answer)
            write(self.file, self._good or text)
        else:
            self._good = text
            log_line("configuration loaded", bytes=len(text))
        return True

    #: The last configuration that the proxy took.
    _good: str = ""

    async def reload(self) -> str | None:
        """Return why the proxy refused; empty when it did not, None while it does not answer."""
        try:
            async with asyncio.timeout(PATIENCE):
                reader, writer = await asyncio.open_unix_connection(str(self.socket))
                try:
                    writer.write(b"reload\n")
                    answer = await reader.read(MOST_ANSWER)
                finally:
                    writer.close()
        except (OSError, TimeoutError):
            return None
        text = answer.decode(errors="replace")
        return "" if text.startswith("Success=1") else text[:1000] or None


def write(file: Path, text: str) -> None:
    """Replace a file atomically and durably."""
    beside = file.with_name(f".{file.name}.new")
    with beside.open("w") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    beside.replace(file)
