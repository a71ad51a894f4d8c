"""Break-glass credentials open a cluster until their signer is revoked; nobody else notices.

The steps are those of the page, by kubectl: a request, its approval, a kubeconfig, a revocation.
Three others ask all the time: the administrator, a service account, and the other signer's user.
"""

import base64
import http.client
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import yaml
from tests.e2e.embedded import Cluster, Manifest
from tests.e2e.hosted import Hosted, a_hosted_cluster
from tests.e2e.traffic import Questions
from tests.lib.signers import a_request, a_revocation, an_approval, pkcs10
from tests.soak.recovered import told

from hypershift.api.conditions import RevocationCondition
from hypershift.kube import kinds
from hypershift.operators.pki import CLASSES, SignerClass
from hypershift.pki import key_to_pem, new_key

pytestmark = [pytest.mark.soak, pytest.mark.e2e, pytest.mark.timeout(1800)]

#: Seconds for which everybody goes on asking when nothing happens.
CALM = 20.0
ACCOUNT, NAME = "caller", "compromised"
REVOCATIONS = kinds.CERTIFICATE_REVOCATION_REQUEST.plural


class Caller(Questions):
    """Asks by a new connection each time, so that it meets every replica, and notes the answers."""

    def __init__(self, kubeconfig: Path) -> None:
        super().__init__(kubeconfig, pause=0.2)
        self.answers: list[tuple[float, int]] = []

    def _send(self, number: int) -> tuple[int, bytes]:
        del number
        self._close()
        status, body = self._ask("GET", "/api/v1/namespaces/default")
        self.answers.append((time.monotonic(), status))
        return status, body

    def moments(self, status: int) -> list[float]:
        """When it was answered like this."""
        return [at for at, answer in self.answers if answer == status]


@pytest.fixture(scope="module")
def guarded(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    files = tmp_path_factory.mktemp("guarded")
    flags = ("--control-plane-availability-policy=HighlyAvailable",)
    with a_hosted_cluster(cluster, "guarded", files, *flags) as made:
        words = ("rollout", "status", "deployment/kube-apiserver", "-n", made.plane)
        made.management.kubectl(*words, "--timeout=230s")
        made.kubectl("create", "serviceaccount", ACCOUNT)
        bound = ("--clusterrole=view", f"--serviceaccount=default:{ACCOUNT}")
        made.kubectl("create", "clusterrolebinding", ACCOUNT, *bound)
        yield made


@pytest.mark.parametrize("which", CLASSES, ids=lambda one: one.prefix)
def test_access_by_a_signer_ends_when_it_is_revoked_and_nobody_else_notices(
    guarded: Hosted, which: SignerClass
) -> None:
    (other,) = (one for one in CLASSES if one is not which)
    mine = get_in(guarded, which, f"{which.prefix}-alice")
    others = {
        "the administrator": guarded.kubeconfig,
        "a service account": as_account(guarded),
        other.name: get_in(guarded, other, f"{other.prefix}-beside-{which.prefix}"),
    }
    with ExitStack() as stack:
        revoked = stack.enter_context(Caller(mine))
        asking = {name: stack.enter_context(Caller(file)) for name, file in others.items()}
        time.sleep(CALM)
        assert not revoked.log.failed
        began = time.monotonic()
        guarded.management.apply(a_revocation(which.name, NAME, guarded.plane))
        await_revocation(guarded, began)
        ended = time.monotonic()
        time.sleep(CALM)
    accepted, refused = revoked.moments(http.client.OK), revoked.moments(http.client.UNAUTHORIZED)
    told(
        f"{which.name}: refused first after {refused[0] - began:.1f} s,"
        f" accepted last after {accepted[-1] - began:.1f} s, condition after {ended - began:.1f} s"
    )
    for name, one in asking.items():
        told(f"{name}: {one.log}")
    assert accepted[-1] < ended
    assert {status for at, status in revoked.answers if at > ended} == {http.client.UNAUTHORIZED}
    said = as_user(guarded, mine)
    assert "Unauthorized" in said
    assert {name: one.log.failed for name, one in asking.items() if one.log.failed} == {}
    # The class itself goes on, with its new signer.
    get_in(guarded, which, f"{which.prefix}-bob")
    guarded.management.kubectl("delete", REVOCATIONS, NAME, "-n", guarded.plane)
    assert "Unauthorized" in as_user(guarded, mine)


def get_in(hosted: Hosted, which: SignerClass, name: str) -> Path:
    """Ask for a certificate as the page says, and wait until kubectl works with it."""
    key, began = new_key(), time.monotonic()
    text = pkcs10(f"{which.common_name_prefix}{name}", key=key)
    management = hosted.management
    management.apply(a_request(which, name, namespace=hosted.plane, request=text, seconds=3600))
    management.apply(an_approval(name, hosted.plane))

    def signed() -> str:
        found = management.get("certificatesigningrequest", name)
        return str(found.get("status", {}).get("certificate", ""))

    certificate = hosted.until(signed, f"certificate of {name}")
    after = time.monotonic() - began
    pair = {
        "client-certificate-data": certificate,
        "client-key-data": base64.b64encode(key_to_pem(key)).decode(),
    }
    path = kubeconfig_of(hosted, name, pair)
    hosted.until(lambda: not as_user(hosted, path), f"access of {name}", lambda: "refused")
    told(f"{name}: signed after {after:.1f} s, kubectl works {time.monotonic() - began:.1f} s")
    return path


def as_user(hosted: Hosted, file: Path) -> str:
    """What kubectl complains about with a kubeconfig."""
    done = hosted.try_kubectl(f"--kubeconfig={file}", "get", "namespace", "default", "-o", "name")
    return done.stderr if done.returncode else ""


def as_account(hosted: Hosted) -> Path:
    """A kubeconfig of the service account."""
    token = hosted.kubectl("create", "token", ACCOUNT, "--duration=2h").strip()
    return kubeconfig_of(hosted, ACCOUNT, {"token": token})


def kubeconfig_of(hosted: Hosted, name: str, user: Manifest) -> Path:
    """The administrator's kubeconfig with other credentials."""
    document = yaml.safe_load(hosted.kubeconfig.read_text())
    document["users"][0]["user"] = user
    path = hosted.files / f"{name}.kubeconfig"
    path.write_text(yaml.safe_dump(document))
    path.chmod(0o600)
    return path


def await_revocation(hosted: Hosted, began: float) -> None:
    """Wait for every condition of the revocation, and tell when each of them came."""
    seen: dict[str, Manifest] = {}

    def complete() -> bool:
        found = hosted.management.get(REVOCATIONS, NAME, "-n", hosted.plane)
        for one in found.get("status", {}).get("conditions", ()):
            if one["status"] == "True" and one["type"] not in seen:
                told(f"{time.monotonic() - began:.1f} s: {one['type']}")
                seen[one["type"]] = one
        return seen.keys() == {one.value for one in RevocationCondition}

    hosted.until(complete, "end of the revocation", lambda: seen, seconds=900)
