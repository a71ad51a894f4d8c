"""The Kubernetes binaries, of each release that we can make a payload of."""

from collections.abc import Mapping
from datetime import date

from hypershift.parts.part import GoModule, Release
from hypershift.parts.signing import Keyless

#: Kubernetes releases that we can make a payload of, newest first, and the days of their last
#: commits; the first is the default.
_DAYS: Mapping[str, date] = {"1.35.8": date(2026, 8, 20), "1.34.10": date(2026, 7, 22)}
KUBERNETES_VERSIONS = tuple(_DAYS)
KUBERNETES = KUBERNETES_VERSIONS[0]
_COMMANDS = (
    "kube-apiserver",
    "kubectl",
    "kubelet",
    "kube-controller-manager",
    "kube-scheduler",
    "kube-proxy",
)
_FILE = "https://dl.k8s.io/v{version}/bin/linux/{arch}/{name}"


def kubernetes(version: str) -> GoModule:
    """The Kubernetes binaries of one release."""
    major, minor, _ = version.split(".")
    stamp = {
        "gitVersion": f"v{version}",
        "gitMajor": major,
        "gitMinor": minor,
        "gitCommit": "",
        "gitTreeState": "archive",
    }
    variables = ("k8s.io/component-base/version", "k8s.io/client-go/pkg/version")
    return GoModule(
        name=f"kubernetes-{major}.{minor}",
        version=version,
        upstream="k8s.io/kubernetes",
        packages={command: f"k8s.io/kubernetes/cmd/{command}" for command in _COMMANDS},
        stamps={f"{place}.{name}": text for place in variables for name, text in stamp.items()},
        release=Release(
            _FILE,
            f"{_FILE}.sha256",
            signed=Keyless(
                "krel-staging@k8s-releng-prod.iam.gserviceaccount.com",
                "https://accounts.google.com",
                since=_DAYS[version],
                signature=f"{_FILE}.sig",
                certificate=f"{_FILE}.cert",
            ),
        ),
        cpu_seconds=880,
    )
