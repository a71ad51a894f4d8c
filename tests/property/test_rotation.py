"""A rotated chain verifies, whenever it is rotated and whatever was lost."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from hypershift.pki import (
    Algorithm,
    Policy,
    PrivateKey,
    Site,
    by_kind_and_name,
    certificate_from_pem,
    new_key,
    read_authority,
    reconcile,
    secret_data,
    wanted,
)

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SITE = Site("clusters-demo", "demo", openshift=False, service_cidrs=("172.31.0.0/16",))
PREPARED = {algorithm: new_key(algorithm) for algorithm in Algorithm}


def keys(algorithm: Algorithm) -> PrivateKey:
    # RSA keys cost a tenth of a second; that one is never rotated anyway.
    return PREPARED[algorithm] if algorithm is Algorithm.RSA_2048 else new_key(algorithm)


FIRST = by_kind_and_name(reconcile({}, wanted(SITE), NOW, keys=keys))
LOST = st.sets(st.sampled_from(sorted(FIRST)), max_size=6)
LATER = st.timedeltas(timedelta(0), timedelta(days=4000))
VALID = st.timedeltas(timedelta(minutes=20), timedelta(days=800))


@settings(max_examples=25)
@given(LOST, LATER, VALID)
def test_after_any_loss_and_any_time_the_chain_verifies(
    lost: set[tuple[str, str]], later: timedelta, validity: timedelta
) -> None:
    site = replace(SITE, policy=Policy(validity))
    plan, moment = wanted(site), NOW + later
    objects = {key: value for key, value in FIRST.items() if key not in lost}
    objects |= by_kind_and_name(reconcile(objects, plan, moment, keys=keys))
    assert reconcile(objects, plan, moment, keys=keys) == []
    for leaf in plan.leaves:
        signer = secret_data(objects, leaf.signer)
        authority = read_authority(signer["ca.crt"], signer["ca.key"])
        certificate = certificate_from_pem(secret_data(objects, leaf.secret)[f"{leaf.stem}.crt"])
        assert authority is not None
        assert certificate is not None
        assert authority.issued(certificate)
        assert certificate.not_valid_before_utc <= moment < certificate.not_valid_after_utc
