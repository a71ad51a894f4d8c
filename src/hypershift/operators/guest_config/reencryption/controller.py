"""The controller that follows a change of encryption key, and rewrites what is stored."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta

from hypershift.api import HostedControlPlane, read
from hypershift.api.conditions import (
    ConditionReason,
    ControlPlaneCondition,
    ControlPlaneReason,
    Owner,
    false,
)
from hypershift.api.values import KeyProvider
from hypershift.controlplane.kube_apiserver.encryption import (
    FILE,
    SECRET,
    KeySpec,
    all_run,
    encrypted_of,
    fingerprint,
    keeper_of,
    mark,
    providers_of,
)
from hypershift.kit import Key, Manifest, data_of, key_of
from hypershift.kube import ApiError, Client, kinds
from hypershift.operators.guest_config.connect import KUBECONFIG, until_complete
from hypershift.operators.guest_config.deadline import GUEST_PASS
from hypershift.operators.guest_config.reencryption.plan import Plan, Servers, completed, plan
from hypershift.operators.guest_config.reencryption.rewriting import Rewriter
from hypershift.runtime import (
    Context,
    Controller,
    Done,
    Outcome,
    Scope,
    Stop,
    Wait,
    Watch,
    is_true,
)

NAME = Owner.RE_ENCRYPTION.value
CONDITION = ControlPlaneCondition.ETCD_ENCRYPTION_UP_TO_DATE
SERVER = "kube-apiserver"
#: Who may keep the keys that we follow.
FOLLOWED = frozenset(KeyProvider) - {KeyProvider.IBMCLOUD}
MATERIAL = "key"
#: Between two looks while the servers are rolled, between two parts of the rewriting, and after
#: something was refused.
ROLLING, NEXT, REFUSED = timedelta(seconds=10), timedelta(seconds=1), timedelta(seconds=60)


@dataclass(slots=True)
class KeyScope(Scope):
    """One pass over the encryption of a HostedControlPlane."""

    rewriter: Rewriter
    secrets: dict[str, bytes] = field(default_factory=dict, repr=False)
    content: bytes = field(default=b"", repr=False)  # the configuration of the API servers
    _hosted: HostedControlPlane | None = field(default=None, init=False, repr=False)

    @property
    def namespace(self) -> str:
        """The control plane namespace."""
        return self.key.namespace

    @property
    def keys(self) -> KeySpec:
        """What the spec asks for."""
        return KeySpec(self.hosted.spec.secret_encryption, self._read)

    @property
    def hosted(self) -> HostedControlPlane:
        """The HostedControlPlane of this pass, decoded once."""
        if self._hosted is None:
            self._hosted = read(HostedControlPlane, self.object)
        return self._hosted

    @property
    def told(self) -> Manifest:
        """What the status tells of keys."""
        found: Manifest = self.status.get("secretEncryption") or {}
        return found

    def tell(self, found: Plan) -> None:
        """Publish a plan; a status that tells of no key is none."""
        if found.status:
            self.status["secretEncryption"] = found.status
        else:
            self.status.pop("secretEncryption", None)
        self.conditions.set(found.condition)

    def _read(self, name: str) -> bytes:
        return self.secrets.get(name, b"")


async def look(scope: KeyScope) -> Outcome:
    """Read the keys, and what the API servers were last given."""
    if scope.keys.provider not in FOLLOWED:
        scope.conditions.remove(CONDITION)
        return Stop("NothingToTell", "no encryption whose keys we follow")
    if left := until_complete(scope.hosted, scope.clock.now()):
        return Stop("ControlPlaneIncomplete", after=left)
    named = {_active_key(scope.hosted), _target_key(scope.hosted)}
    for name in sorted(named - {""}):
        found = await scope.kube.find(kinds.SECRET, name, scope.namespace)
        scope.secrets[name] = data_of(found, MATERIAL)
    config = await scope.kube.find(kinds.SECRET, SECRET, scope.namespace)
    scope.content = data_of(config, FILE)
    if not scope.content:
        return Stop("NotRolledYet", "the API servers have no encryption configuration yet")
    keeper = keeper_of(providers_of(scope.content))
    if keeper and keeper != scope.keys.provider:
        text = f"Stored data is encrypted by {keeper}: it cannot change to {scope.keys.provider}"
        scope.conditions.set(false(CONDITION, ControlPlaneReason.RE_ENCRYPTION_FAILED, text))
        return Stop("AnotherKeeper", text)
    return Done()


async def follow(scope: KeyScope) -> Outcome:
    """Bring a change of key one step further; without one, say that all is well."""
    found = plan(scope.told, scope.keys, Servers(providers_of(scope.content)), scope.clock.now())
    if found.steady:
        scope.rewriter.forget(scope.namespace)
        scope.tell(found)
        return Done()
    # Something goes on: what follows must not come from a cache that is behind.
    servers = await _servers(scope)
    found = plan(scope.told, scope.keys, servers, scope.clock.now())
    scope.tell(found)
    if found.rewrite is None:
        scope.rewriter.forget(scope.namespace)
        return Done() if found.steady else Wait("KeyIsRolled", after=ROLLING)
    return await _rewrite(scope, found, found.rewrite)


async def _rewrite(scope: KeyScope, found: Plan, key: Manifest) -> Outcome:
    guest = await _guest(scope)
    if guest is None:
        return Wait("ApiServerNotAvailable", after=ROLLING)
    before = scope.content
    note = f"{fingerprint(key)} {mark(before.decode())}"
    try:
        work = await scope.rewriter.step(scope.namespace, note, guest, encrypted_of(before))
    except (ApiError, OSError) as error:
        _say(scope, ControlPlaneReason.RE_ENCRYPTING, f"Stored data cannot be listed: {error}")
        return Wait("GuestUnavailable", after=ROLLING)
    if work.todo:
        return Wait("Rewriting", after=NEXT)
    if work.problem:
        _say(scope, ControlPlaneReason.RE_ENCRYPTION_FAILED, work.problem)
        return Wait("Refused", after=REFUSED)
    scope.rewriter.forget(scope.namespace)
    after = await _servers(scope)
    if not after.converged or scope.content != before:
        return Wait("ServersChanged", after=NEXT)
    return _conclude(scope, completed(found.status, key, scope.clock.now()), after)


def _conclude(scope: KeyScope, status: Manifest, servers: Servers) -> Outcome:
    """Say that everything is encrypted with the key; a newer wish begins to be followed."""
    scope.log.info("stored data is encrypted with the active key")
    found = plan(status, scope.keys, servers, scope.clock.now())
    scope.tell(found)
    return Done() if found.steady else Wait("KeyIsRolled", after=ROLLING)


async def _guest(scope: KeyScope) -> Client | None:
    """The hosted cluster; None while it does not answer."""
    if not is_true(scope.object, ControlPlaneCondition.KUBE_API_SERVER_AVAILABLE):
        return None
    secret = await scope.kube.find(kinds.SECRET, KUBECONFIG, scope.namespace)
    if secret is None:
        return None
    return await scope.context.remotes.connect(scope.namespace, data_of(secret, "kubeconfig"))


def _say(scope: KeyScope, reason: ConditionReason, text: str) -> None:
    scope.conditions.set(false(CONDITION, reason, text[:1000]))


async def _servers(scope: KeyScope) -> Servers:
    """What the API servers were given and whether all run it, asked of the server itself."""
    live, namespace = scope.context.live, scope.namespace
    deployment = await live.find(kinds.DEPLOYMENT, SERVER, namespace)
    pods = await live.list(kinds.POD, namespace, labels=f"app={SERVER}")
    config = await live.find(kinds.SECRET, SECRET, namespace)
    scope.content = data_of(config, FILE)
    converged = bool(scope.content) and all_run(deployment, pods, scope.content)
    return Servers(providers_of(scope.content), converged)


def _active_key(hosted: HostedControlPlane) -> str:
    """The Secret of the key that the user chose; empty without one."""
    section = hosted.spec.secret_encryption
    return section.aescbc.active_key.name if section and section.aescbc else ""


def _target_key(hosted: HostedControlPlane) -> str:
    """The Secret of the key that stored data changes to; empty without one."""
    told = hosted.status.secret_encryption if hosted.status else None
    key = told.target_key if told else None
    return key.aescbc.secret.name if key and key.aescbc else ""


async def forget(scope: KeyScope) -> Outcome:
    """Let go of a hosted cluster that is going away."""
    scope.rewriter.forget(scope.namespace)
    await scope.context.remotes.drop(scope.namespace)
    return Done()


def controller(namespace: str = "") -> Controller[KeyScope]:
    """The controller of one control plane namespace, or of all."""
    rewriter = Rewriter()
    planes: dict[str, Key] = {}

    def scope(control_plane: Manifest, context: Context) -> KeyScope:
        key = key_of(control_plane)
        planes[key.namespace] = key
        return KeyScope(control_plane, context, rewriter)

    def beside(secret: Manifest) -> Iterator[Key]:
        """The control plane whose configuration or key a Secret is."""
        metadata = secret["metadata"]
        about = metadata["name"] == SECRET or MATERIAL in (secret.get("data") or {})
        if about and (key := planes.get(metadata.get("namespace", ""))):
            yield key

    return Controller(
        name=NAME,
        resource=kinds.HOSTED_CONTROL_PLANE,
        scope=scope,
        normal=(look, follow),
        delete=(forget,),
        namespace=namespace,
        watches=(Watch(kinds.SECRET, keys=beside),),
        stop_on_error=True,
        timeout=GUEST_PASS,
    )
