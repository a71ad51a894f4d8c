"""Official downloads: a binary or archive, checked against a checksum.

A pin of ours wins over what the host publishes; and the checksum of the first download of an
address is kept, so that the host cannot publish other bytes for it later.
"""

import hashlib
import os
import re
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from hypershift.parts.errors import ChecksumMismatch, PartUnavailable
from hypershift.parts.lock import Report
from hypershift.parts.part import GoModule
from hypershift.parts.pins import pinned_download

if TYPE_CHECKING:  # a machine that has all parts needs no client to download them
    import aiohttp

CHUNK = 1 << 20
#: Short, because a build is the other way and a user should not wait a minute for it to begin.
CONNECT_SECONDS, READ_SECONDS = 4, 20


@dataclass(frozen=True, slots=True)
class Downloaded:
    """A binary, the address that it came from, and the sha256 of what that address gave."""

    file: Path
    url: str
    sha256: str


@dataclass(slots=True)
class Downloads:
    """Fetches releases, and remembers the hosts that could not be reached."""

    architecture: str
    #: Where the checksums of first downloads are kept, by address.
    known: Path | None = None
    #: Take nothing whose checksum only its own host tells.
    pinned_only: bool = False
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
            archives: dict[str, tuple[Path, str]] = {}
            for name in names:
                url, checksums, member = self._addresses(module, name)
                if url not in archives:
                    self._refuse_unreachable(url)
                    self._refuse_unpinned(url)
                    report(f"{name} {module.version}: downloading {url}")
                    archives[url] = await self._verified(session, url, checksums, out)
                archive, digest = archives[url]
                found[name] = Downloaded(_extracted(archive, member, out / name), url, digest)
            return found

    def _refuse_unreachable(self, url: str) -> None:
        with _Reach(self.unreachable, url):
            return

    def _refuse_unpinned(self, url: str) -> None:
        if self.pinned_only and not pinned_download(url):
            raise PartUnavailable(f"the checksum of {url} is known from its own host alone")

    def _addresses(self, module: GoModule, name: str) -> tuple[str, str, str]:
        if module.release is None:
            raise PartUnavailable(f"{module.upstream} publishes no binaries")
        values = {"version": module.version, "arch": self.architecture, "name": name}
        release = module.release
        return (
            release.url.format(**values),
            release.checksums.format(**values),
            release.member.format(**values),
        )

    async def _verified(
        self, session: "aiohttp.ClientSession", url: str, checksums: str, out: Path
    ) -> tuple[Path, str]:
        """A file whose checksum is the pinned one, or else the published one, and that checksum."""
        target = out / f"{hashlib.sha256(url.encode()).hexdigest()[:8]}-{url.rpartition('/')[2]}"
        expected, by = pinned_download(url), "is pinned"
        if not expected:
            published = await self._get(session, checksums)
            text = published.decode(errors="replace")
            expected, by = published_checksum(text, url.rpartition("/")[2]), "was published"
        digest = await self._save(session, url, target)
        first = self._recorded().get(url, digest)
        if digest != expected or digest != first:
            target.unlink()
            other, why = (expected, by) if digest != expected else (first, "was downloaded before")
            raise ChecksumMismatch(f"{url} has sha256 {digest}, but {other} {why}: not used")
        self._record(url, digest)
        return target, digest

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
        with _Reach(self.unreachable, url):
            async with session.get(url, raise_for_status=True) as response:
                return await response.read()

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


def published_checksum(text: str, file: str) -> str:
    """The sha256 of a file in a published list, or the only one that is there."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    for words in lines:
        named = len(words) > 1 and words[-1].lstrip("*").rpartition("/")[2] == file
        if (named or len(lines) == len(words) == 1) and re.fullmatch(r"[0-9a-f]{64}", words[0]):
            return words[0]
    raise PartUnavailable(f"no published checksum for {file}")


def _extracted(download: Path, member: str, target: Path) -> Path:
    if not member:
        return download.rename(target)
    try:
        with tarfile.open(download) as archive:
            stream = archive.extractfile(_member(archive, member))
            if stream is None:
                raise PartUnavailable(f"{member} in {download.name} is not a file")
            with stream, target.open("wb") as out:
                while chunk := stream.read(CHUNK):
                    out.write(chunk)
    except (tarfile.TarError, KeyError, EOFError) as error:
        raise PartUnavailable(f"{download.name} has no {member}") from error
    return target


def _member(archive: tarfile.TarFile, wanted: str) -> tarfile.TarInfo:
    plain = wanted.removeprefix("./")
    for entry in archive:
        if entry.name.removeprefix("./") == plain:
            return entry
    raise KeyError(wanted)
