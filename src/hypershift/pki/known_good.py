"""Remember that nothing has to change, until the first certificate has to be renewed.

A pass over an idle cluster would otherwise read and verify dozens of certificates.
"""

import hashlib
import json
from collections.abc import Iterator
from datetime import datetime

from hypershift.pki.authority import certificate_from_pem
from hypershift.pki.inventory import Existing, Wanted, secret_data
from hypershift.pki.rotation import AUTHORITY_POLICY, Policy

LIMIT = 5000

#: Digests of a whole PKI, and the time span in which it is known to be right.
_SPANS: dict[bytes, tuple[datetime, datetime]] = {}


def is_known_good(existing: Existing, plan: Wanted, now: datetime) -> bool:
    """Whether these very objects were found right before, and still are by the clock."""
    span = _SPANS.get(_digest(existing, plan))
    return span is not None and span[0] <= now < span[1]


def remember_good(existing: Existing, plan: Wanted, now: datetime) -> None:
    """Remember that these objects are right from now until the first renewal."""
    if len(_SPANS) >= LIMIT:
        _SPANS.clear()
    _SPANS[_digest(existing, plan)] = (now, min(_renewals(existing, plan), default=now))


def _renewals(existing: Existing, plan: Wanted) -> Iterator[datetime]:
    pairs = [(spec.secret, "ca.crt", AUTHORITY_POLICY) for spec in plan.authorities]
    pairs += [(spec.secret, f"{spec.stem}.crt", plan.site.policy) for spec in plan.leaves]
    for secret, key, policy in pairs:
        yield _renewal(secret_data(existing, secret).get(key, b""), policy)


def _renewal(pem: bytes, policy: Policy) -> datetime:
    certificate = certificate_from_pem(pem)
    if certificate is None:
        raise ValueError("a settled PKI has every certificate")
    end = certificate.not_valid_after_utc
    return end - policy.remaining(end - certificate.not_valid_before_utc)


def _digest(existing: Existing, plan: Wanted) -> bytes:
    """Of the wish and of everything that it is compared with."""
    names = [("Secret", name) for name in plan.secret_names()]
    for bundle in plan.bundles:
        names += [("ConfigMap", bundle.name), *(("ConfigMap", name) for name, _ in bundle.also)]
    data = {f"{kind}/{name}": existing.get((kind, name), {}).get("data") for kind, name in names}
    text = json.dumps([repr(plan.site), data], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=20).digest()
