"""The ignition server's authority is replaced, and every machine gets its configuration."""

from base64 import b64encode
from datetime import UTC, datetime, timedelta

import pytest
from tests.lib.handshake import shakes
from tests.lib.memory import MemoryClient
from tests.unit.servers.ignition.world import a_world, encoded, scope_of

from hypershift.api import annotations
from hypershift.ignition import token
from hypershift.ignition.authority import NAME, has_followed, trusted
from hypershift.kit import Manifest, Secret, SystemClock, data_of
from hypershift.kube import Conflict, kinds
from hypershift.operators.hypershift.node_pool.rules import user_data
from hypershift.pki import Leaf, Usage, new_authority
from hypershift.pki.authority import certificate_from_pem
from hypershift.runtime import Done, Stop, Wait
from hypershift.servers.ignition import Settings, publish, replace
from hypershift.servers.ignition.authority import read_signer
from hypershift.servers.ignition.identity import Identity, identity

PLACE, PLANE = "hypershift", "clusters-demo"
NOW = datetime.now(UTC).replace(microsecond=0)
HOUR = timedelta(hours=1)
#: The server asks for no certificate; the helper's does, and any will do.
CLIENTS = new_authority("clients", NOW)
MACHINE = CLIENTS.issue(Leaf("machine", usage=Usage.CLIENT), NOW)


class Clock(SystemClock):
    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def now(self) -> datetime:
        return self.moment


async def pass_over(kube: MemoryClient, moment: datetime = NOW) -> object:
    """One pass of the controller, all phases of it."""
    secret = await kube.get(kinds.SECRET, NAME, PLACE)
    context = scope_of(kube, secret, Clock(moment)).context
    scope = replace.AuthorityScope(secret, context, Settings())
    for phase in replace.NORMAL:
        outcome = await phase(scope)
        if not isinstance(outcome, Done):
            return outcome
    return Done()


async def ask(kube: MemoryClient, request: str = "first", grace: str = "1h") -> None:
    marks = {annotations.ROTATE_AUTHORITIES: request, annotations.ROTATE_AUTHORITIES_GRACE: grace}
    await kube.patch(kinds.SECRET, NAME, {"metadata": {"annotations": marks}}, PLACE)


async def a_server(kube: MemoryClient) -> Identity:
    return await identity(kube, Settings(), SystemClock())


async def trust(kube: MemoryClient) -> bytes:
    """What a pool's user data has machines trust now, through the published copy."""
    plane = await kube.get(kinds.HOSTED_CONTROL_PLANE, "demo", PLANE)
    scope = publish.PublishScope(plane, scope_of(kube, plane).context, Settings())
    await publish.publish_authority(scope)
    return trusted(await kube.get(kinds.SECRET, NAME, PLANE))


def opens(server: Identity, machine: bytes) -> str:
    """Why a machine that trusts these authorities does not talk to the server; empty if it does."""
    shown = {"crt": server.serving.certificate, "key": server.serving.key.reveal()}
    caller = {"crt": MACHINE.certificate, "key": MACHINE.key.reveal(), "trust": machine}
    return shakes(shown | {"trust": CLIENTS.pem}, caller, "localhost")


def a_pool(authority: bytes, **marks: str) -> tuple[Manifest, Manifest]:
    """The token and the user data of a pool."""
    document = user_data.document(
        endpoint="192.0.2.7", authority=authority, token=Secret("t"), pool="p", config_hash="1"
    )
    found = []
    for name, data in (
        (token.token_name("workers", "1"), {}),
        (token.user_data_name("workers", "1"), encoded(value=document)),
    ):
        metadata = {
            "name": name,
            "namespace": PLANE,
            "annotations": {token.IGNITION_CONFIG: "true"} | marks if not data else {},
        }
        found.append({"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": data})
    return found[0], found[1]


async def test_every_machine_is_answered_whatever_it_was_given_to_trust() -> None:
    kube = a_world()
    servers, machines = [await a_server(kube)], [await trust(kube)]
    await ask(kube)
    await pass_over(kube)
    servers.append(await a_server(kube))
    machines.append(await trust(kube))
    for server in servers:
        for machine in machines:
            assert opens(server, machine) == ""
    assert machines[1].count(b"BEGIN CERTIFICATE") == 2
    await pass_over(kube, NOW + HOUR)
    last, newest = await a_server(kube), await trust(kube)
    assert newest.count(b"BEGIN CERTIFICATE") == 1
    for machine in (machines[1], newest):
        assert opens(last, machine) == ""
        assert opens(servers[1], machine) == ""
    # Nothing trusts the old authority, and nothing of it is shown.
    assert opens(last, machines[0])
    assert opens(servers[0], newest)


