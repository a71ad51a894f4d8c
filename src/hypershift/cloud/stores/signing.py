"""Sign a request as S3 wants it (Signature Version 4)."""

import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime
from urllib.parse import quote, urlsplit

from hypershift.cloud.stores.http import Call
from hypershift.cloud.stores.keys import Keys

ALGORITHM = "AWS4-HMAC-SHA256"
SAFE = "-_.~"


def signed(
    call: Call,
    query: Mapping[str, str],
    keys: Keys,
    region: str,
    now: datetime,
    *,
    service: str = "s3",
) -> Call:
    """The request with its query and signature; the signature covers the body's digest."""
    stamp = now.strftime("%Y%m%dT%H%M%SZ")
    parts = urlsplit(call.url)
    digest = hashlib.sha256(call.body).hexdigest()
    headers = {
        **{name.lower(): value for name, value in call.headers.items()},
        "host": parts.netloc,
        "x-amz-content-sha256": digest,
        "x-amz-date": stamp,
    }
    if keys.token:
        headers["x-amz-security-token"] = keys.token.reveal()
    names = ";".join(sorted(headers))
    words = "&".join(
        f"{quote(name, SAFE)}={quote(value, SAFE)}" for name, value in sorted(query.items())
    )
    lines = "".join(f"{name}:{headers[name].strip()}\n" for name in sorted(headers))
    request = f"{call.method}\n{parts.path}\n{words}\n{lines}\n{names}\n{digest}"
    place = f"{stamp[:8]}/{region}/{service}/aws4_request"
    text = "\n".join((ALGORITHM, stamp, place, hashlib.sha256(request.encode()).hexdigest()))
    key = b"AWS4" + keys.secret.reveal().encode()
    for word in (*place.split("/"), text):
        key = hmac.digest(key, word.encode(), "sha256")
    authorization = f"{ALGORITHM} Credential={keys.access}/{place}, "
    authorization += f"SignedHeaders={names}, Signature={key.hex()}"
    url = f"{call.url}?{words}" if words else call.url
    return Call(call.method, url, {**headers, "authorization": authorization}, call.body)
