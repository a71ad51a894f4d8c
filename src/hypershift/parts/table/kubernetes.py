"""The Kubernetes binaries, of each release that we can make a payload of."""

from hypershift.parts.part import GoModule, Release

#: Kubernetes releases that we can make a payload of, newest first; the first is the default.
KUBERNETES_VERSIONS = ("1.35.8", "1.34.10")
KUBERNETES = KUBERNETES_VERSIONS[0]
_COMMANDS = (
    "kube-apiserver",
    "kubectl",
    "kubelet",
    "kube-controller-manager",
    "kube-scheduler",
    "kube-proxy",
)


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
            "https://dl.k8s.io/v{version}/bin/linux/{arch}/{name}",
            "https://dl.k8s.io/v{version}/bin/linux/{arch}/{name}.sha256",
        ),
        cpu_seconds=880,
    )
