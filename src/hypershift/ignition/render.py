"""The whole configuration of a Kubernetes node: its basics, then what the pool's documents say.

Documents merge by the original's rules: MachineConfigs in the order of their names, the last one
winning per file and unit; then one KubeletConfig and one ContainerRuntimeConfig; mirrors add up.
What a machine of ours cannot honour is refused by name, never dropped.
"""

import ipaddress
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hypershift.ignition import machine_config, node
from hypershift.ignition.codec import encode, from_builtins
from hypershift.ignition.config import Config, Passwd, Storage, file
from hypershift.ignition.containerd import Mirror
from hypershift.ignition.machine_config import Document
from hypershift.ignition.merge import merge
from hypershift.ignition.mirrors import mirrors_of
from hypershift.ignition.resource import ConfigError
from hypershift.kit import InvalidSpec, Manifest, Secret
from hypershift.kit.budget import refusing

CREDENTIALS: Final = "/var/lib/kubelet/config.json"
SANDBOX: Final = "pause"
DNS_SERVICE: Final = 10  # the service address of the cluster's DNS, counted from the range's start

#: MachineConfig fields that need an operating system of another kind than a machine's.
_REFUSED: Final = ("kernelArguments", "kernelType", "fips", "extensions", "osImageURL",
                   "baseOSExtensionsContainerImage")  # fmt: skip
#: ContainerRuntimeConfig fields by the kubelet setting that has the same meaning here.
_RUNTIME: Final = {"pidsLimit": "podPidsLimit", "logSizeMax": "containerLogMaxSize"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the configuration of a pool's nodes follows."""

    #: The documents of the pool as one text.
    config: str
    images: Mapping[str, str]
    #: The kubeconfig that nodes ask for their certificate with.
    kubeconfig: Manifest = field(repr=False)
    #: PEM of the authorities that sign the kubelet's callers.
    authority: str
    service_networks: tuple[str, ...]
    pull_secret: Secret[bytes]
    mirrors: tuple[Mirror, ...] = ()
    trust_bundle: str = ""
    proxy: Mapping[str, str] = field(default_factory=dict)
    cluster_domain: str = "cluster.local"


def payload(facts: Facts) -> bytes:
    """The Ignition document that a node of the pool boots with."""
    return encode(configuration(facts))


def configuration(facts: Facts) -> Config:
    """The configuration as a value."""
    documents = read(facts.config)
    basics = node.config(_settings(facts, documents))
    return merge(basics, _credentials(facts.pull_secret), *_machine_configs(documents))


def check(config: str) -> None:
    """Refuse documents that a machine could not honour, before any machine is made of them."""
    with refusing("the configuration"):
        documents = read(config)
        _kubelet(documents)
        mirrors_of((), documents)
        merge(Config(), *_machine_configs(documents))


def read(config: str) -> tuple[Document, ...]:
    """The documents of a pool's configuration."""
    return tuple(
        machine_config.read(text) for text in machine_config.documents(config) if text.strip()
    )


def cluster_dns(service_networks: Sequence[str]) -> tuple[str, ...]:
    """The address of the cluster's DNS service in each service range."""
    return tuple(
        str(ipaddress.ip_network(network)[DNS_SERVICE]) for network in service_networks if network
    )


def _settings(facts: Facts, documents: Sequence[Document]) -> node.NodeSettings:
    if SANDBOX not in facts.images:
        raise InvalidSpec(f"the release has no image {SANDBOX!r}", field="spec.release")
    return node.NodeSettings(
        authority=facts.authority,
        kubeconfig=facts.kubeconfig,
        bootstrap=True,
        sandbox_image=facts.images[SANDBOX],
        cluster_dns=cluster_dns(facts.service_networks),
        mirrors=mirrors_of(facts.mirrors, documents),
        kubelet=_kubelet(documents),
        environment=facts.proxy,
        cluster_domain=facts.cluster_domain,
        trust_bundle=facts.trust_bundle,
    )


def _kubelet(documents: Sequence[Document]) -> dict[str, Any]:
    """The KubeletConfiguration fields that the pool's documents ask for."""
    asked: dict[str, Any] = {}
    if runtime := _only("ContainerRuntimeConfig", documents):
        asked |= _runtime(runtime.content["spec"].get("containerRuntimeConfig") or {})
    if kubelet := _only("KubeletConfig", documents):
        asked |= kubelet.content["spec"].get("kubeletConfig") or {}
    return asked


def _only(kind: str, documents: Sequence[Document]) -> Document | None:
    found = [document for document in documents if document.kind == kind]
    if len(found) > 1:
        raise InvalidSpec(f"a pool can have one {kind}, this one has {len(found)}")
    return found[0] if found else None


def _runtime(asked: Mapping[str, Any]) -> dict[str, Any]:
    unknown = sorted(set(asked) - {*_RUNTIME, "logLevel", "defaultRuntime"})
    if unknown:
        raise InvalidSpec(f"ContainerRuntimeConfig: {', '.join(unknown)} cannot be honoured here")
    if asked.get("defaultRuntime", "runc") != "runc":
        raise InvalidSpec("ContainerRuntimeConfig: the only container runtime here is runc")
    return {_RUNTIME[name]: value for name, value in asked.items() if name in _RUNTIME}


def _machine_configs(documents: Sequence[Document]) -> Iterator[Config]:
    configs = [document for document in documents if document.kind == "MachineConfig"]
    for document in sorted(configs, key=lambda item: item.content["metadata"].get("name", "")):
        yield _machine_config(document.content)


def _machine_config(content: Manifest) -> Config:
    name, spec = content["metadata"].get("name", ""), content["spec"]
    for refused in _REFUSED:
        if spec.get(refused):
            raise InvalidSpec(f"MachineConfig {name}: {refused} cannot be honoured here")
    if not spec.get("config"):
        return Config()
    try:
        return from_builtins(spec["config"])
    except ConfigError as error:
        raise InvalidSpec(f"MachineConfig {name}: {error}") from error


def _credentials(pull_secret: Secret[bytes]) -> Config:
    if not pull_secret.reveal():
        return Config(passwd=Passwd())
    return Config(storage=Storage(files=(file(CREDENTIALS, pull_secret.reveal(), 0o600),)))
