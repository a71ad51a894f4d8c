"""Official downloads: a binary or archive, checked against a checksum and a signature.

A pin of ours wins over what the host publishes; and the checksum of the first download of an
address is kept, so that the host cannot publish other bytes for it later. Where the table says how
upstream signs a release, nothing is taken without that signature, pinned or not.
"""

import asyncio
import hashlib
import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from hypershift.parts.archive import extracted
from hypershift.parts.checksum import published_checksum
from hypershift.parts.errors import ChecksumMismatch, PartUnavailable, SignatureRefused
from hypershift.parts.lock import Report
from hypershift.parts.part import GoModule
from hypershift.parts.pins import pinned_download
from hypershift.parts.signing import OpenPgp, Signing

if TYPE_CHECKING:  # a machine that has all parts needs no client to download them
    import aiohttp

CHUNK = 1 << 20
#: Short, because a build is the other way and a user should not wait a minute for it to begin.
CONNECT_SECONDS, READ_SECONDS = 4, 20
#: The most that a list of checksums, a signature or an attestation may have, and take.
DOCUMENT_BYTES, DOCUMENT_SECONDS = 1 << 20, 60


@dataclass(frozen=True, slots=True)
class Downloaded:
    """A binary, the address that it came from, and the sha256 of what that address gave."""

    file: Path
    url: str
    sha256: str
    #: Who signed what the address gave; empty where upstream signs nothing.
    signer: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """A release's addresses with everything filled in, and how upstream signs it."""

    url: str
    checksums: str
    member: str
    signing: Signing | None
    #: What has to be fetched to check the signature.
    proofs: tuple[str, ...]

    @property
    def file(self) -> str:
        return self.url.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Archive:
    """What an address gave, once it was found to be right."""

    file: Path
    sha256: str
    signer: str


async def no_gpgv() -> Sequence[str]:
    """Stand in where OpenPGP is not expected."""
    raise PartUnavailable("its signature cannot be checked without gpgv")


