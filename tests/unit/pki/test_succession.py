"""Authorities are replaced in steps, and parties one step apart always talk to each other."""

from base64 import b64decode
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lib.handshake import shakes

from hypershift.kit import Manifest
from hypershift.pki import (
    SUCCESSION_SECRET,
    Algorithm,
    Part,
    PrivateKey,
    Site,
    Stage,
    advanced,
    authorities,
    begun,
    by_kind_and_name,
    new_key,
    read_succession,
    reconcile,
    secret_data,
    wanted,
)
from hypershift.pki.inventory import SERVICE_ACCOUNT_SECRET
from hypershift.pki.succession import secret

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SITE = Site("clusters-demo", "demo", openshift=False, service_cidrs=("172.31.0.0/16",))
RSA, NEXT_RSA = new_key(Algorithm.RSA_2048), new_key(Algorithm.RSA_2048)
Objects = dict[tuple[str, str], Manifest]
NAME = ("Secret", SUCCESSION_SECRET)
#: Server, the bundle that its clients trust, a client, the bundle that the server trusts, a name.
TALKS = (
    ("etcd-server-tls/server", "etcd-ca", "etcd-client-tls/etcd-client", "etcd-ca", "localhost"),
    ("konnectivity-cluster/tls", "konnectivity-ca-bundle", "konnectivity-agent/tls",
     "konnectivity-ca-bundle", "konnectivity-server"),
    ("kas-server-crt/tls", "root-ca", "kube-scheduler-client/tls", "client-ca", "kubernetes"),
    ("kas-server-crt/tls", "root-ca", "system-admin-client/tls", "client-ca", "localhost"),
    ("kcm-server/tls", "root-ca", "kas-aggregator-crt/tls", "aggregator-client-ca", "localhost"),
    ("kcm-server/tls", "root-ca", "kas-kubelet-client-crt/tls", "kubelet-client-ca", "localhost"),
)  # fmt: skip


def keys(algorithm: Algorithm) -> PrivateKey:
    return RSA if algorithm is Algorithm.RSA_2048 else new_key(algorithm)


def successors(algorithm: Algorithm) -> PrivateKey:
    return NEXT_RSA if algorithm is Algorithm.RSA_2048 else new_key(algorithm)


def follow(objects: Objects, now: datetime = NOW) -> Objects:
    """The objects once the plan was followed."""
    plan = wanted(SITE, read_succession(secret_data(objects, SUCCESSION_SECRET)))
    return objects | by_kind_and_name(reconcile(objects, plan, now, keys=keys))


def begin(objects: Objects, now: datetime = NOW, only: str = "") -> Objects:
    plan = wanted(SITE)
    specs = () if only == Part.TOKEN_KEYS else plan.authorities
    tokens = {} if only == Part.AUTHORITIES else secret_data(objects, SERVICE_ACCOUNT_SECRET)
    found = authorities(objects, plan)
    data = begun("first", specs, found, now, tokens=tokens, keys=successors)
    earlier = objects.get(NAME, {}).get("data", {})
    return objects | {NAME: secret(SITE.namespace, earlier | data)}


def advance(objects: Objects, now: datetime = NOW) -> Objects:
    found = read_succession(secret_data(objects, SUCCESSION_SECRET))
    assert found is not None
    old = objects[NAME]
    merged = {**old["data"], **advanced(found, now)}
    data = {name: value for name, value in merged.items() if value is not None}
    return objects | {NAME: {**old, "data": data}}


FIRST = follow({})


def whole() -> list[Objects]:
    """What there is before, at the end of each stage, and after."""
    seen = [FIRST, follow(begin(FIRST))]
    while len(seen) < 1 + len(Stage):
        seen.append(follow(advance(seen[-1])))
    return seen


def talk(server: Objects, client: Objects) -> list[str]:
    """Who does not get through, when servers have one state and clients another."""
    found = []
    for shown, trusted, caller, callers, name in TALKS:
        one = files(server, shown) | {"trust": bundle(server, callers)}
        other = files(client, caller) | {"trust": bundle(client, trusted)}
        if why := shakes(one, other, name):
            found.append(f"{caller} at {shown}: {why}")
    return found


