"""What the sidecars that ask a key service have in common."""

from typing import Any

from hypershift.kit import Manifest

#: Where the token lies by which a sidecar proves who it is.
MINTED = "/var/run/secrets/openshift/serviceaccount"
ACCOUNT = ("kube-system", "kms-provider")
KUBECONFIG_VOLUME = "localhost-kubeconfig"


def probed(container: Manifest, path: str, port: int, *, served: int = 0) -> Manifest:
    """The sidecar with its port, its requests, and a patient probe: a slow cloud is no reason."""
    probe: dict[str, Any] = {
        "httpGet": {"path": path, "port": port, "scheme": "HTTP"},
        "initialDelaySeconds": 120,
        "periodSeconds": 300,
        "timeoutSeconds": 160,
        "failureThreshold": 3,
        "successThreshold": 1,
    }
    return {
        **container,
        "ports": [{"name": "http", "containerPort": served or port, "protocol": "TCP"}],
        "livenessProbe": probe,
        "resources": {"requests": {"cpu": "10m", "memory": "10Mi"}},
    }


def token_minter(name: str, volume: str, kubeconfig: str) -> Manifest:
    """Keeps a token fresh, of an account in the guest that the cloud trusts."""
    namespace, account = ACCOUNT
    return {
        "name": name,
        "image": "token-minter",
        "command": ["/usr/bin/control-plane-operator", "token-minter"],
        "args": [
            "--token-audience=openshift",
            f"--service-account-namespace={namespace}",
            f"--service-account-name={account}",
            f"--token-file={MINTED}/token",
            f"--kubeconfig={kubeconfig}/kubeconfig",
        ],
        "resources": {"requests": {"cpu": "10m", "memory": "30Mi"}},
        "volumeMounts": [
            {"name": KUBECONFIG_VOLUME, "mountPath": kubeconfig},
            {"name": volume, "mountPath": MINTED},
        ],
    }
