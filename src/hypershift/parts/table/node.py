"""What a machine runs its containers with."""

from datetime import date

from hypershift.parts.part import GoModule
from hypershift.parts.signing import Attestation, OpenPgp
from hypershift.parts.table.github import github, github_address

_CONTAINERD, _CONTAINERD_VERSION = "containerd/containerd", "2.4.2"
#: The workflow of one tag signs for no other version.
_CONTAINERD_WORKFLOW = (
    f"https://github.com/{_CONTAINERD}/.github/workflows/release.yml"
    f"@refs/tags/v{_CONTAINERD_VERSION}"
)

CONTAINERD = GoModule(
    name="containerd",
    version=_CONTAINERD_VERSION,
    upstream="github.com/containerd/containerd/v2",
    packages={
        command: f"github.com/containerd/containerd/v2/cmd/{command}"
        for command in ("containerd", "containerd-shim-runc-v2", "ctr")
    },
    stamps={"github.com/containerd/containerd/v2/version.Version": f"v{_CONTAINERD_VERSION}"},
    tags=("no_btrfs", "no_devmapper", "no_zfs"),
    release=github(
        _CONTAINERD,
        "v{version}",
        "containerd-static-{version}-linux-{arch}.tar.gz",
        "containerd-static-{version}-linux-{arch}.tar.gz.sha256sum",
        "bin/{name}",
        Attestation(
            _CONTAINERD_WORKFLOW,
            "https://token.actions.githubusercontent.com",
            github_address(
                _CONTAINERD, "v{version}", "containerd-{version}-attestation.intoto.jsonl"
            ),
        ),
    ),
    cpu_seconds=170,
)

RUNC = GoModule(
    name="runc",
    version="1.5.2",
    upstream="github.com/opencontainers/runc",
    packages={"runc": "github.com/opencontainers/runc"},
    stamps={"main.version": "1.5.2"},
    tags=("netgo", "osusergo", "seccomp"),
    cgo=True,
    release=github(
        "opencontainers/runc",
        "v{version}",
        "runc.{arch}",
        "runc.sha256sum",
        signed=OpenPgp(
            (
                "C2428CD75720FACDCF76B6EA17DE5ECB75A1100E",  # Kir Kolyshkin
                "C9C370B246B09F6DBCFC744C34401015D1D2D386",  # Aleksa Sarai
            ),
            since=date(2026, 9, 24),
        ),
    ),
    cpu_seconds=25,
)

CNI = GoModule(
    name="cni-plugins",
    version="1.9.1",
    upstream="github.com/containernetworking/plugins",
    packages={
        name: f"github.com/containernetworking/plugins/plugins/{kind}/{name}"
        for name, kind in (
            ("bridge", "main"),
            ("host-local", "ipam"),
            ("loopback", "main"),
            ("portmap", "meta"),
        )
    },
    stamps={"github.com/containernetworking/plugins/pkg/utils/buildversion.BuildVersion": "v1.9.1"},
    release=github(
        "containernetworking/plugins",
        "v{version}",
        "cni-plugins-linux-{arch}-v{version}.tgz",
        "cni-plugins-linux-{arch}-v{version}.tgz.sha256",
        "./{name}",
    ),
    cpu_seconds=9,
)

CRI_TOOLS = GoModule(
    name="cri-tools",
    version="1.36.0",
    upstream="sigs.k8s.io/cri-tools",
    packages={"crictl": "sigs.k8s.io/cri-tools/cmd/crictl"},
    stamps={"sigs.k8s.io/cri-tools/pkg/version.Version": "v1.36.0"},
    release=github(
        "kubernetes-sigs/cri-tools",
        "v{version}",
        "crictl-v{version}-linux-{arch}.tar.gz",
        "crictl-v{version}-linux-{arch}.tar.gz.sha256",
        "crictl",
    ),
    cpu_seconds=90,
)

PAUSE = GoModule(
    name="pause",
    version="1.0.0",
    upstream="hypershift/parts/pause",
    packages={"pause": "."},
    cpu_seconds=2,
)
