"""The writer of the latency benchmark: small patches at a steady rate, in a process of its own.

A client that parses, retries and counts would be the bottleneck, so this one speaks HTTP by hand
over a few connections that stay open.
"""

import asyncio
import base64
import json
import random
import ssl
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

CONNECTIONS = 24
#: The answer to a write is its metadata alone.
ACCEPT = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"


def context_of(config: dict[str, Any]) -> tuple[str, int, ssl.SSLContext]:
    cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
    host, _, port = cluster["server"].removeprefix("https://").rpartition(":")
    trust = base64.b64decode(cluster["certificate-authority-data"]).decode()
    context = ssl.create_default_context(cadata=trust)
    with tempfile.NamedTemporaryFile() as file:
        for field in ("client-certificate-data", "client-key-data"):
            file.write(base64.b64decode(user[field]) + b"\n")
        file.flush()
        context.load_cert_chain(file.name)
    return host, int(port), context


def request(host: str, namespace: str, number: int) -> bytes:
    body = json.dumps({"metadata": {"annotations": {"at": repr(time.monotonic())}}})
    path = f"/api/v1/namespaces/{namespace}/configmaps/c{number:05d}"
    return (
        f"PATCH {path} HTTP/1.1\r\nHost: {host}\r\nAccept: {ACCEPT}\r\n"
        f"Content-Type: application/merge-patch+json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


async def answer(reader: asyncio.StreamReader) -> int:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    length = int(head.split("content-length:")[1].split("\r\n")[0])
    await reader.readexactly(length)
    return int(head.split()[1])


async def write(
    config: dict[str, Any], namespace: str, rate: int, seconds: int
) -> dict[str, float]:
    host, port, context = context_of(config)
    rng = random.Random(0)  # noqa: S311 (which object is written)
    started, sent, wrong = time.monotonic(), 0, 0

    async def writer() -> None:
        nonlocal sent, wrong
        reader, stream = await asyncio.open_connection(host, port, ssl=context)
        while sent < rate * seconds and time.monotonic() < started + 2 * seconds:
            due = started + sent / rate
            sent += 1
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            stream.write(request(host, namespace, rng.randrange(1000)))
            wrong += await answer(reader) != 200
        stream.close()

    await asyncio.gather(*(writer() for _ in range(CONNECTIONS)))
    elapsed = time.monotonic() - started
    return {"sent": sent, "wrong": wrong, "rate": sent / elapsed, "cpu": time.process_time()}


if __name__ == "__main__":
    found = json.loads(Path(sys.argv[1]).read_text())
    done = asyncio.run(write(found, sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
    sys.stdout.write(json.dumps(done))
