"""The RHEL stream of OpenShift nodes: which one a pool asks for, runs, and boots from."""

from collections.abc import Iterable

from hypershift.api import NodePool
from hypershift.ignition import machine_config
from hypershift.kit import InvalidSpec
from hypershift.operators.hypershift.node_pool.rules.release_version import major_minor

RHEL_9 = "rhel-9"
RHEL_10 = "rhel-10"
_FIRST_WITH_RHEL_10 = (5, 0)


def default_stream(release_version: str, *, runc: bool) -> str:
    """The default stream of a release; RHEL 10 ships no runc."""
    modern = major_minor(release_version) >= _FIRST_WITH_RHEL_10
    return RHEL_10 if modern and not runc else RHEL_9


def uses_runc(configs: Iterable[str]) -> bool:
    """Whether a ContainerRuntimeConfig of the pool chooses runc."""
    return any(_chooses_runc(part) for config in configs for part in machine_config.parts(config))


def _chooses_runc(part: str | machine_config.BadSeparator) -> bool:
    """A document that cannot be read chooses nothing; its error is reported elsewhere."""
    if not isinstance(part, str) or not part.strip():
        return False
    try:
        document = machine_config.read(part)
    except InvalidSpec:
        return False
    if document.kind != "ContainerRuntimeConfig":
        return False
    chosen = document.content["spec"].get("containerRuntimeConfig") or {}
    return bool(chosen.get("defaultRuntime") == "runc")


def in_hash(pool: NodePool, release_version: str, *, runc: bool) -> str:
    """The stream as it enters the hash: only when it differs from the default."""
    named = _named(pool)
    return "" if named == default_stream(release_version, runc=runc) else named


def boot_stream(pool: NodePool, release_version: str, *, runc: bool, gate: bool) -> str:
    """The stream that machines boot from: named, else run already, else the default.

    `gate` says whether this operator may choose another one than the oldest.
    """
    if named := _named(pool):
        check(named, release_version, runc=runc)
        return named
    running = pool.status.os_image_stream
    if running and running.name:
        return running.name
    return default_stream(release_version, runc=runc) if gate else RHEL_9


def _named(pool: NodePool) -> str:
    return pool.spec.os_image_stream.name if pool.spec.os_image_stream else ""


def check(stream: str, release_version: str, *, runc: bool) -> None:
    """Refuse streams that do not exist, or that the release or the runtime cannot use."""
    if stream not in (RHEL_9, RHEL_10):
        raise InvalidSpec(
            f'unknown RHEL stream "{stream}"; valid values are "{RHEL_9}" and "{RHEL_10}"'
        )
    if stream == RHEL_9:
        return
    if major_minor(release_version) < _FIRST_WITH_RHEL_10:
        raise InvalidSpec(
            f'stream "{stream}" requires OCP >= 5.0, but release version is {release_version}'
        )
    if runc:
        raise InvalidSpec(
            f'stream "{stream}" is incompatible with runc: RHEL 10 does not ship runc'
        )
