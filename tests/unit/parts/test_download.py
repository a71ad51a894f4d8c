import gzip
import hashlib
import io
import tarfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from hypothesis import given
from hypothesis import strategies as st

from hypershift.parts import download
from hypershift.parts.download import Downloads, published_checksum
from hypershift.parts.errors import ChecksumMismatch, PartUnavailable
from hypershift.parts.part import GoModule, Release

CONTENT = b"#!/bin/sh\nexit 0\n" * 1000


@dataclass
class Liar:
    """A file server whose answers a test chooses."""

    files: dict[str, bytes] = field(default_factory=dict)
    cut: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request.path)
        content = self.files.get(request.path)
        if content is None:
            raise web.HTTPNotFound
        if request.path not in self.cut:
            return web.Response(body=content)
        response = web.StreamResponse(headers={"Content-Length": str(len(content))})
        await response.prepare(request)
        await response.write(content[: len(content) // 2])
        assert request.transport is not None
        request.transport.abort()
        return response


@pytest.fixture
async def server() -> AsyncIterator[tuple[Liar, str]]:
    liar = Liar()
    app = web.Application()
    app.router.add_get("/{path:.*}", liar.answer)
    async with TestServer(app) as running:
        yield liar, str(running.make_url("")).rstrip("/")


def released(url: str, member: str = "", file: str = "tool") -> GoModule:
    return GoModule(
        name="tool",
        version="1.0.0",
        upstream="example/tool",
        packages={"tool": ".", "helper": "./helper"},
        release=Release(f"{url}/v{{version}}/{file}", f"{url}/v{{version}}/sums", member),
    )


def sums(content: bytes, file: str) -> bytes:
    return f"{hashlib.sha256(content).hexdigest()}  {file}\n".encode()


def archive(**members: bytes) -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as out:
        for name, content in members.items():
            info = tarfile.TarInfo(f"./bin/{name}")
            info.size = len(content)
            out.addfile(info, io.BytesIO(content))
    return gzip.compress(raw.getvalue())


def names(directory: Path) -> list[str]:
    return sorted(each.name for each in directory.iterdir())


def silent(_line: str) -> None: ...


async def test_a_binary_with_the_published_checksum_is_kept(
    server: tuple[Liar, str], tmp_path: Path
) -> None:
    liar, url = server
    liar.files = {"/v1.0.0/tool": CONTENT, "/v1.0.0/sums": sums(CONTENT, "tool")}
    found = await Downloads("amd64").fetch(released(url), ["tool"], tmp_path, silent)
    assert found["tool"].file.read_bytes() == CONTENT


async def test_one_archive_gives_several_binaries_with_one_download(
    server: tuple[Liar, str], tmp_path: Path
) -> None:
    liar, url = server
    packed = archive(tool=CONTENT, helper=b"help")
    liar.files = {"/v1.0.0/all.tgz": packed, "/v1.0.0/sums": sums(packed, "all.tgz")}
    module = released(url, "bin/{name}", "all.tgz")
    found = await Downloads("amd64").fetch(module, ["tool", "helper"], tmp_path, silent)
    assert found["tool"].file.read_bytes() == CONTENT
    assert found["helper"].file.read_bytes() == b"help"
    assert liar.asked.count("/v1.0.0/all.tgz") == 1


async def test_wrong_bytes_are_refused_and_removed(
    server: tuple[Liar, str], tmp_path: Path
) -> None:
    liar, url = server
    liar.files = {"/v1.0.0/tool": b"evil", "/v1.0.0/sums": sums(CONTENT, "tool")}
    with pytest.raises(ChecksumMismatch, match="not used"):
        await Downloads("amd64").fetch(released(url), ["tool"], tmp_path, silent)
    assert names(tmp_path) == []


async def test_a_cut_connection_gives_no_binary(server: tuple[Liar, str], tmp_path: Path) -> None:
    liar, url = server
    liar.files = {"/v1.0.0/tool": CONTENT, "/v1.0.0/sums": sums(CONTENT, "tool")}
    liar.cut = {"/v1.0.0/tool"}
    with pytest.raises(PartUnavailable):
        await Downloads("amd64").fetch(released(url), ["tool"], tmp_path, silent)
    assert not (tmp_path / "tool").exists()


@pytest.mark.parametrize("missing", ["/v1.0.0/tool", "/v1.0.0/sums"])
async def test_a_404_says_what_was_not_there(
    server: tuple[Liar, str], tmp_path: Path, missing: str
) -> None:
    liar, url = server
    liar.files = {"/v1.0.0/tool": CONTENT, "/v1.0.0/sums": sums(CONTENT, "tool")}
    del liar.files[missing]
    with pytest.raises(PartUnavailable, match=f"{missing} answered 404"):
        await Downloads("amd64").fetch(released(url), ["tool"], tmp_path, silent)


async def test_an_archive_without_the_binary_is_refused(
    server: tuple[Liar, str], tmp_path: Path
) -> None:
    liar, url = server
    packed = archive(other=CONTENT)
    liar.files = {"/v1.0.0/all.tgz": packed, "/v1.0.0/sums": sums(packed, "all.tgz")}
    with pytest.raises(PartUnavailable, match="has no bin/tool"):
        await Downloads("amd64").fetch(
            released(url, "bin/{name}", "all.tgz"), ["tool"], tmp_path, silent
        )


async def test_a_host_that_cannot_be_reached_is_asked_once(tmp_path: Path) -> None:
    downloads = Downloads("amd64")
    module = released("http://127.0.0.1:1")
    with pytest.raises(PartUnavailable, match="cannot be reached"):
        await downloads.fetch(module, ["tool"], tmp_path, silent)
    with pytest.raises(PartUnavailable, match="could not be reached before"):
        await downloads.fetch(module, ["tool"], tmp_path, silent)


digests = st.text("0123456789abcdef", min_size=64, max_size=64)


@given(digests, digests)
def test_a_checksum_is_found_in_each_published_form(wanted: str, other: str) -> None:
    assert published_checksum(f"{wanted}\n", "tool") == wanted
    assert published_checksum(f"{wanted}  tool\n", "tool") == wanted
    assert published_checksum(f"{other}  tool2\n{wanted} *./tool\n", "tool") == wanted


@pytest.mark.parametrize("text", ["", "<html>not found</html>", "a b\nc d", "0123  tool"])
def test_a_list_without_the_file_is_refused(text: str) -> None:
    with pytest.raises(PartUnavailable, match="no published checksum for tool"):
        published_checksum(text, "tool")


async def test_a_pin_wins_over_what_the_host_publishes(
    server: tuple[Liar, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    liar, url = server
    pin = hashlib.sha256(CONTENT).hexdigest()
    monkeypatch.setattr(download, "pinned_download", {f"{url}/v1.0.0/tool": pin}.get)
    liar.files = {"/v1.0.0/tool": b"evil", "/v1.0.0/sums": sums(b"evil", "tool")}
    with pytest.raises(ChecksumMismatch, match="is pinned"):
        await Downloads("amd64").fetch(released(url), ["tool"], tmp_path, silent)
    liar.files = {"/v1.0.0/tool": CONTENT}
    found = await Downloads("amd64").fetch(released(url), ["tool"], tmp_path, silent)
    assert found["tool"].file.read_bytes() == CONTENT


async def test_an_address_never_gives_other_bytes_than_the_first_time(
    server: tuple[Liar, str], tmp_path: Path
) -> None:
    liar, url = server
    known, out = tmp_path / "cache" / "downloads.json", tmp_path / "out"
    out.mkdir()
    liar.files = {"/v1.0.0/tool": CONTENT, "/v1.0.0/sums": sums(CONTENT, "tool")}
    for _ in range(2):
        await Downloads("amd64", known).fetch(released(url), ["tool"], out, silent)
    liar.files = {"/v1.0.0/tool": b"evil", "/v1.0.0/sums": sums(b"evil", "tool")}
    with pytest.raises(ChecksumMismatch, match="was downloaded before"):
        await Downloads("amd64", known).fetch(released(url), ["tool"], out, silent)
