"""The documents that configure machines, read, checked and re-encoded as the original does.

MachineConfig, KubeletConfig and ContainerRuntimeConfig come back byte for byte as the original
writes them, the mirror and policy kinds keep their own text: the result is hashed.
"""

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from hypershift.ignition import go_types, goyaml
from hypershift.kit import InvalidSpec, Manifest
from hypershift.kit.budget import refusing

MACHINE_CONFIG_API = go_types.MACHINE_CONFIG_API
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
#: Kinds that are written again, and what is done to them before.
_DEFAULTED = {
    "MachineConfig": "machine config after defaulting it",
    "KubeletConfig": "kubelet config after setting built-in MCP selector",
    "ContainerRuntimeConfig": "container runtime config after setting built-in MCP selector",
}
#: How Go prints the struct that it looks for version and kind with.
_FIND_KIND = (
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; '
    'Kind string "json:\\"kind,omitempty\\"" }'
)


@dataclass(frozen=True, slots=True)
class Document:
    """One accepted document: its kind, its text (what is hashed) and its content."""

    kind: str
    text: str
    content: Manifest


class BadSeparator(InvalidSpec):
    """A line that begins like a separator of documents and continues otherwise."""


def documents(config: str) -> Iterator[str]:
    """The documents of a text, split as Kubernetes' reader does, line ends made plain."""
    for part in parts(config):
        if isinstance(part, BadSeparator):
            raise part
        yield part


def parts(config: str) -> Iterator[str | BadSeparator]:
    """As `documents`; a bad separator takes what stands before it along."""
    current: list[str] = []
    for raw in io.StringIO(config, newline="\n"):
        line = raw.removesuffix("\n").removesuffix("\r") + "\n"
        rest = line[3:].strip() if line.startswith("---") else None
        if rest and not rest.startswith("#"):
            yield BadSeparator(f"invalid Yaml document separator: {rest}")
            current = []
        elif rest is not None and current:
            yield "".join(current)
            current = []
        else:
            current.append(line)
    if current:
        yield "".join(current)


def read(text: str) -> Document:
    """Check one document and bring it into the form that is hashed; InvalidSpec if it is wrong."""
    with refusing("error decoding config: the document"):
        return _checked(text)


def _checked(text: str) -> Document:
    try:
        content = goyaml.load(text)
        goyaml.to_json(content)
    except (goyaml.YamlError, ValueError) as error:
        raise InvalidSpec(f"error decoding config: {error}") from error
    try:
        return _read(content, text)
    except _Unreadable as error:
        raise InvalidSpec(f"error decoding config: {error}") from error


class _Unreadable(InvalidSpec):
    """A document that Go cannot make an object of."""


def _read(content: Any, text: str) -> Document:
    kind, version = kind_of(content, text)
    if (version, kind) in _VERBATIM:
        _decoded(go_types.check, kind, content)
        if version == "config.openshift.io/v1alpha1":
            text = text.replace("config.openshift.io/v1alpha1", "config.openshift.io/v1", 1)
        return Document(kind, text, content)
    if version == MACHINE_CONFIG_API and kind in _DEFAULTED:
        return _encoded(kind, _defaulted(kind, _decoded(go_types.decode, kind, content)))
    if name := go_types.go_type(version, kind):
        raise InvalidSpec(f"unsupported config type: {name}")
    raise _Unreadable(f'no kind "{kind}" is registered for version "{version}" in scheme')


def _decoded(read: Callable[[str, Manifest], Manifest], kind: str, content: Manifest) -> Manifest:
    try:
        return read(kind, content)
    except InvalidSpec as error:
        raise _Unreadable(str(error)) from error


def kind_of(content: Any, text: str) -> tuple[str, str]:
    """What a document says that it is."""
    failed = "couldn't get version/kind; json parse error: json: cannot unmarshal"
    if content is not None and not isinstance(content, dict):
        name = go_types.name_of(content)
        raise _Unreadable(f"{failed} {name} into Go value of type {_FIND_KIND}")
    found = {name: (content or {}).get(name) for name in ("apiVersion", "kind")}
    for name, value in found.items():
        if value is not None and not isinstance(value, str):
            other = go_types.name_of(value)
            raise _Unreadable(f"{failed} {other} into Go struct field .{name} of type string")
    kind, version = found["kind"] or "", found["apiVersion"] or ""
    if version.count("/") > 1:
        raise _Unreadable(f"unexpected GroupVersion string: {version}")
    for name, value in (("Kind", kind), ("apiVersion", version)):
        if not value:
            raise _Unreadable(f"Object '{name}' is missing in '{text}'")
    return kind, version


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
        raise InvalidSpec(f"failed to encode {_DEFAULTED[kind]}: {error}") from error


def machine_config(name: str, *, ignition: Manifest) -> str:
    """The text of a MachineConfig of ours that carries an Ignition config."""
    content = {
        "apiVersion": MACHINE_CONFIG_API,
        "kind": "MachineConfig",
        "metadata": {"name": name, "labels": {ROLE_LABEL: "worker"}},
        "spec": {"config": ignition},
    }
    return goyaml.json_to_yaml(go_types.decode("MachineConfig", content))
