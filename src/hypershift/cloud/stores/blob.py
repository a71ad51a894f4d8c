"""Put a file into a container of Azure Blob Storage, block by block."""

import hashlib
import json
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from urllib.parse import quote, urlencode

from hypershift.cloud.stores import hosts
from hypershift.cloud.stores.http import LONGEST_ANSWER, Answer, Call, StoreFailed, send
from hypershift.kit import Secret

VERSION = "2023-11-03"
SCOPE = "https://storage.azure.com/"
LOGIN = "https://login.microsoftonline.com"
METADATA = "http://169.254.169.254/metadata/identity/oauth2/token"
ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
#: Bytes of a block: the most that is in memory. 50,000 blocks are the most that a blob has.
BLOCK = 16 * 1024 * 1024


class AuthType(StrEnum):
    """How a token is got."""

    CLIENT_SECRET = "client-secret"  # noqa: S105 - the name of a way
    WORKLOAD_IDENTITY = "workload-identity"
    MANAGED_IDENTITY = "managed-identity"


@dataclass(frozen=True, slots=True)
class BlobAccess:
    """Who asks for a token; which of the fields count depends on the way."""

    kind: AuthType
    client: str = ""
    tenant: str = ""
    secret: Secret[str] | None = None
    token_file: Path | None = None
    login: str = LOGIN
    metadata: str = METADATA


def blob_token(access: BlobAccess) -> Secret[str]:
    """A token for the store."""
    if access.kind is AuthType.MANAGED_IDENTITY:
        query = {"api-version": "2018-02-01", "resource": SCOPE}
        query |= {"client_id": access.client} if access.client else {}
        call = Call("GET", f"{access.metadata}?{urlencode(query)}", {"Metadata": "true"})
    else:
        call = _login(access)
    answer = send(lambda: call)
    try:
        return Secret(str(json.loads(answer.body)["access_token"]))
    except (ValueError, KeyError, TypeError):
        raise StoreFailed("the identity service gives no token") from None


def _login(access: BlobAccess) -> Call:
    fields = {
        "client_id": access.client,
        "grant_type": "client_credentials",
        "scope": f"{SCOPE}.default",
    }
    if access.kind is AuthType.CLIENT_SECRET:
        fields["client_secret"] = access.secret.reveal() if access.secret else ""
    else:
        token = access.token_file.read_text().strip() if access.token_file else ""
        fields |= {"client_assertion_type": ASSERTION, "client_assertion": token}
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    url = f"{access.login}/{quote(access.tenant, '')}/oauth2/v2.0/token"
    return Call("POST", url, headers, urlencode(fields).encode())


@dataclass(frozen=True, slots=True)
class Blob:
    """A container of a storage account; `endpoint` is for accounts at another address."""

    account: str
    container: str
    token: Secret[str] = field(repr=False)
    encryption_scope: str = ""
    endpoint: str = ""
    block: int = BLOCK

    def put(self, key: str, path: Path) -> str:
        """Upload a file and return its address. Blocks that no list names vanish by themselves."""
        url = self.url_of(key)
        names = []
        for index, body in enumerate(_blocks(path, self.block)):
            names.append(b64encode(f"{index:08d}".encode()).decode())
            query = urlencode({"comp": "block", "blockid": names[-1]})
            digest = b64encode(hashlib.md5(body, usedforsecurity=False).digest()).decode()
            self._send("PUT", f"{url}?{query}", {"Content-MD5": digest}, body)
        listed = "".join(f"<Latest>{name}</Latest>" for name in names)
        body = f"<?xml version='1.0' encoding='utf-8'?><BlockList>{listed}</BlockList>".encode()
        self._send("PUT", f"{url}?comp=blocklist", {}, body)
        size = path.stat().st_size
        stored = int(self._send("HEAD", url, {}).headers.get("content-length") or 0)
        if stored != size:
            raise StoreFailed(f"the store has {stored} of {size} bytes of {key}")
        return url

    def url_of(self, key: str) -> str:
        """Where an object is."""
        host = self.endpoint or f"https://{hosts.azure_blob(self.account)}"
        return f"{host}/{self.container}/{quote(key, '/')}"

    def get(self, key: str, longest: int) -> bytes:
        """Read a small object; one that is longer is refused."""
        answer = self._send("GET", self.url_of(key), {}, longest=longest + 1)
        if len(answer.body) > longest:
            raise StoreFailed(f"{key} has more than {longest} bytes")
        return answer.body

    def _send(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: bytes = b"",
        *,
        longest: int = LONGEST_ANSWER,
    ) -> Answer:
        common = {"x-ms-version": VERSION, "Authorization": f"Bearer {self.token.reveal()}"}
        if self.encryption_scope and method == "PUT":
            common["x-ms-encryption-scope"] = self.encryption_scope
        return send(lambda: Call(method, url, {**common, **headers}, body), longest=longest)


def _blocks(path: Path, size: int) -> Iterator[bytes]:
    with path.open("rb") as source:
        while block := source.read(size):
            yield block