def files(objects: Objects, pair: str) -> dict[str, bytes]:
    name, _, stem = pair.partition("/")
    data = secret_data(objects, name)
    return {"crt": data[f"{stem}.crt"], "key": data[f"{stem}.key"]}


def bundle(objects: Objects, name: str) -> bytes:
    text: str = objects["ConfigMap", name]["data"]["ca.crt"]
    return text.encode()


def test_parties_one_stage_apart_always_talk_to_each_other() -> None:
    seen = whole()
    for before, after in pairwise(seen):
        assert talk(before, after) == []
        assert talk(after, before) == []


def test_a_client_that_read_the_root_once_is_served_until_the_old_one_is_dropped() -> None:
    before, _, reissued, _, dropped, _ = whole()
    server = files(reissued, "kas-server-crt/tls") | {"trust": bundle(reissued, "client-ca")}
    client = files(before, "system-admin-client/tls") | {"trust": bundle(before, "root-ca")}
    assert shakes(server, client, "localhost") == ""
    gone = files(dropped, "kas-server-crt/tls") | {"trust": bundle(dropped, "client-ca")}
    assert shakes(gone, client, "localhost")


def test_in_the_end_every_authority_has_another_key_and_the_old_ones_open_nothing() -> None:
    seen = whole()
    first, last = seen[0], seen[-1]
    plan = wanted(SITE)
    old, new = authorities(first, plan), authorities(last, plan)
    for spec in plan.authorities:
        assert not old[spec.secret].issued(new[spec.secret].certificate), spec.secret
    for trust in plan.bundles:
        for one in old.values():
            assert one.pem.decode() not in last["ConfigMap", trust.name]["data"]["ca.crt"]
    assert len(talk(last, first)) == len(TALKS)
    assert len(talk(first, last)) == len(TALKS)
    assert not [name for name in last[NAME]["data"] if name.endswith((".key", ".crt"))]


def test_the_end_of_a_replacement_changes_nothing_that_is_mounted() -> None:
    *_, dropped, done = whole()
    marks = [read_succession(secret_data(one, SUCCESSION_SECRET)) for one in (dropped, done)]
    assert marks[0] is not None
    assert marks[1] is not None
    assert marks[0].mark == marks[1].mark
    assert not marks[1].under_way
    assert {k: v for k, v in dropped.items() if k != NAME} == {
        k: v for k, v in done.items() if k != NAME
    }


def test_a_second_pass_in_any_stage_writes_nothing() -> None:
    for objects in whole():
        assert follow(objects, NOW + timedelta(days=1)) == objects


@pytest.mark.parametrize("text", [b"", b"Sometimes"])
def test_a_secret_that_tells_no_stage_is_no_replacement(text: bytes) -> None:
    assert (
        read_succession({"stage": text, "request": b"x", "since": b"2026-01-02T03:04:05Z"}) is None
    )


@settings(max_examples=4, deadline=None)
@given(st.data())
def test_whatever_part_of_a_stage_was_written_before_a_crash_nobody_is_cut_off(
    data: st.DataObject,
) -> None:
    objects = begin(FIRST)
    for _ in range(len(Stage)):
        done = follow(objects)
        changed = sorted(key for key in done if done[key] != objects.get(key))
        part = data.draw(st.sets(st.sampled_from(changed))) if changed else set()
        half = objects | {key: done[key] for key in part}
        assert talk(half, objects) == []
        assert talk(objects, half) == []
        finished = follow(half)
        assert talk(finished, objects) == []
        assert talk(half, finished) == []
        objects = advance(finished)


def test_no_key_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    objects = begin(FIRST)
    print(wanted(SITE, read_succession(secret_data(objects, SUCCESSION_SECRET))))  # noqa: T201
    shown = capsys.readouterr().out
    assert "PRIVATE KEY" not in shown
    assert b64decode(objects[NAME]["data"]["root-ca.key"]).decode() not in shown
