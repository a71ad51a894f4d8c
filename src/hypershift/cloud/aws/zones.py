"""Hosted zones and records of Route 53 without the SDK."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.sax.saxutils import escape

from hypershift.cloud.aws.errors import AwsUnavailable, of_answer
from hypershift.cloud.aws.query import LONGEST_ANSWER, MOST_PAGES, endpoint
from hypershift.cloud.stores import hosts
from hypershift.cloud.stores.http import Call, StoreFailed, send
from hypershift.cloud.stores.keys import Keys
from hypershift.cloud.stores.signing import signed
from hypershift.kit import InvalidSpec

VERSION = "2013-04-01"
_SPACE = f"https://route53.amazonaws.com/doc/{VERSION}/"
_NAMES = {"r": _SPACE}
#: Route 53 has one address for each partition; requests are signed for this region of it.
_REGIONS = {"cn-": "cn-northwest-1", "us-gov-": "us-gov-west-1"}
_HOSTS = {
    "cn-": "https://route53.amazonaws.com.cn",
    "us-gov-": "https://route53.us-gov.amazonaws.com",
}
_ID = re.compile(r"[A-Z0-9]{1,32}")
#: How a list spells the star of a wildcard.
_STAR = "\\052"


@dataclass(frozen=True, slots=True)
class Record:
    """A record of a zone."""

    name: str
    value: str
    type: str = "CNAME"
    ttl: int = 300


class Zones:
    """The zones that a set of keys may see; calls block, so that they run in a thread."""

    def __init__(self, region: str, keys: Keys) -> None:
        """Remember who asks, and in which partition."""
        prefix = next((each for each in _REGIONS if region.startswith(each)), "")
        self._region = _REGIONS.get(prefix, "us-east-1")
        own = endpoint("route53", self._region)
        public = f"https://{hosts.aws('route53', self._region)}"
        self._url = own if own != public else _HOSTS.get(prefix, "https://route53.amazonaws.com")
        self._keys = keys

    def private_zone(self, name: str) -> str:
        """The id of the private zone of that name; empty when there is none."""
        marker: dict[str, str] = {}
        for _ in range(MOST_PAGES):
            answer = self._ask("ListHostedZones", "GET", "hostedzone", marker)
            for zone in answer.iterfind("r:HostedZones/r:HostedZone", _NAMES):
                private = _text(zone, "r:Config/r:PrivateZone") == "true"
                if private and _text(zone, "r:Name").rstrip(".") == name.rstrip("."):
                    return _text(zone, "r:Id").removeprefix("/hostedzone/")
            if _text(answer, "r:IsTruncated") != "true":
                return ""
            marker = {"marker": _text(answer, "r:NextMarker")}
        raise AwsUnavailable(f"AWS lists more than {MOST_PAGES} pages of hosted zones")

    def find(self, zone: str, name: str, kind: str = "CNAME") -> Record | None:
        """The record of that name and type."""
        wanted = f"{name.lower().rstrip('.')}."
        query = {"name": wanted, "type": kind, "maxitems": "1"}
        answer = self._ask("ListResourceRecordSets", "GET", _records(zone), query)
        found = next(_listed(answer), None)
        matches = found is not None and (found.name, found.type) == (wanted, kind)
        return found if matches else None

    def upsert(self, zone: str, record: Record) -> None:
        """Create a record, or replace the one of that name and type."""
        self._change("UPSERT", zone, record)

    def delete(self, zone: str, record: Record) -> None:
        """Delete a record as `find` returned it."""
        self._change("DELETE", zone, record)

    def _change(self, action: str, zone: str, record: Record) -> None:
        text = (
            f'<ChangeResourceRecordSetsRequest xmlns="{_SPACE}"><ChangeBatch><Changes><Change>'
            f"<Action>{action}</Action><ResourceRecordSet><Name>{escape(record.name)}</Name>"
            f"<Type>{record.type}</Type><TTL>{record.ttl}</TTL><ResourceRecords><ResourceRecord>"
            f"<Value>{escape(record.value)}</Value></ResourceRecord></ResourceRecords>"
            "</ResourceRecordSet></Change></Changes></ChangeBatch>"
            "</ChangeResourceRecordSetsRequest>"
        )
        # The path has a slash at its end in this one call.
        path = f"{_records(zone)}/"
        self._ask("ChangeResourceRecordSets", "POST", path, body=text.encode())

    def _ask(
        self,
        action: str,
        method: str,
        path: str,
        query: Mapping[str, str] | None = None,
        body: bytes = b"",
    ) -> ET.Element:
        kind = {"Content-Type": "application/xml"}
        call = Call(method, f"{self._url}/{VERSION}/{path}", kind, body)
        try:
            answer = send(
                lambda: signed(
                    call,
                    query or {},
                    self._keys,
                    self._region,
                    datetime.now(UTC),
                    service="route53",
                ),
                longest=LONGEST_ANSWER,
            )
            return ET.fromstring(answer.body)  # noqa: S314 - bounded, and from AWS
        except StoreFailed as error:
            if not error.status:
                raise AwsUnavailable(f"no answer from AWS to route53:{action}") from None
            raise of_answer("route53", action, error.code, "", error.status) from None
        except ET.ParseError:
            raise AwsUnavailable("AWS answered something that is no XML") from None


def _records(zone: str) -> str:
    if not _ID.fullmatch(zone):
        raise InvalidSpec(f"{zone[:80]!r} is not the id of a hosted zone")
    return f"hostedzone/{zone}/rrset"


def _listed(answer: ET.Element) -> Iterator[Record]:
    for each in answer.iterfind("r:ResourceRecordSets/r:ResourceRecordSet", _NAMES):
        name = _text(each, "r:Name").lower().replace(_STAR, "*")
        value = _text(each, "r:ResourceRecords/r:ResourceRecord/r:Value")
        ttl = int(_text(each, "r:TTL") or 0)
        yield Record(name, value, _text(each, "r:Type"), ttl)


def _text(element: ET.Element, path: str) -> str:
    return element.findtext(path, "", _NAMES)
