"""Sign a request as S3 wants it (Signature Version 4)."""

import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime, timedelta
from urllib.parse import quote, urlsplit

from hypershift.cloud.stores.http import Call
from hypershift.cloud.stores.keys import Keys

ALGORITHM = "AWS4-HMAC-SHA256"
SAFE = "-_.~"
#: The longest that S3 takes an address for.
LONGEST = timedelta(days=7)


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
    words = _words(query)
    lines = "".join(f"{name}:{headers[name].strip()}\n" for name in sorted(headers))
    request = f"{call.method}\n{parts.path}\n{words}\n{lines}\n{names}\n{digest}"
    place = _place(stamp, region, service)
    authorization = f"{ALGORITHM} Credential={keys.access}/{place}, "
    authorization += f"SignedHeaders={names}, Signature={_signature(keys, stamp, place, request)}"
    url = f"{call.url}?{words}" if words else call.url
    return Call(call.method, url, {**headers, "authorization": authorization}, call.body)


def presigned(url: str, keys: Keys, region: str, now: datetime, lasts: timedelta) -> str:
    """An address that anybody may GET for a time: the signature is in its query."""
    stamp, parts = now.strftime("%Y%m%dT%H%M%SZ"), urlsplit(url)
    place = _place(stamp, region, "s3")
    query = {
        "X-Amz-Algorithm": ALGORITHM,
        "X-Amz-Credential": f"{keys.access}/{place}",
        "X-Amz-Date": stamp,
        "X-Amz-Expires": str(int(min(lasts, LONGEST).total_seconds())),
        "X-Amz-SignedHeaders": "host",
    }
    if keys.token:
        query["X-Amz-Security-Token"] = keys.token.reveal()
    words = _words(query)
    request = f"GET\n{parts.path}\n{words}\nhost:{parts.netloc}\n\nhost\nUNSIGNED-PAYLOAD"
    return f"{url}?{words}&X-Amz-Signature={_signature(keys, stamp, place, request)}"


def _words(query: Mapping[str, str]) -> str:
    return "&".join(
        f"{quote(name, SAFE)}={quote(value, SAFE)}" for name, value in sorted(query.items())
    )


def _place(stamp: str, region: str, service: str) -> str:
    return f"{stamp[:8]}/{region}/{service}/aws4_request"


def _signature(keys: Keys, stamp: str, place: str, request: str) -> str:
    text = "\n".join((ALGORITHM, stamp, place, hashlib.sha256(request.encode()).hexdigest()))
    key = b"AWS4" + keys.secret.reveal().encode()
    for word in (*place.split("/"), text):
        key = hmac.digest(key, word.encode(), "sha256")
    return key.hex()
