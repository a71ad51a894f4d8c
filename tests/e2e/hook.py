"""An admission webhook that runs in a cluster: whatever is labelled `deny` is denied."""

from base64 import b64encode
from datetime import UTC, datetime

from tests.e2e.embedded import Manifest, a_pod

from hypershift.pki import Leaf, new_authority

DENIED = "denied by the test's webhook"
SERVER = f"""
import http.server, json, ssl
class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        denied = "deny" in review["request"]["object"]["metadata"].get("labels", {{}})
        answer = {{"uid": review["request"]["uid"], "allowed": not denied,
                  "status": {{"message": "{DENIED}"}}}}
        body = json.dumps({{**review, "request": None, "response": answer}}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
server = http.server.ThreadingHTTPServer(("", 8443), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("/tls/tls.crt", "/tls/tls.key")
server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
"""


def a_server(image: str, namespace: str) -> tuple[list[Manifest], bytes]:
    """The pod `hook` behind a Service, and the authority that its callers trust."""
    now, host = datetime.now(UTC), f"hook.{namespace}.svc"
    authority = new_authority("e2e", now)
    pair = authority.issue(Leaf(host, dns_names=frozenset({host})), now)
    metadata = {"name": "hook", "namespace": namespace}
    secret = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": metadata,
        "stringData": {"tls.crt": pair.certificate.decode(), "tls.key": pair.key.reveal().decode()},
    }
    volume = {"name": "tls", "secret": {"secretName": "hook"}}
    pod = a_pod("hook", image, "", namespace, volumes=[volume])
    pod["spec"]["containers"][0].update(
        command=["python3", "-c", SERVER],
        volumeMounts=[{"name": "tls", "mountPath": "/tls"}],
        readinessProbe={"tcpSocket": {"port": 8443}, "periodSeconds": 1},
    )
    ports = [{"port": 443, "targetPort": 8443}]
    service = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": metadata,
        "spec": {"selector": {"app": "hook"}, "ports": ports},
    }
    return [secret, pod, service], authority.pem


def a_registration(namespace: str, authority: bytes, group: str, resources: str) -> Manifest:
    """What has the API server ask before it creates such objects in that namespace."""
    rule = {
        "apiGroups": [group],
        "apiVersions": ["v1"],
        "operations": ["CREATE"],
        "resources": [resources],
    }
    hook = {
        "name": "hook.e2e.hypershift.io",
        "admissionReviewVersions": ["v1"],
        "sideEffects": "None",
        "failurePolicy": "Fail",
        "timeoutSeconds": 5,
        "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": namespace}},
        "clientConfig": {
            "service": {"name": "hook", "namespace": namespace},
            "caBundle": b64encode(authority).decode(),
        },
        "rules": [rule],
    }
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": f"e2e-{namespace}"},
        "webhooks": [hook],
    }