async def test_without_the_old_ones_word_a_machine_from_before_is_not_answered() -> None:
    kube = a_world()
    await a_server(kube)
    before = await trust(kube)
    await ask(kube)
    await pass_over(kube)
    found = await kube.get(kinds.SECRET, NAME, PLACE)
    del found["data"]["cross.crt"]
    kube.put(found)
    assert opens(await a_server(kube), before)


async def test_the_old_one_is_trusted_for_the_grace_period() -> None:
    kube = a_world()
    await a_server(kube)
    await ask(kube)
    await pass_over(kube)
    outcome = await pass_over(kube, NOW + HOUR / 2)
    assert isinstance(outcome, Wait)
    assert outcome.after == HOUR / 2
    assert not has_followed(await kube.get(kinds.SECRET, NAME, PLACE), "first")
    await pass_over(kube, NOW + HOUR)
    assert has_followed(await kube.get(kinds.SECRET, NAME, PLACE), "first")


async def test_without_a_grace_period_replicas_have_their_time_to_look() -> None:
    kube = a_world()
    await a_server(kube)
    await ask(kube, grace="0s")
    await pass_over(kube)
    assert isinstance(await pass_over(kube, NOW), Wait)
    assert isinstance(await pass_over(kube, NOW + replace.SHORTEST), Done)


async def test_user_data_that_lacks_the_new_one_is_waited_for() -> None:
    kube = a_world()
    await a_server(kube)
    before = await trust(kube)
    await ask(kube)
    await pass_over(kube)
    for one in a_pool(before):
        kube.put(one)
    outcome = await pass_over(kube, NOW + HOUR)
    assert isinstance(outcome, Wait)
    assert (await kube.get(kinds.SECRET, NAME, PLACE))["data"].get("old.crt")
    for one in a_pool(await trust(kube)):
        kube.put(one)
    assert isinstance(await pass_over(kube, NOW + HOUR), Done)
    assert "old.crt" not in (await kube.get(kinds.SECRET, NAME, PLACE))["data"]


def test_user_data_of_an_expiring_token_makes_no_machine_and_is_not_waited_for() -> None:
    assert list(replace.unaware(a_pool(b"old"), b"new"))
    assert not list(replace.unaware(a_pool(b"old", **{token.EXPIRES_AT: "soon"}), b"new"))


async def test_a_second_pass_writes_nothing_and_a_request_is_followed_once() -> None:
    kube = a_world()
    await a_server(kube)
    await ask(kube)
    await pass_over(kube)
    first = read_signer(await kube.get(kinds.SECRET, NAME, PLACE))
    await pass_over(kube, NOW + HOUR)
    writes = len(kube.writes)
    await pass_over(kube, NOW + 2 * HOUR)
    await a_server(kube)
    again = [one for one in kube.writes[writes:] if one[2].name == NAME]
    assert again == []
    await ask(kube, "second")
    await pass_over(kube, NOW + 2 * HOUR)
    second = read_signer(await kube.get(kinds.SECRET, NAME, PLACE))
    assert first is not None
    assert second is not None
    assert second.old == first.authority.pem


async def test_a_pass_that_read_an_older_secret_changes_nothing() -> None:
    kube = a_world()
    await a_server(kube)
    await ask(kube)
    stale = await kube.get(kinds.SECRET, NAME, PLACE)
    await pass_over(kube)
    found = await kube.get(kinds.SECRET, NAME, PLACE)
    scope = replace.AuthorityScope(stale, scope_of(kube, stale).context, Settings())
    with pytest.raises(Conflict):
        await replace.replace_authority(scope)
    assert await kube.get(kinds.SECRET, NAME, PLACE) == found


async def test_copies_and_other_secrets_are_left_alone() -> None:
    kube = a_world()
    await a_server(kube)
    await trust(kube)
    copied = await kube.get(kinds.SECRET, NAME, PLANE)
    scope = replace.AuthorityScope(copied, scope_of(kube, copied).context, Settings())
    assert isinstance(await replace.drop_others(scope), Stop)


async def test_the_certificate_that_servers_show_is_of_the_authority_that_is_trusted() -> None:
    kube = a_world()
    await a_server(kube)
    await ask(kube)
    await pass_over(kube)
    shown = certificate_from_pem((await a_server(kube)).serving.certificate)
    signer = read_signer(await kube.get(kinds.SECRET, NAME, PLACE))
    assert signer is not None
    assert shown is not None
    assert signer.authority.issued(shown)
    kept = await kube.get(kinds.SECRET, "ignition-server-serving-cert", PLACE)
    assert data_of(kept, "tls.crt").count(b"BEGIN") == 1


def test_each_authority_is_a_source_of_its_own_and_a_single_one_is_as_before() -> None:
    one, two = new_authority("one", NOW).pem, new_authority("two", NOW).pem
    assert user_data.sources(one) == [f"data:text/plain;base64,{b64encode(one).decode()}"]
    assert user_data.sources(one + two) == [*user_data.sources(one), *user_data.sources(two)]
