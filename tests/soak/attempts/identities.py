"""A tenant's own certificates, tokens, agents and webhooks, shown where they are worth nothing."""

import ssl
import subprocess
import tempfile
import urllib.error
import urllib.request

from tests.e2e.embedded import Manifest, until
from tests.soak.attempts.network import secrets_of_management
from tests.soak.party import Party


def asks_for_ignition(me: Party, other: Party) -> str:
    """Ask for the other's user data with the token of an own machine, and with none."""
    endpoint = other.cluster.resource()["status"]["ignitionEndpoint"]
    url = f"https://{endpoint}/ignition"
    tokens = [
        secret["data"]["token"]
        for secret in me.management.get("secrets", "-n", me.cluster.plane)
        if secret["metadata"]["name"].startswith("token-")
    ]
    assert tokens, "there is no token to try"
    pool = f"NodePool: {other.cluster.namespace}/{other.pool}"
    codes = [me.machine.ask(url, f"Authorization: Bearer {each}", pool) for each in tokens]
    return f"answers {codes}" if {*codes, me.machine.ask(url)} & {0, 200} else ""


def shows_its_certificates(me: Party, other: Party) -> str:
    """Every certificate of the own control plane is shown to the other's API."""
    tried = dict(me.credentials())
    assert "admin-kubeconfig" in tried, "there is no certificate to try"
    host, port = other.cluster.endpoint()
    codes = {
        name: _shown(f"https://{host}:{port}/api/v1/secrets", pair) for name, pair in tried.items()
    }
    return ", ".join(f"{name}: {code}" for name, code in codes.items() if code != 401)


def shows_a_token(me: Party, other: Party) -> str:
    """A token of its own cluster is shown to the other's API and to the management cluster's."""
    token = me.cluster.kubectl("create", "token", "default", "-n", "default").strip()
    host, port = other.cluster.endpoint()
    urls = [f"https://{host}:{port}/api/v1/secrets", *secrets_of_management(me, other)]
    codes = {url: me.machine.ask(url, f"Authorization: Bearer {token}") for url in urls}
    return ", ".join(f"{url}: {code}" for url, code in codes.items() if code not in (0, 401))


def joins_the_others_tunnel(me: Party, other: Party) -> str:
    """An own agent's certificate is shown to the other's konnectivity server."""
    pair = dict(me.credentials())["konnectivity-agent"]
    services = other.management.get("services", "-n", other.cluster.plane)
    (found,) = [each for each in services if each["metadata"]["name"] == "konnectivity-server"]
    (ingress,) = found["status"]["loadBalancer"]["ingress"]
    address = f"{ingress['ip']}:{found['spec']['ports'][0]['port']}"
    words = ("openssl", "s_client", "-connect", address, "-alpn", "h2", "-quiet")
    with tempfile.NamedTemporaryFile() as file:
        file.write(pair)
        file.flush()
        done = subprocess.run(
            (*words, "-cert", file.name, "-key", file.name),
            input=b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(9),
            capture_output=True,
            check=False,
            timeout=20,
        )
    return "" if b"alert" in done.stderr else f"no alert: {done.stderr[-200:]!r}"


def _shown(url: str, pair: bytes) -> int:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with tempfile.NamedTemporaryFile() as file:
        file.write(pair)
        file.flush()
        context.load_cert_chain(file.name)
    try:
        with urllib.request.urlopen(url, timeout=10, context=context) as answer:  # noqa: S310 - ours
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def calls_out_by_webhook(me: Party, other: Party) -> str:
    """A webhook of the own cluster names the management API; it must go away."""
    url = secrets_of_management(me, other)[0]
    hook: Manifest = {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "outward"},
        "webhooks": [
            {
                "name": "outward.example.org",
                "clientConfig": {"url": url},
                "failurePolicy": "Ignore",
                "sideEffects": "None",
                "admissionReviewVersions": ["v1"],
                "rules": [
                    {
                        "apiGroups": ["example.org"],
                        "apiVersions": ["v1"],
                        "operations": ["CREATE"],
                        "resources": ["things"],
                    }
                ],
            }
        ],
    }
    me.cluster.apply(hook)
    words = ("get", "validatingwebhookconfiguration", "outward")
    until(lambda: me.cluster.try_kubectl(*words).returncode != 0, 120)
    return ""
