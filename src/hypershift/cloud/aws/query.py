"""AWS' query interfaces (EC2, ELB) without the SDK: what operators call AWS by.

A client of the SDK takes 60 MB for EC2 alone; every Dedicated control plane would hold one.
"""

import os
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from hypershift.cloud.aws.errors import AwsUnavailable, of_answer
from hypershift.cloud.stores import hosts
from hypershift.cloud.stores.http import Call, StoreFailed, send
from hypershift.cloud.stores.keys import Keys
from hypershift.cloud.stores.signing import signed

#: The version of each interface that we speak.
VERSIONS = {"ec2": "2016-11-15", "elasticloadbalancing": "2015-12-01", "sts": "2011-06-15"}
#: How AWS' variables for addresses spell services that have another name in hosts.
_VARIABLES = {"elasticloadbalancing": "ELASTIC_LOAD_BALANCING_V2", "route53": "ROUTE_53"}
#: Bytes of an answer that are read, and pages of a list.
LONGEST_ANSWER = 1 << 20
MOST_PAGES = 100
_LISTS = {"item", "member"}
_NAMESPACE = re.compile(r"\{[^}]*\}")


def endpoint(service: str, region: str, environment: Mapping[str, str] = os.environ) -> str:
    """Where a service is asked: as the environment says in AWS' own variables, else in public."""
    named = f"AWS_ENDPOINT_URL_{_VARIABLES.get(service, service.upper())}"
    own = environment.get(named) or environment.get("AWS_ENDPOINT_URL")
    return own or f"https://{hosts.aws(service, region)}"


class Query:
    """Calls of one region with one set of keys; they block, so that they run in a thread."""

    def __init__(self, region: str, keys: Keys) -> None:
        """Remember who asks, and where."""
        self._region, self._keys = region, keys

    def __call__(self, service: str, action: str, /, **request: Any) -> dict[str, Any]:
        """The answer of one call; lists and maps of the request are numbered as AWS wants it."""
        fields = {"Action": action, "Version": VERSIONS[service], **dict(_flat(request))}
        call = Call(
            "POST",
            f"{endpoint(service, self._region)}/",
            {"Content-Type": "application/x-www-form-urlencoded"},
            urlencode(fields).encode(),
        )
        try:
            answer = send(
                lambda: signed(
                    call, {}, self._keys, self._region, datetime.now(UTC), service=service
                ),
                longest=LONGEST_ANSWER,
            )
        except StoreFailed as error:
            if not error.status:
                raise AwsUnavailable(f"no answer from AWS to {service}:{action}") from None
            raise of_answer(service, action, error.code, "", error.status) from None
        return parsed(answer.body)


def pages(
    call: Callable[..., dict[str, Any]], service: str, action: str, key: str, /, **request: Any
) -> Iterator[dict[str, Any]]:
    """Yield what a call lists under `key`, page by page."""
    token: dict[str, str] = {}
    for _ in range(MOST_PAGES):
        answer = call(service, action, **request, **token)
        yield from answer.get(key) or ()
        if not answer.get("nextToken"):
            return
        token = {"NextToken": str(answer["nextToken"])}
    raise AwsUnavailable(f"AWS lists more than {MOST_PAGES} pages for {service}:{action}")


def parsed(document: bytes) -> dict[str, Any]:
    """An answer as maps and lists; an element without content is an empty text."""
    try:
        found = _value(ET.fromstring(document))  # noqa: S314 - bounded, and from AWS
    except ET.ParseError:
        raise AwsUnavailable("AWS answered something that is no XML") from None
    return found if isinstance(found, dict) else {}


def _value(element: ET.Element) -> Any:
    children = [(_NAMESPACE.sub("", each.tag), _value(each)) for each in element]
    if not children:
        return element.text or ""
    if {name for name, _ in children} <= _LISTS:
        return [value for _, value in children]
    return dict(children)


def _flat(value: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield `Filter.1.Value.2=x` for maps in lists in maps."""
    match value:
        case Mapping():
            for name, inner in value.items():
                yield from _flat(inner, f"{prefix}.{name}" if prefix else name)
        case list() | tuple():
            for number, inner in enumerate(value, start=1):
                yield from _flat(inner, f"{prefix}.{number}")
        case bool():
            yield prefix, "true" if value else "false"
        case _:
            yield prefix, str(value)
