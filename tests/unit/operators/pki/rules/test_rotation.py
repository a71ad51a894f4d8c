"""When signers, bundles and client certificates are made anew."""

from datetime import datetime, timedelta

from tests.lib.signers import NAMESPACE, NOW

from hypershift.kit import Manifest
from hypershift.operators.pki import CUSTOMER
from hypershift.operators.pki.rules import rotation
from hypershift.operators.pki.rules.rotation import Cutoff, Site
from hypershift.operators.pki.rules.signer import FORCE, NOT_AFTER, authority_of, certificate_of
from hypershift.pki import Authority, described

OWNER = {"kind": "HostedControlPlane", "name": "blue", "uid": "1"}
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def at(moment: datetime) -> Site:
    return Site(NAMESPACE, OWNER, moment)


def stored(made: Manifest | None) -> Manifest:
    assert made is not None
    return made | {"metadata": made["metadata"] | {"resourceVersion": "7"}}


def a_signer(moment: datetime = NOW) -> tuple[Manifest, Authority]:
    secret = stored(rotation.signer(at(moment), CUSTOMER, None))
    authority = authority_of(secret)
    assert authority is not None
    return secret, authority


def test_a_signer_is_replaced_after_two_days_by_one_with_another_key() -> None:
    secret, old = a_signer()
    assert rotation.signer(at(NOW + 2 * DAY - HOUR), CUSTOMER, secret) is None
    made = rotation.signer(at(NOW + 2 * DAY), CUSTOMER, secret)
    new = authority_of(made)
    assert made is not None
    assert new is not None
    assert new.certificate.public_key() != old.certificate.public_key()
    assert new.certificate.subject != old.certificate.subject
    assert made["metadata"]["resourceVersion"] == "7"


def test_a_marked_signer_is_replaced_at_once_and_loses_the_mark() -> None:
    secret, _ = a_signer()
    secret["metadata"]["annotations"][NOT_AFTER] = FORCE
    made = rotation.signer(at(NOW + HOUR), CUSTOMER, secret)
    assert made is not None
    assert made["metadata"]["annotations"][NOT_AFTER] != FORCE


def test_a_signer_that_cannot_be_read_is_replaced() -> None:
    secret, _ = a_signer()
    secret["data"]["tls.key"] = ""
    assert rotation.signer(at(NOW), CUSTOMER, secret) is not None


def test_a_bundle_keeps_older_generations_until_they_expire() -> None:
    _, first = a_signer()
    _, second = a_signer(NOW + 2 * DAY)
    one = stored(rotation.bundle(at(NOW), CUSTOMER, None, first.certificate, ()))
    both = stored(rotation.bundle(at(NOW + 2 * DAY), CUSTOMER, one, second.certificate, ()))
    assert rotation.certificates(both) == [first.certificate, second.certificate]
    assert rotation.bundle(at(NOW + 3 * DAY), CUSTOMER, both, second.certificate, ()) is None
    late = stored(rotation.bundle(at(NOW + 8 * DAY), CUSTOMER, both, second.certificate, ()))
    assert rotation.certificates(late) == [second.certificate]


def test_a_revocation_takes_old_generations_out_of_its_own_bundle() -> None:
    _, first = a_signer()
    _, second = a_signer(NOW + HOUR)
    both = stored(
        rotation.bundle(
            at(NOW + HOUR),
            CUSTOMER,
            stored(rotation.bundle(at(NOW), CUSTOMER, None, first.certificate, ())),
            second.certificate,
            (),
        )
    )
    foreign = Cutoff("sre-break-glass", NOW + timedelta(minutes=30))
    assert rotation.bundle(at(NOW + HOUR), CUSTOMER, both, second.certificate, [foreign]) is None
    ours = Cutoff(CUSTOMER.name, NOW + timedelta(minutes=30))
    cut = stored(rotation.bundle(at(NOW + HOUR), CUSTOMER, both, second.certificate, [ours]))
    assert rotation.certificates(cut) == [second.certificate]


def test_a_bundle_that_somebody_spoilt_is_made_of_the_current_signer() -> None:
    _, first = a_signer()
    spoilt = {"metadata": {"resourceVersion": "1"}, "data": {"ca-bundle.crt": "garbage"}}
    made = stored(rotation.bundle(at(NOW), CUSTOMER, spoilt, first.certificate, ()))
    assert rotation.certificates(made) == [first.certificate]


def test_a_client_certificate_is_an_administrators_and_is_replaced_after_six_hours() -> None:
    _, signer = a_signer()
    trusted = [signer.certificate]
    secret = stored(rotation.client(at(NOW), CUSTOMER, None, signer, trusted))
    read = certificate_of(secret)
    assert read is not None
    leaf = described(read)
    assert leaf.organizations == ("system:masters",)
    assert leaf.common_name.startswith("system:customer-break-glass:")
    assert leaf.validity == timedelta(hours=36)
    soon, late = at(NOW + 5 * HOUR), at(NOW + 6 * HOUR)
    assert rotation.client(soon, CUSTOMER, secret, signer, trusted) is None
    assert rotation.client(late, CUSTOMER, secret, signer, trusted) is not None


def test_a_client_certificate_of_a_signer_that_is_not_trusted_is_replaced() -> None:
    _, old = a_signer()
    _, new = a_signer(NOW + HOUR)
    secret = stored(rotation.client(at(NOW), CUSTOMER, None, old, [old.certificate]))
    made = rotation.client(at(NOW + HOUR), CUSTOMER, secret, new, [new.certificate])
    assert made is not None
