"""What a pool's ConfigMaps come to for the node tuning operator."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from hypershift.api import NodePool, labels
from hypershift.ignition import fingerprint, machine_config
from hypershift.kit import InvalidSpec, Manifest
from hypershift.operators.hypershift.node_pool import names
from hypershift.operators.hypershift.node_pool.rules import tuning_manifest
from hypershift.operators.hypershift.node_pool.rules.configuration import LARGEST, Source, together

KUBELET_CONFIG = labels.KUBELET_CONFIG
RUNTIME_CONFIG = labels.CONTAINER_RUNTIME_CONFIG
MIRRORED = labels.MIRRORED_CONFIG
TUNED = labels.TUNED_CONFIG
PROFILE = labels.PERFORMANCE_PROFILE_CONFIG
PROFILE_STATUS = labels.NTO_PERFORMANCE_PROFILE_STATUS
KEY = "tuning"
_NAME_LIMIT = 63
_MIRRORED_KINDS = {"KubeletConfig": KUBELET_CONFIG, "ContainerRuntimeConfig": RUNTIME_CONFIG}


@dataclass(frozen=True, slots=True)
class Mirror:
    """A ConfigMap of the user that the tuning operator shall see, and why."""

    name: str
    config: str
    label: str
    data: Mapping[str, str] = field(default_factory=dict)


def mirrors(sources: Iterable[Source]) -> list[Mirror]:
    """The ConfigMaps with settings of kubelet or container runtime."""
    return [
        Mirror(source.name, source.config or "", label, source.data)
        for source in sources
        for text in machine_config.documents(source.config or "")
        if text.strip() and (label := _MIRRORED_KINDS.get(machine_config.read(text).kind))
    ]


def why_too_many(pool: str, generated: list[str], wanted: list[Mirror]) -> str:
    """Return that there is more than one KubeletConfig; empty while there is not."""
    mine = [mirror for mirror in wanted if mirror.label == KUBELET_CONFIG]
    if len(generated) + len(mine) <= 1:
        return ""
    return (
        "failed to validate mirrored configs: more than a single KubeletConfig ConfigMap is "
        f"associated with NodePool {pool}. please delete the redundant configs: NTO generated "
        f"KubeletConfigs [{' '.join(generated)}] user provided KubeletConfigs "
        f"[{' '.join(mirror.name for mirror in wanted)}]"
    )


def mirrored(pool: str, namespace: str, wanted: Iterable[Mirror]) -> list[Manifest]:
    """The copies in the control plane namespace: of each ConfigMap one, with all its reasons."""
    copies: dict[str, Manifest] = {}
    for mirror in wanted:
        name = fingerprint.shortened(mirror.name, pool, _NAME_LIMIT)
        labels = {names.NODE_POOL: pool, MIRRORED: "true"}
        data = dict(mirror.data) or {"config": mirror.config}
        copy = copies.setdefault(name, _config_map(name, namespace, labels, data))
        copy["metadata"]["labels"][mirror.label] = "true"
    return list(copies.values())


@dataclass(frozen=True, slots=True)
class Tuning:
    """The manifests that `spec.tuningConfig` names: Tuned ones, and at most one profile."""

    tuned: str = ""
    profile: str = ""
    profile_name: str = ""


def size_of(sources: Iterable[tuple[str, Manifest | None]]) -> int:
    """Characters of all manifests together."""
    found = [(one or {}).get("data") or {} for _, one in sources]
    return sum(len(data.get(KEY) or "") for data in found)


def tuning(sources: Iterable[tuple[str, Manifest | None]]) -> Tuning:
    """Read the ConfigMaps that a pool names; everything wrong with them is one error."""
    tuned, profiles, profile_name = [], [], ""
    named = list(sources)
    if (size := size_of(named)) > LARGEST:
        raise InvalidSpec(f"the manifests have {size} characters, at most {LARGEST} are allowed")
    errors = [f'configmaps "{name}" not found' for name, one in named if one is None]
    for name, config_map in named:
        try:
            kind, text = _manifest(name, config_map) if config_map is not None else ("", "")
        except InvalidSpec as error:
            errors.append(str(error))
            continue
        if kind == "Tuned":
            tuned.append(text)
        elif kind:
            profiles.append(text)
            profile_name = name
    if len(profiles) > 1:
        errors.append(
            f"there cannot be more than one PerformanceProfile per NodePool. found: {len(profiles)}"
        )
    if errors:
        raise InvalidSpec(together(errors))
    return Tuning(_joined(tuned), _joined(profiles), profile_name)


def _joined(texts: list[str]) -> str:
    return machine_config.SEPARATOR.join(sorted(texts))


def _manifest(name: str, config_map: Manifest) -> tuple[str, str]:
    text = (config_map.get("data") or {}).get(KEY)
    if text is None:
        raise InvalidSpec(f'no manifest found in configmap "{name}" with key "{KEY}"')
    try:
        return tuning_manifest.read(text)
    except InvalidSpec as error:
        raise InvalidSpec(f'configmap "{name}" failed validation: {error}') from error


def tuned_config_map(pool: NodePool, namespace: str, text: str) -> Manifest:
    """What the tuning operator reads the pool's Tuned manifests from."""
    name = f"tuned-{pool.metadata.name}"
    return _tuning_config_map(pool, name, namespace, TUNED, text)


def profile_config_map(pool: NodePool, namespace: str, found: Tuning) -> Manifest:
    """What the tuning operator reads the pool's PerformanceProfile from."""
    name = fingerprint.shortened(found.profile_name, pool.metadata.name, _NAME_LIMIT)
    return _tuning_config_map(pool, name, namespace, PROFILE, found.profile)


def _tuning_config_map(
    pool: NodePool, name: str, namespace: str, label: str, text: str
) -> Manifest:
    labels = {names.NODE_POOL: pool.metadata.name, label: "true"}
    made = _config_map(name, namespace, labels, {KEY: text})
    made["metadata"]["annotations"] = {names.NODE_POOL: names.pool_value(pool)}
    return made


def _config_map(
    name: str, namespace: str, labels: dict[str, str], data: dict[str, str]
) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": namespace, "labels": labels},
        "immutable": False,
        "data": data,
    }
