"""A pool's configuration: all documents for its machines as one text, and the hashes of it.

The hashes name secrets and decide about rollouts, so that every byte counts (see the reference
vectors); only names of pull secret and trust bundle take part, never their content.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from hypershift.api import HostedCluster
from hypershift.ignition import fingerprint, machine_config
from hypershift.kit import InvalidSpec, Manifest
from hypershift.kit.budget import MEBIBYTE
from hypershift.operators.hypershift.node_pool.rules import global_config
from hypershift.operators.hypershift.node_pool.rules.release_version import major_minor

#: Core documents of every control plane: FIPS mode, ssh keys, API proxy.
CORE_CONFIGS = 3


@dataclass(frozen=True, slots=True)
class Source:
    """A ConfigMap named by the user or made for the pool; `config` is None when it is missing."""

    name: str
    config: str | None
    #: Everything in it.
    data: Mapping[str, str] = field(default_factory=dict)
    #: Whether the tuning operator made it, not the user.
    generated: bool = False


@dataclass(frozen=True, slots=True)
class PoolConfig:
    """The text that machines are configured by, and what else enters its hash."""

    raw: str
    release_version: str
    pull_secret: str
    trust_bundle: str
    global_config: str
    os_stream: str = ""

    @property
    def hash(self) -> str:
        """Names the token and user data secrets; a new one means new machines."""
        return fingerprint.of_text(
            self.raw
            + self.release_version
            + self.pull_secret
            + self.trust_bundle
            + self.global_config
            + self.os_stream
        )

    @property
    def hash_without_version(self) -> str:
        """Changes with the configuration but not with the version; leaves the global part out."""
        return fingerprint.of_text(self.raw + self.pull_secret + self.trust_bundle + self.os_stream)


#: All documents of a pool together. They become one Secret, compressed, of at most 1 MiB.
LARGEST: Final = 4 * MEBIBYTE


def size_of(sources: Iterable[Source]) -> int:
    """Characters of all ConfigMaps together: what it takes to read them."""
    return sum(len(source.config or "") for source in sources)


def check_size(sources: Iterable[Source]) -> None:
    """Refuse more documents than one pool may have."""
    if (size := size_of(sources)) > LARGEST:
        raise InvalidSpec(
            f"the ConfigMaps of spec.config have {size} characters together, at most {LARGEST} "
            "are allowed: remove documents that the pool does not need",
            field="spec.config",
        )


def expected_core_configs(cluster: HostedCluster, *, own_proxy: bool) -> int:
    """How many core ConfigMaps the control plane must hold before a pool can be configured."""
    mirrors = bool(cluster.spec.image_content_sources)
    return CORE_CONFIGS - int(own_proxy) + int(mirrors)


def pool_config(
    cluster: HostedCluster,
    settings: Manifest | None,
    *,
    core: Sequence[str | Source],
    sources: Iterable[Source],
    api_proxy: str,
    release_version: str,
    os_stream: str = "",
    count_core: bool = True,
) -> PoolConfig:
    """Gather, check and order the documents of a pool.

    `settings` is the cluster's `spec.configuration` as it was given.
    """
    expected = expected_core_configs(cluster, own_proxy=bool(api_proxy))
    if count_core and len(core) != expected:
        raise InvalidSpec(f"expected {expected} core ignition configs, found {len(core)}")
    every = [one if isinstance(one, Source) else Source("", one) for one in core]
    every += sources
    texts = [document.text for document in _accepted(every)]
    if api_proxy:
        texts.append(api_proxy)
    spec = cluster.spec
    return PoolConfig(
        raw=machine_config.SEPARATOR.join(sorted(texts, key=lambda text: text.encode())),
        release_version=release_version,
        pull_secret=spec.pull_secret.name,
        trust_bundle=spec.additional_trust_bundle.name if spec.additional_trust_bundle else "",
        global_config=global_config.text(spec, settings, major_minor(release_version)),
        os_stream=os_stream,
    )


def _accepted(sources: Sequence[Source]) -> list[machine_config.Document]:
    missing = [
        f'configmaps "{source.name}" not found' for source in sources if source.config is None
    ]
    if missing:
        raise InvalidSpec(together(missing), field="spec.config")
    accepted, refused = [], []
    for source in sources:
        for part in machine_config.parts(source.config or ""):
            if isinstance(part, machine_config.BadSeparator):
                refused.append(f'configmap "{source.name}" contains invalid yaml: {part}')
                continue
            if not part.strip():
                continue
            try:
                accepted.append(machine_config.read(part))
            except InvalidSpec as error:
                refused.append(
                    f'configmap "{source.name}" yaml document failed validation: {error}'
                )
    if refused:
        raise InvalidSpec(together(refused), field="spec.config")
    return accepted


def together(messages: list[str]) -> str:
    """Several errors as one, without repetition."""
    unique = list(dict.fromkeys(messages))
    return unique[0] if len(unique) == 1 else f"[{', '.join(unique)}]"
