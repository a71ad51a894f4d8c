"""What every role reads from its flags: releases, logs, paths."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypershift.cli.flags import BOOL, INT, STRING_MAP, STRINGS, Flag, choice
from hypershift.cli.roles.surroundings import scratch
from hypershift.kit import Secret
from hypershift.oci import PullSecret, Trust, parse, read_pull_secret
from hypershift.release import Release, Releases
from hypershift.runtime import configure_logs

CACHE = "hypershift-releases"  # public content, checked by digest


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonOptions:
    """What every role is given."""

    allowed_registries: tuple[str, ...]
    cache_dir: str
    control_plane_operator_image: str
    debug: bool
    enable_ci_debug_output: bool = False
    kubeconfig: str
    leader_elect: bool
    log_format: str
    registry_mirror: dict[str, str]
    registry_overrides: dict[str, str]


@dataclass(frozen=True, slots=True)
class Lookup:
    """Releases as every role asks for them: by reference and pull secret."""

    releases: Releases

    async def lookup(self, image: str, pull_secret: Secret[bytes]) -> Release:
        """What a release image contains."""
        return await self.releases.find(image, _credentials(pull_secret))

    async def labels(self, image: str, pull_secret: Secret[bytes]) -> dict[str, str]:
        """The labels of an image."""
        return await self.releases.labels(image, _credentials(pull_secret))


def _credentials(pull_secret: Secret[bytes]) -> PullSecret | None:
    content = pull_secret.reveal()
    return read_pull_secret(content) if content else None


def releases_of(options: CommonOptions) -> Lookup:
    """The lookup of releases, from the flags."""
    cache = path_of(options.cache_dir) or scratch() / CACHE
    return Lookup(
        Releases(
            cache,
            options.registry_mirror,
            options.registry_overrides,
            trust=Trust(allowed_registries(options)),
        )
    )


def allowed_registries(options: CommonOptions) -> tuple[str, ...]:
    """The patterns of registries that users may name, and the image of this program itself."""
    allowed = options.allowed_registries
    own = options.control_plane_operator_image
    return (*allowed, parse(own).name) if allowed and own else allowed


def surroundings(environment: Mapping[str, str]) -> dict[str, Any]:
    """The management cluster's proxy and metrics set, from the environment."""
    names = ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
    return {
        "proxy": {name: environment[name] for name in names if environment.get(name)},
        "metrics_set": environment.get("METRICS_SET") or "Telemetry",
    }


def start_logs(options: CommonOptions) -> None:
    """Configure logs by the flags."""
    wordy = options.debug or options.enable_ci_debug_output
    level = logging.DEBUG if wordy else logging.INFO
    configure_logs(json=options.log_format == "json", level=level)


def path_of(text: str) -> Path | None:
    """The path that a flag holds, None for an empty one."""
    return Path(text) if text else None


ALLOWED_REGISTRIES = (
    "Registries that releases and operators' images may come from: host or host/repository, with "
    "* as a wildcard (default: all)"
)
FORMAT = choice("string", ("json", "text"), lambda text: f"{text!r} is neither json nor text")
COMMON = (
    Flag("kubeconfig", "Kubeconfig of the management cluster (default: the pod's own account)"),
    Flag("registry-mirror", "Where a registry is served: host=URL (repeatable)", STRING_MAP),
    Flag("registry-overrides", "Start of an image reference to replace: from=to", STRING_MAP),
    Flag("allowed-registries", ALLOWED_REGISTRIES, STRINGS),
    Flag("control-plane-operator-image", "The image of this program, for pods that it makes"),
    Flag(
        "leader-elect", "Lead before working, so that several replicas may run", BOOL, default=True
    ),
    Flag("cache-dir", "Where releases that were looked up are kept"),
    Flag("log-format", "json or text", FORMAT, default="json"),
    Flag("debug", "Log every step", BOOL),
)

HEALTH = Flag("health-probe-addr", "Where health and metrics are served", default="0.0.0.0:6060")
IGNITION_PORT = Flag("ignition-port", "The port of the ignition server", INT, default=9090)
POD_NAME = Flag("pod-name", "The name of this replica")
