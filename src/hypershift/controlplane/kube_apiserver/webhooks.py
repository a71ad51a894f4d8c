"""Webhooks beside the API server that give pods of the guest their cloud identity."""

from hypershift.api.platforms.traits import IdentityWebhook
from hypershift.component import Asset, View, edit, kubeconfig
from hypershift.component.kubeconfig import Url, in_cluster, on_localhost
from hypershift.kit import Manifest
from hypershift.pki import kubeconfig as build
from hypershift.pki import kubeconfig_text

_CERTS, _KUBECONFIG = "/var/run/app/certs", "/var/run/app/kubeconfig"
_REQUESTS = {"requests": {"cpu": "10m", "memory": "25Mi"}}

#: The webhook registers itself when it starts, so it waits for the server beside it.
AZURE_SCRIPT = """\
set -u
until curl -kfsS "https://localhost:{port}/version" >/dev/null; do
  echo "waiting for kube-apiserver /version endpoint to become available"
  sleep 2
done
exec /usr/bin/azure-workload-identity-webhook \\
  --webhook-cert-dir=/var/run/app/certs \\
  --health-addr=:9440 \\
  --audience=api://AzureADTokenExchange \\
  --kubeconfig=/var/run/app/kubeconfig/kubeconfig \\
  --metrics-addr=:9441 \\
  --log-level=info \\
{tls}  --disable-cert-rotation
"""


def with_webhook(view: View, manifest: Manifest) -> Manifest:
    """Add the webhook of the platform, if it has one."""
    match view.cloud.identity_webhook:
        case IdentityWebhook.AWS as name:
            return _added(manifest, _aws(view), name.value, name.value)
        case IdentityWebhook.AZURE as name:
            return _added(manifest, _azure(view), name.value, "azure-wi-webhook")
        case None:
            return manifest


def _added(manifest: Manifest, container: Manifest, name: str, volume: str) -> Manifest:
    certs, config = f"{volume}-serving-certs", f"{volume}-kubeconfig"
    mounts = [
        {"name": certs, "mountPath": _CERTS},
        {"name": config, "mountPath": _KUBECONFIG},
    ]
    whole = {"name": name, "image": name, "resources": _REQUESTS, "volumeMounts": mounts}
    return edit.add_volumes(
        edit.add_container(manifest, {**whole, **container}),
        edit.secret_volume(certs, f"{name}-serving-cert"),
        edit.secret_volume(config, f"{name}-kubeconfig"),
    )


def _aws(view: View) -> Manifest:
    aws = view.spec.platform.aws
    region = aws.region if aws else ""
    command = [
        f"/usr/bin/{IdentityWebhook.AWS}",
        "--annotation-prefix=eks.amazonaws.com",
        "--in-cluster=false",
        f"--kubeconfig={_KUBECONFIG}/kubeconfig",
        "--logtostderr",
        "--port=4443",
        f"--aws-default-region={region}",
        f"--tls-cert={_CERTS}/tls.crt",
        f"--tls-key={_CERTS}/tls.key",
        "--token-audience=openshift",
        *view.tls.flags,
    ]
    return {"command": command}


def _azure(view: View) -> Manifest:
    azure = view.spec.platform.azure
    flags = "".join(f"  {flag} \\\n" for flag in sorted(view.tls.flags))
    return {
        "command": ["/bin/sh", "-ec"],
        "args": [AZURE_SCRIPT.format(port=view.api_pod_port, tls=flags)],
        "env": [
            {"name": "AZURE_TENANT_ID", "value": azure.tenant_id if azure else ""},
            {"name": "AZURE_ENVIRONMENT", "value": azure.cloud if azure else ""},
        ],
        "startupProbe": {**_probe("/healthz"), "periodSeconds": 10, "failureThreshold": 30},
        "livenessProbe": {**_probe("/healthz"), "periodSeconds": 20},
        "readinessProbe": {**_probe("/readyz"), "initialDelaySeconds": 5, "periodSeconds": 10},
    }


def _probe(path: str) -> Manifest:
    return {"httpGet": {"path": path, "port": 9440, "scheme": "HTTP"}}


def _kubeconfig(name: IdentityWebhook, url: Url) -> Asset:
    """The webhook's identity in the guest; the PKI keeps its certificate in the same Secret."""
    stub = kubeconfig.stub(f"{name}-kubeconfig", "local")
    stub["metadata"]["annotations"] = {"hypershiftlite.openshift.io/ca-hash": ""}
    stub["data"] = dict.fromkeys(("ca.crt", "kubeconfig", "tls.crt", "tls.key"), "")

    def adapt(view: View, manifest: Manifest) -> Manifest:
        certificate, key = (view.secret(f"{name}-kubeconfig", k) for k in ("tls.crt", "tls.key"))
        if not certificate:
            return manifest
        trust = kubeconfig.root_ca(view)
        config = build(url(view), trust, certificate=certificate, key=key)
        return edit.set_data(manifest, {"kubeconfig": kubeconfig_text(config)})

    def runs(view: View) -> bool:
        return view.cloud.identity_webhook is name

    return Asset(stub=stub, adapt=adapt, when=runs, keeps_existing=True)


AWS_KUBECONFIG = _kubeconfig(IdentityWebhook.AWS, in_cluster)
AZURE_KUBECONFIG = _kubeconfig(IdentityWebhook.AZURE, on_localhost)
