"""The documents that configure machines, read, checked and re-encoded as the original does.

MachineConfig, KubeletConfig and ContainerRuntimeConfig come back byte for byte as the original
writes them, the mirror and policy kinds keep their own text: the result is hashed.
"""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hypershift.ignition import go_types, goyaml
from hypershift.kit import InvalidSpec, Manifest

MACHINE_CONFIG_API = "machineconfiguration.openshift.io/v1"
ROLE_LABEL = "machineconfiguration.openshift.io/role"
BUILT_IN_POOL_LABEL = "machineconfiguration.openshift.io/mco-built-in"
SEPARATOR = "\n---\n"

#: Kinds whose text is kept as the user wrote it.
_VERBATIM = {
    ("operator.openshift.io/v1alpha1", "ImageContentSourcePolicy"),
    ("config.openshift.io/v1", "ImageDigestMirrorSet"),
    ("config.openshift.io/v1", "ClusterImagePolicy"),
    ("config.openshift.io/v1alpha1", "ClusterImagePolicy"),
}
#: Groups of which the original knows every kind, and so says "unsupported" rather than "no kind".
_KNOWN_GROUPS = {
    MACHINE_CONFIG_API: "v1",
    "config.openshift.io/v1": "v1",
    "operator.openshift.io/v1alpha1": "v1alpha1",
}


@dataclass(frozen=True, slots=True)
class Document:
    """One accepted document: its kind, its text (what is hashed) and its content."""

    kind: str
    text: str
    content: Manifest


def documents(config: str) -> Iterator[str]:
    """The documents of a text, split as Kubernetes' reader does, line ends made plain."""
    current: list[str] = []
    for raw in io.StringIO(config, newline="\n"):
        line = raw.removesuffix("\n").removesuffix("\r") + "\n"
        if current and _separates(line):
            yield "".join(current)
            current = []
        else:
            current.append(line)
    if current and not (len(current) == 1 and _separates(current[0])):
        yield "".join(current)


def _separates(line: str) -> bool:
    return line.startswith("---") and (not (rest := line[3:].strip()) or rest.startswith("#"))


def read(text: str) -> Document:
    """Check one document and give it the form that counts."""
    try:
        content = goyaml.load(text)
        goyaml.to_json(content)
    except (goyaml.YamlError, ValueError) as error:
        raise InvalidSpec(f"error decoding config: {error}") from error
    kind, version = _kind_of(content, text)
    if (version, kind) in _VERBATIM:
        if version == "config.openshift.io/v1alpha1":
            text = text.replace("config.openshift.io/v1alpha1", "config.openshift.io/v1", 1)
        return Document(kind, text, content)
    if version == MACHINE_CONFIG_API and kind in go_types.KINDS:
        return _encoded(kind, _defaulted(kind, go_types.decode(kind, content)))
    if version in _KNOWN_GROUPS:
        raise InvalidSpec(f"unsupported config type: *{_KNOWN_GROUPS[version]}.{kind}")
    raise InvalidSpec(
        f'error decoding config: no kind "{kind}" is registered for version "{version}" in scheme'
    )


def _kind_of(content: Any, text: str) -> tuple[str, str]:
    if not isinstance(content, dict) or not content.get("kind"):
        raise InvalidSpec(f"error decoding config: Object 'Kind' is missing in '{text}'")
    return str(content["kind"]), str(content.get("apiVersion", ""))


def _defaulted(kind: str, content: Manifest) -> Manifest:
    """Force what makes a document apply to the one pool that a machine of ours sees."""
    if kind == "MachineConfig":
        labels = content["metadata"].get("labels") or {}
        content["metadata"]["labels"] = labels | {ROLE_LABEL: "worker"}
    else:
        content["spec"]["machineConfigPoolSelector"] = {"matchLabels": {BUILT_IN_POOL_LABEL: ""}}
    return content


def _encoded(kind: str, content: Manifest) -> Document:
    try:
        return Document(kind, goyaml.json_to_yaml(content), content)
    except goyaml.YamlError as error:
        subject = {
            "MachineConfig": "machine config",
            "KubeletConfig": "kubelet config",
            "ContainerRuntimeConfig": "container runtime config",
        }[kind]
        raise InvalidSpec(f"failed to encode {subject} after defaulting it: {error}") from error


def machine_config(name: str, *, ignition: Manifest) -> str:
    """The text of a MachineConfig of ours that carries an Ignition config."""
    content = {
        "apiVersion": MACHINE_CONFIG_API,
        "kind": "MachineConfig",
        "metadata": {"name": name, "labels": {ROLE_LABEL: "worker"}},
        "spec": {"config": ignition},
    }
    return goyaml.json_to_yaml(go_types.decode("MachineConfig", content))
