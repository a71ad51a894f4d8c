"""containerd on a machine: its configuration (version 3), its registry mirrors, its unit."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hypershift.ignition.config import File, Unit, file, unit

CONFIG: Final = "/etc/containerd/config.toml"
MIRRORS: Final = "/etc/containerd/certs.d"
SOCKET: Final = "/run/containerd/containerd.sock"
SERVICE: Final = "containerd.service"


@dataclass(frozen=True, slots=True)
class Mirror:
    """Where the images of a registry host are really pulled from, first answer wins."""

    host: str
    endpoints: tuple[str, ...]
    #: Asked when no endpoint has the image; empty means the last endpoint has the last word.
    upstream: str = ""


def config(sandbox_image: str) -> File:
    """The configuration file.

    The OOM settings matter where the process may not lower scores (no CAP_SYS_RESOURCE): without
    them no container starts. A machine has no systemd, so cgroups are files in both versions.
    """
    runtime, images = '"io.containerd.cri.v1.runtime"', '"io.containerd.cri.v1.images"'
    text = f"""\
version = 3
root = "/var/lib/containerd"
state = "/run/containerd"
oom_score = 0

[grpc]
  address = "{SOCKET}"

[plugins.{runtime}]
  restrict_oom_score_adj = true
  disable_apparmor = true
  enable_selinux = false

  [plugins.{runtime}.cni]
    bin_dirs = ["/opt/cni/bin"]
    conf_dir = "/etc/cni/net.d"

  [plugins.{runtime}.containerd]
    default_runtime_name = "runc"

    [plugins.{runtime}.containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"

      [plugins.{runtime}.containerd.runtimes.runc.options]
        SystemdCgroup = false

[plugins.{images}]
  snapshotter = "overlayfs"

  [plugins.{images}.pinned_images]
    sandbox = {json.dumps(sandbox_image)}

  [plugins.{images}.registry]
    config_path = "{MIRRORS}"
"""
    return file(CONFIG, text)


def mirror_files(mirrors: tuple[Mirror, ...]) -> Iterator[File]:
    """The `hosts.toml` of each mirrored registry."""
    for mirror in mirrors:
        lines = [f"server = {json.dumps(mirror.upstream or mirror.endpoints[-1])}"]
        for endpoint in mirror.endpoints:
            lines += ["", f"[host.{json.dumps(endpoint)}]", '  capabilities = ["pull", "resolve"]']
        yield file(f"{MIRRORS}/{mirror.host}/hosts.toml", "\n".join(lines) + "\n")


def service(environment: str = "") -> Unit:
    """The unit; units that start after it find the socket open."""
    return unit(
        SERVICE,
        f"""\
[Unit]
Description=containerd
After=network-online.target

[Service]
{environment}ExecStart=/usr/bin/containerd --config {CONFIG}
ExecStartPost=/bin/sh -c 'until [ -S {SOCKET} ]; do usleep 20000; done'
Restart=always
RestartSec=1
TimeoutStopSec=5
KillMode=process
Delegate=yes

[Install]
WantedBy=multi-user.target
""",
    )
