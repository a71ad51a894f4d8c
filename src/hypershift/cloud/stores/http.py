"""One request to a store: answers are bounded, failures name the host and never a credential."""

import http.client
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from hypershift.kit import HypershiftError

#: Seconds that a store may be silent, and bytes of an answer that are read.
SILENCE = 120.0
LONGEST_ANSWER = 64 * 1024
LONGEST_EXCERPT = 1000
#: Answers after which the same request may succeed, and the pauses before it is sent again.
PASSING = frozenset({408, 429, 500, 502, 503, 504})
PAUSES = (1.0, 4.0, 10.0)
#: Where AWS and Azure say what is wrong, where Azure's identity service does, and AWS in JSON.
CODE = re.compile(
    r'<Code>([\w.]{1,100})</Code>|"error":\s?"([\w.]{1,100})"'
    r'|"__type":\s?"(?:[\w.]{1,100}#)?([\w.]{1,100})"',
    re.ASCII,
)
_CODE = re.compile(r"[\w.]{1,100}", re.ASCII)


class StoreFailed(HypershiftError):
    """A request that a store refused, or that did not reach it.

    `status` is that of the answer, 0 without one; `code` is the store's own word for why.
    """

    def __init__(self, message: str, *, status: int = 0, code: str = "") -> None:
        """Remember what the store answered."""
        super().__init__(message)
        self.status = status
        self.code = code


@dataclass(frozen=True, slots=True)
class Answer:
    """What a store answered."""

    headers: Mapping[str, str]
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Call:
    """A request to a store; its headers may hold credentials."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes = field(default=b"", repr=False)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A signed request is for one host: following a redirect would hand its signature on."""

    def redirect_request(self, *_: object, **__: object) -> None:
        return None


def send(
    make: Callable[[], Call],
    sleep: Callable[[float], None] = time.sleep,
    longest: int = LONGEST_ANSWER,
) -> Answer:
    """Send a request, and again after a passing failure; `make` signs it again each time."""
    for pause in (*PAUSES, None):
        call = make()
        try:
            return _once(call, longest)
        except urllib.error.HTTPError as error:
            word = _word(error)
            error.close()
            if error.code not in PASSING or pause is None:
                said = f"{error.code} {word}".strip()
                text = f"{call.method} at {urlsplit(call.url).hostname}: {said}"
                raise StoreFailed(text, status=error.code, code=word) from None
        except (OSError, http.client.HTTPException) as error:
            if pause is None:
                why = getattr(error, "reason", None) or error
                raise StoreFailed(
                    f"{call.method} at {urlsplit(call.url).hostname}: {why}"
                ) from None
        sleep(pause)
    raise AssertionError


def _word(error: urllib.error.HTTPError) -> str:
    """The store's own word for what is wrong.

    Nothing else of its answer is told: conditions repeat errors to people who may not know more,
    and it may be the answer of another service, or have the key's name in it.
    """
    if (word := error.headers.get("x-ms-error-code", "")) and _CODE.fullmatch(word):
        return str(word)
    text = error.read(LONGEST_EXCERPT).decode(errors="replace")
    found = CODE.search(text)
    return next(filter(None, found.groups()), "") if found else ""


def _once(call: Call, longest: int) -> Answer:
    if urlsplit(call.url).scheme not in ("http", "https"):
        # The library would read `file:` too, and a store's address may be a line of a file.
        raise StoreFailed("the address of the store is neither http nor https")
    request = urllib.request.Request(  # noqa: S310 - addresses are made by this package
        call.url, data=call.body or None, headers=dict(call.headers), method=call.method
    )
    if not request.has_header("Content-type"):
        # The library would call every body a form, and a store might take it for one.
        request.add_header("Content-Type", "application/octet-stream")
    if call.method == "PUT" and not call.body:
        request.add_header("Content-Length", "0")
    opener = urllib.request.build_opener(_NoRedirect)
    with opener.open(request, timeout=SILENCE) as answer:
        headers = {name.lower(): value for name, value in answer.headers.items()}
        return Answer(headers, answer.read(longest))
