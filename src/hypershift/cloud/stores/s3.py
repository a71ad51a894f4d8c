"""Put a file into an S3 bucket in pieces; an upload that fails leaves nothing behind."""

import hashlib
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

from hypershift.cloud.stores import hosts
from hypershift.cloud.stores.http import LONGEST_ANSWER, Answer, Call, StoreFailed, send
from hypershift.cloud.stores.keys import Keys
from hypershift.cloud.stores.signing import SAFE, presigned, signed

#: Bytes of a piece: the most that is in memory. 10,000 pieces are the most that S3 takes.
PIECE = 16 * 1024 * 1024
_NOT_FOUND = 404


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Bucket:
    """A bucket, and how its objects are encrypted; `endpoint` is for stores that speak S3."""

    name: str
    region: str
    keys: Keys = field(repr=False)
    kms_key: str = ""
    endpoint: str = ""
    clock: Callable[[], datetime] = _now
    piece: int = PIECE

    def put(self, key: str, path: Path) -> str:
        """Upload a file and return its address; needs the right to write and no other."""
        if path.stat().st_size <= self.piece:
            body = path.read_bytes()
            _check_tag(self._send("PUT", key, body=body, headers=self._encryption), body)
        else:
            self._put_pieces(key, path)
        return f"s3://{self.name}/{key}"

    def write(self, key: str, body: bytes, content_type: str) -> None:
        """Store a small object, in place of one that is there."""
        headers = {**self._encryption, "content-type": content_type}
        _check_tag(self._send("PUT", key, body=body, headers=headers), body)

    def delete(self, key: str) -> None:
        """Delete an object; one that is not there, or whose bucket is gone, is deleted."""
        try:
            self._send("DELETE", key)
        except StoreFailed as error:
            if error.status != _NOT_FOUND:
                raise

    def _put_pieces(self, key: str, path: Path) -> None:
        started = self._send("POST", key, {"uploads": ""}, headers=self._encryption)
        upload = _text(started, "UploadId")
        try:
            tags = [
                self._put_piece(key, {"partNumber": str(number), "uploadId": upload}, body)
                for number, body in enumerate(_pieces(path, self.piece), start=1)
            ]
            answer = self._send("POST", key, {"uploadId": upload}, body=_parts(tags))
            # An error after the first byte comes with status 200.
            _text(answer, "ETag")
        except (StoreFailed, OSError):
            with suppress(StoreFailed):
                self._send("DELETE", key, {"uploadId": upload})
            raise

    def _put_piece(self, key: str, query: Mapping[str, str], body: bytes) -> str:
        answer = self._send("PUT", key, query, body=body)
        _check_tag(answer, body)
        return answer.headers.get("etag", "")

    def get(self, key: str, longest: int) -> bytes:
        """Read a small object; one that is longer is refused."""
        answer = self._send("GET", key, longest=longest + 1)
        if len(answer.body) > longest:
            raise StoreFailed(f"{key} has more than {longest} bytes")
        return answer.body

    def presigned(self, key: str, lasts: timedelta) -> str:
        """An address by which anybody may read an object for a time."""
        return presigned(self.url_of(key), self.keys, self.region, self.clock(), lasts)

    @property
    def _encryption(self) -> dict[str, str]:
        if not self.kms_key:
            return {}
        return {
            "x-amz-server-side-encryption": "aws:kms",
            "x-amz-server-side-encryption-aws-kms-key-id": self.kms_key,
        }

    def _send(
        self,
        method: str,
        key: str,
        query: Mapping[str, str] | None = None,
        *,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        longest: int = LONGEST_ANSWER,
    ) -> Answer:
        call = Call(method, self.url_of(key), headers or {}, body)
        return send(
            lambda: signed(call, query or {}, self.keys, self.region, self.clock()),
            longest=longest,
        )

    def url_of(self, key: str) -> str:
        """Where an object is; a store of the user's own has the bucket in the path."""
        path = quote(key, f"/{SAFE}")
        if self.endpoint:
            return f"{self.endpoint.rstrip('/')}/{self.name}/{path}"
        host = hosts.aws("s3", self.region)
        # The certificate of the store has one wildcard: a name with dots goes into the path.
        if "." in self.name:
            return f"https://{host}/{self.name}/{path}"
        return f"https://{self.name}.{host}/{path}"


def _check_tag(answer: Answer, body: bytes) -> None:
    """Compare what the store says it has; of objects under a key service the tag says nothing."""
    tag = answer.headers.get("etag", "").strip('"')
    if answer.headers.get("x-amz-server-side-encryption", "").startswith("aws:kms"):
        return
    if tag and tag != hashlib.md5(body, usedforsecurity=False).hexdigest():
        raise StoreFailed("the store has other bytes than it was sent")


def _pieces(path: Path, size: int) -> Iterator[bytes]:
    with path.open("rb") as source:
        while piece := source.read(size):
            yield piece


def _parts(tags: list[str]) -> bytes:
    root = ET.Element("CompleteMultipartUpload")
    for number, tag in enumerate(tags, start=1):
        part = ET.SubElement(root, "Part")
        ET.SubElement(part, "PartNumber").text = str(number)
        ET.SubElement(part, "ETag").text = tag
    return ET.tostring(root)


def _text(answer: Answer, name: str) -> str:
    """The text of an element of the store's answer, whatever its namespace."""
    with suppress(ET.ParseError):
        for element in ET.fromstring(answer.body).iter():  # noqa: S314 - bounded, from the store
            if element.tag.rpartition("}")[2] == name and element.text:
                return element.text
    raise StoreFailed(f"the store's answer has no {name}")
