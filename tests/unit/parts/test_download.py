import gzip
import hashlib
import io
import json
import shutil
import tarfile
from base64 import b64encode
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from tests.lib.openpgp import MADE, Signer
from tests.lib.sigstore import ACCOUNT, ISSUER, NOW, WORKFLOW, Sigstore, sign

from hypershift.parts import download
from hypershift.parts.download import DOCUMENT_BYTES, Downloads
from hypershift.parts.errors import ChecksumMismatch, PartUnavailable, SignatureRefused
from hypershift.parts.part import GoModule, Release
from hypershift.parts.signature import openpgp, signed
from hypershift.parts.signing import Attestation, Keyless, OpenPgp, Signing

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


#: The moment at which the releases of these tests are signed.
SIGNED_FOR = MADE + timedelta(hours=12)


def signed_by(signing: Signing, url: str) -> GoModule:
    module = released(url)
    assert module.release
    return replace(module, release=replace(module.release, signed=signing))


@pytest.fixture
def alice(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Signer:
    """Somebody whose public key we carry."""
    directory = tmp_path_factory.mktemp("keys")
    signer = Signer("Alice <alice@example.com>")
    (directory / f"{signer.fingerprint}.asc").write_bytes(signer.public())
    monkeypatch.setattr(openpgp, "KEYS_DIRECTORY", directory)
    return signer


async def gpgv() -> Sequence[str]:
    if found := shutil.which("gpgv"):
        return (found,)
    pytest.skip("gpgv is not on this machine")


def listed(content: bytes) -> str:
    return sums(content, "tool").decode()


async def test_a_signed_list_lets_its_file_in(
    server: tuple[Liar, str], alice: Signer, tmp_path: Path
) -> None:
    liar, url = server
    module = signed_by(OpenPgp((alice.fingerprint,), MADE.date()), url)
    document = alice.clear_signed(listed(CONTENT), SIGNED_FOR)
    liar.files = {"/v1.0.0/tool": CONTENT, "/v1.0.0/sums": document}
    found = await Downloads("amd64", gpgv=gpgv).fetch(module, ["tool"], tmp_path, silent)
    assert found["tool"].signer == f"OpenPGP key {alice.fingerprint}"
    assert names(tmp_path) == ["tool"]


@pytest.mark.parametrize("pinned", [False, True])
async def test_bytes_whose_list_was_not_signed_are_refused_and_removed(
    server: tuple[Liar, str],
    alice: Signer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    pinned: bool,
) -> None:
    liar, url = server
    if pinned:
        pin = hashlib.sha256(b"evil").hexdigest()
        monkeypatch.setattr(download, "pinned_download", {f"{url}/v1.0.0/tool": pin}.get)
    module = signed_by(OpenPgp((alice.fingerprint,), MADE.date()), url)
    known, out = tmp_path / "known.json", tmp_path / "out"
    out.mkdir()
    true = alice.clear_signed(listed(CONTENT), SIGNED_FOR)
    other = alice.clear_signed(listed(CONTENT).replace("tool", "tool-1.0"), SIGNED_FOR)
    evil = listed(b"evil").encode()
    for document in (evil, Signer("Mallory").clear_signed(listed(b"evil"), SIGNED_FOR), other,
                     true + evil, true):  # fmt: skip
        liar.files = {"/v1.0.0/tool": b"evil", "/v1.0.0/sums": document}
        with pytest.raises((SignatureRefused, ChecksumMismatch, PartUnavailable)) as caught:
            await Downloads("amd64", known, gpgv=gpgv).fetch(module, ["tool"], out, silent)
        assert names(out) == []
        assert not pinned or "not used" in str(caught.value)
    assert not known.exists()


async def test_without_gpgv_nothing_that_people_sign_is_taken(
    server: tuple[Liar, str], alice: Signer, tmp_path: Path
) -> None:
    liar, url = server
    module = signed_by(OpenPgp((alice.fingerprint,), MADE.date()), url)
    document = alice.clear_signed(listed(CONTENT), SIGNED_FOR)
    liar.files = {"/v1.0.0/tool": CONTENT, "/v1.0.0/sums": document}
    with pytest.raises(SignatureRefused, match="without gpgv"):
        await Downloads("amd64").fetch(module, ["tool"], tmp_path, silent)
    assert names(tmp_path) == []


async def test_what_a_workflow_attests_is_taken_and_nothing_else(
    server: tuple[Liar, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    liar, url = server
    sigstore = Sigstore()
    monkeypatch.setattr(signed, "pinned_trust", lambda: sigstore.trust)
    module = signed_by(Attestation(WORKFLOW, ISSUER, f"{url}/v{{version}}/bundle"), url)
    bundle = json.dumps(sigstore.bundle({"tool": CONTENT})).encode()
    for content in (CONTENT, b"evil"):
        liar.files = {
            "/v1.0.0/tool": content,
            "/v1.0.0/sums": sums(content, "tool"),
            "/v1.0.0/bundle": bundle,
        }
        fetch = Downloads("amd64").fetch(module, ["tool"], tmp_path, silent)
        if content == CONTENT:
            assert (await fetch)["tool"].signer == WORKFLOW
        else:
            with pytest.raises(SignatureRefused, match="not of this tool: not used"):
                await fetch


async def test_what_an_account_signs_is_taken_and_nothing_else(
    server: tuple[Liar, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    liar, url = server
    sigstore = Sigstore()
    monkeypatch.setattr(signed, "pinned_trust", lambda: sigstore.trust)
    leaf, place = sigstore.leaf(ACCOUNT), f"{url}/v{{version}}/{{name}}"
    module = signed_by(Keyless(ACCOUNT, ISSUER, NOW.date(), f"{place}.sig", f"{place}.cert"), url)
    signature = b64encode(sign(leaf.key, CONTENT))
    for content in (CONTENT, b"evil"):
        liar.files = {
            "/v1.0.0/tool": content,
            "/v1.0.0/sums": sums(content, "tool"),
            "/v1.0.0/tool.sig": signature,
            "/v1.0.0/tool.cert": b64encode(leaf.pem),
        }
        fetch = Downloads("amd64").fetch(module, ["tool"], tmp_path, silent)
        if content == CONTENT:
            assert (await fetch)["tool"].signer == ACCOUNT
        else:
            with pytest.raises(SignatureRefused, match="other bytes: not used"):
                await fetch


@pytest.mark.parametrize(
    ("document", "why"),
    [(None, "bundle answered 404"), (b" " * (DOCUMENT_BYTES + 1), f"more than {DOCUMENT_BYTES}")],
    ids=["missing", "endless"],
)
async def test_no_file_is_fetched_without_a_signature_of_sane_size(
    server: tuple[Liar, str], tmp_path: Path, document: bytes | None, why: str
) -> None:
    liar, url = server
    module = signed_by(Attestation(WORKFLOW, ISSUER, f"{url}/v{{version}}/bundle"), url)
    liar.files = {"/v1.0.0/tool": CONTENT, "/v1.0.0/sums": sums(CONTENT, "tool")}
    liar.files |= {} if document is None else {"/v1.0.0/bundle": document}
    with pytest.raises(PartUnavailable, match=why):
        await Downloads("amd64").fetch(module, ["tool"], tmp_path, silent)
    assert "/v1.0.0/tool" not in liar.asked
