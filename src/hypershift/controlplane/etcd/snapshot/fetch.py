"""Downloads a snapshot to a member's disk before it starts: `fetch-etcd-snapshot`.

    nothing -> snapshot.db.part -> verified -> snapshot.db

Only a verified file gets the final name, so a container that is interrupted can start again. The
address may hold a signature: it comes by the environment and no message repeats it.
"""

import http.client
import os
import shutil
import ssl
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from hypershift.component.encryption_keys import AESCBC
from hypershift.controlplane.etcd.snapshot.bolt import NotASnapshot
from hypershift.controlplane.etcd.snapshot.content import Content
from hypershift.controlplane.etcd.snapshot.file import CHUNK, verified
from hypershift.kit import HypershiftError

#: etcd's quota is 8 GiB; a database may be a little above it when the alarm rings.
LARGEST = 10 * 1024**3
#: Seconds that a store may be silent.
SILENCE = 60.0
#: Members unpack the snapshot beside it, so the disk must have it twice.
COPIES = 2


class CannotFetch(HypershiftError):
    """A snapshot that its store does not give."""


@dataclass(frozen=True, slots=True)
class Fetch:
    """Where a snapshot comes from, where it goes, and how large it may be."""

    url: str
    target: Path
    largest: int = LARGEST
    #: Authorities beside the usual ones, for a store of the user's own.
    trust: Path | None = None
    #: Keys in Secrets that the cluster decrypts with, as stored values name them.
    decrypts: frozenset[str] = frozenset()


class _NoDowngrade(urllib.request.HTTPRedirectHandler):
    """Follow a store's redirects, but to https alone."""

    def redirect_request(  # noqa: PLR0917 - the signature of the library
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        if urlsplit(newurl).scheme != urlsplit(req.full_url).scheme:
            fp.close()
            raise CannotFetch("the store redirects to an address that is not https")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def fetch(wanted: Fetch) -> Content | None:
    """Bring the snapshot; None when it is there already, verified by an earlier run."""
    if wanted.target.exists():
        return None
    part = wanted.target.with_name(wanted.target.name + ".part")
    try:
        download(wanted, part)
        found = verified(part, tallied=False)
        _check_keys(found, wanted.decrypts)
    except HypershiftError:
        part.unlink(missing_ok=True)
        raise
    # Which etcd wrote it: the container that unpacks it knows which one shall read it.
    wanted.target.with_name(wanted.target.name + ".version").write_text(found.version)
    part.rename(wanted.target)
    return found


def _check_keys(found: Content, known: frozenset[str]) -> None:
    """Refuse data that the API server could not read; a key service's keys are not known here."""
    missing = {name for name in found.encrypted_with if name.startswith(f"{AESCBC}/")} - known
    if missing:
        needs = f"its values are encrypted with {', '.join(sorted(missing))}"
        has = ", ".join(sorted(known)) or "no key"
        raise NotASnapshot(f"{needs}, and the cluster has {has}: give it the old cluster's key")


def download(wanted: Fetch, part: Path) -> None:
    """Bring a file from its store as it is, under another name; nothing is verified."""
    parts = urlsplit(wanted.url)
    if parts.scheme != "https":
        text = f"scheme {parts.scheme or 'none'} cannot be fetched without credentials"
        raise CannotFetch(f"{text}: give an https address that is signed in advance")
    try:
        secure = urllib.request.HTTPSHandler(context=_context(wanted.trust))
        opener = urllib.request.build_opener(_NoDowngrade, secure)
        with opener.open(wanted.url, timeout=SILENCE) as answer:
            _store(answer, wanted, part)
    except urllib.error.HTTPError as error:
        error.close()
        raise CannotFetch(f"{parts.hostname} answers {error.code}") from None
    except (OSError, http.client.HTTPException) as error:
        why = getattr(error, "reason", None) or error
        raise CannotFetch(f"cannot fetch from {parts.hostname}: {why}") from None


def _context(trust: Path | None) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if trust is not None:
        context.load_verify_locations(trust)
    return context


def _store(answer: http.client.HTTPResponse, wanted: Fetch, part: Path) -> None:
    size = int(answer.headers.get("Content-Length") or 0)
    _check_size(size, wanted, part)
    taken = 0
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as target:
        while piece := answer.read(CHUNK):
            taken += len(piece)
            if taken > wanted.largest:
                _check_size(taken, wanted, part)
            target.write(piece)
        target.flush()
        os.fsync(target.fileno())
    if size and taken != size:
        raise CannotFetch(f"the store ended after {taken} of {size} bytes")


def _check_size(size: int, wanted: Fetch, part: Path) -> None:
    if size > wanted.largest:
        raise NotASnapshot(f"it is larger than {wanted.largest} bytes")
    free = shutil.disk_usage(part.parent).free
    if size * COPIES > free:
        text = f"{size} bytes are needed {COPIES} times, and {free} are free"
        raise CannotFetch(f"the disk of the member is too small to restore: {text}")