@dataclass(slots=True)
class Downloads:
    """Fetches releases, and remembers the hosts that could not be reached."""

    architecture: str
    #: Where the checksums of first downloads are kept, by address.
    known: Path | None = None
    #: Take nothing that has no checksum of ours.
    pinned_only: bool = False
    #: Gets the command that checks signatures of people.
    gpgv: Callable[[], Awaitable[Sequence[str]]] = no_gpgv
    unreachable: set[str] = field(default_factory=set)

    async def fetch(
        self, module: GoModule, names: Sequence[str], out: Path, report: Report
    ) -> dict[str, Downloaded]:
        """Put released binaries into a directory; raises when any cannot be had, or is wrong."""
        import aiohttp  # noqa: PLC0415 - see above

        patience = aiohttp.ClientTimeout(
            total=None, sock_connect=CONNECT_SECONDS, sock_read=READ_SECONDS
        )
        async with aiohttp.ClientSession(timeout=patience, trust_env=True) as session:
            found: dict[str, Downloaded] = {}
            archives: dict[str, Archive] = {}
            for name in names:
                source = self._source(module, name)
                url = source.url
                if url not in archives:
                    self._refuse_unreachable(url)
                    self._refuse_unpinned(url)
                    report(f"{name} {module.version}: downloading {url}")
                    archives[url] = await self._verified(session, source, out)
                got = archives[url]
                file = extracted(got.file, source.member, out / name)
                found[name] = Downloaded(file, url, got.sha256, got.signer)
            return found

    def _refuse_unreachable(self, url: str) -> None:
        with _Reach(self.unreachable, url):
            return

    def _refuse_unpinned(self, url: str) -> None:
        if self.pinned_only and not pinned_download(url):
            raise PartUnavailable(f"no checksum of {url} is pinned")

    def _source(self, module: GoModule, name: str) -> Source:
        if module.release is None:
            raise PartUnavailable(f"{module.upstream} publishes no binaries")
        values = {"version": module.version, "arch": self.architecture, "name": name}
        release = module.release
        proofs = release.signed.addresses if release.signed else ()
        return Source(
            release.url.format(**values),
            release.checksums.format(**values),
            release.member.format(**values),
            release.signed,
            tuple(each.format(**values) for each in proofs),
        )

    async def _verified(
        self, session: "aiohttp.ClientSession", source: Source, out: Path
    ) -> Archive:
        """A file with the pinned checksum, or else the published one, and with its signature."""
        url = source.url
        target = out / f"{hashlib.sha256(url.encode()).hexdigest()[:8]}-{source.file}"
        expected, by = pinned_download(url), "is pinned"
        checksums = b""
        if not expected or isinstance(source.signing, OpenPgp):
            checksums = await self._get(session, source.checksums)
        if not expected:
            text = checksums.decode(errors="replace")
            expected, by = published_checksum(text, source.file), "was published"
        proofs = [await self._get(session, each) for each in source.proofs]
        digest = await self._save(session, url, target)
        first = self._recorded().get(url, digest)
        if digest != expected or digest != first:
            target.unlink()
            other, why = (expected, by) if digest != expected else (first, "was downloaded before")
            raise ChecksumMismatch(f"{url} has sha256 {digest}, but {other} {why}: not used")
        try:
            signer = await self._signer(source, digest, checksums, tuple(proofs), out)
        except (SignatureRefused, PartUnavailable) as error:
            target.unlink()
            raise SignatureRefused(f"{url}: {error}: not used") from error
        self._record(url, digest)
        return Archive(target, digest, signer)

    async def _signer(
        self,
        source: Source,
        digest: str,
        checksums: bytes,
        proofs: tuple[bytes, ...],
        out: Path,
    ) -> str:
        """Who signed the file with this digest; empty where upstream signs nothing."""
        if source.signing is None:
            return ""
        from hypershift.parts.signature import Signed, check  # noqa: PLC0415 - cryptography

        signed = Signed(source.file, digest, checksums, proofs)
        return await check(source.signing, signed, self.gpgv, out)

    def _recorded(self) -> dict[str, str]:
        try:
            text = self.known.read_bytes() if self.known else b"{}"
            return msgspec.json.decode(text, type=dict[str, str])
        except FileNotFoundError:
            return {}
        except msgspec.DecodeError as error:
            raise PartUnavailable(f"{self.known} is damaged: remove it, try again") from error

    def _record(self, url: str, digest: str) -> None:
        """Keep a checksum; a second process would write the same."""
        if self.known is None or self._recorded().get(url) == digest:
            return
        self.known.parent.mkdir(parents=True, exist_ok=True)
        whole = self.known.with_name(f".{self.known.name}.{os.getpid()}")
        whole.write_bytes(msgspec.json.encode({**self._recorded(), url: digest}))
        whole.replace(self.known)

    async def _get(self, session: "aiohttp.ClientSession", url: str) -> bytes:
        """A document that fits in memory; one that is longer or takes too long is left."""
        content = b""
        with _Reach(self.unreachable, url):
            async with (
                asyncio.timeout(DOCUMENT_SECONDS),
                session.get(url, raise_for_status=True) as response,
            ):
                async for chunk in response.content.iter_chunked(CHUNK):
                    content += chunk
                    if len(content) > DOCUMENT_BYTES:
                        raise PartUnavailable(f"{url} has more than {DOCUMENT_BYTES} bytes")
        return content

    async def _save(self, session: "aiohttp.ClientSession", url: str, target: Path) -> str:
        digest = hashlib.sha256()
        with _Reach(self.unreachable, url), target.open("wb") as stream:
            async with session.get(url, raise_for_status=True) as response:
                async for chunk in response.content.iter_chunked(CHUNK):
                    digest.update(chunk)
                    stream.write(chunk)
        return digest.hexdigest()


class _Reach:
    """Turns what a network does to us into one kind of error."""

    def __init__(self, unreachable: set[str], url: str) -> None:
        self._unreachable = unreachable
        self._url = url
        self._host = urlsplit(url).netloc

    def __enter__(self) -> None:
        if self._host in self._unreachable:
            raise PartUnavailable(f"{self._host} could not be reached before")

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        import aiohttp  # noqa: PLC0415 - see above

        if isinstance(error, aiohttp.ClientResponseError):
            raise PartUnavailable(f"{self._url} answered {error.status}") from error
        if isinstance(error, aiohttp.ClientConnectionError | TimeoutError):
            self._unreachable.add(self._host)
            raise PartUnavailable(f"{self._host} cannot be reached") from error
        if isinstance(error, aiohttp.ClientError):
            raise PartUnavailable(f"the connection for {self._url} was cut") from error
