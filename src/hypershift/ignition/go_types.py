"""The Go structs behind the machine configuration kinds: which fields exist, and which are shown.

Reading drops unknown fields and refuses wrong types in Go's words; the result carries every field
that Go writes although it is empty (`fips: false`, `config: null`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hypershift.kit import InvalidSpec, Manifest
from hypershift.kit.quantity import canonical

#: How JSON values are called in Go's decoding errors.
_GO_NAMES: tuple[tuple[type, str], ...] = (
    (bool, "bool"),
    (str, "string"),
    (int, "number"),
    (float, "number"),
    (list, "array"),
    (dict, "object"),
)


@dataclass(frozen=True, slots=True)
class Struct:
    """A Go struct: its name, its fields, and the zero values that it always shows."""

    name: str
    fields: Mapping[str, "Reader"]
    always: Mapping[str, Any] = field(default_factory=dict)


Reader = Callable[[Any, str, str], Any]


def _mismatch(value: Any, where: str, wanted: str) -> InvalidSpec:
    got = next(name for kind, name in _GO_NAMES if isinstance(value, kind))
    return InvalidSpec(
        f"error decoding config: json: cannot unmarshal {got} into Go {where} of type {wanted}"
    )


def _where(struct: str, path: str) -> str:
    return f"struct field {struct}.{path}"


def _of(kind: type | tuple[type, ...], go_name: str) -> Reader:
    def read(value: Any, struct: str, path: str) -> Any:
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise _mismatch(value, _where(struct, path), go_name)
        return value

    return read


def _list(item: Reader) -> Reader:
    def read(value: Any, struct: str, path: str) -> Any:
        if not isinstance(value, list):
            raise _mismatch(value, _where(struct, path), "[]string")
        return [item(entry, struct, path) for entry in value if entry is not None]

    return read


def _map(value: Any, struct: str, path: str) -> Any:
    if not isinstance(value, dict):
        raise _mismatch(value, _where(struct, path), "map[string]string")
    return {key: _STRING(entry, struct, path) for key, entry in value.items()}


def _raw(value: Any, struct: str, path: str) -> Any:
    del struct, path
    return value


def _quantity(value: Any, struct: str, path: str) -> Any:
    del struct, path
    try:
        return canonical(str(value))
    except InvalidSpec as error:
        raise InvalidSpec(f"error decoding config: {error}") from None


def _struct(struct: Struct) -> Reader:
    def read(value: Any, outer: str, path: str) -> Any:
        if not isinstance(value, dict):
            raise _mismatch(value, _where(outer, path), f"v1.{struct.name}")
        return _decoded(struct, value, path)

    return read


def _decoded(struct: Struct, value: Manifest, path: str) -> Manifest:
    result = dict(struct.always)
    for name, read in struct.fields.items():
        given = value.get(name)
        if given is None:
            continue
        decoded = read(given, struct.name, f"{path}.{name}" if path else name)
        if decoded or name in struct.always or name in _POINTERS:
            result[name] = decoded
    return result


_STRING = _of(str, "string")
_BOOL = _of(bool, "bool")
_INT64 = _of(int, "int64")
_STRINGS = _list(_STRING)
#: Fields that Go holds as pointers: a false or a zero that was given is shown.
_POINTERS = {"autoSizingReserved", "logLevel", "pidsLimit", "controller", "blockOwnerDeletion",
             "kubeletConfig", "containerRuntimeConfig", "tlsSecurityProfile", "modern", "old",
             "intermediate", "custom"}  # fmt: skip

_OWNER = Struct(
    "OwnerReference",
    {
        "apiVersion": _STRING,
        "kind": _STRING,
        "name": _STRING,
        "uid": _STRING,
        "controller": _BOOL,
        "blockOwnerDeletion": _BOOL,
    },
    {"apiVersion": "", "kind": "", "name": "", "uid": ""},
)
_METADATA = Struct(
    "ObjectMeta",
    {
        "name": _STRING,
        "generateName": _STRING,
        "namespace": _STRING,
        "selfLink": _STRING,
        "uid": _STRING,
        "resourceVersion": _STRING,
        "generation": _INT64,
        "creationTimestamp": _STRING,
        "deletionTimestamp": _STRING,
        "deletionGracePeriodSeconds": _INT64,
        "labels": _map,
        "annotations": _map,
        "ownerReferences": _list(_struct(_OWNER)),
        "finalizers": _STRINGS,
    },
    {"creationTimestamp": None},
)
_EMPTY: Mapping[str, Reader] = {}
_TLS = Struct(
    "TLSSecurityProfile",
    {
        "type": _STRING,
        "old": _struct(Struct("OldTLSProfile", _EMPTY)),
        "intermediate": _struct(Struct("IntermediateTLSProfile", _EMPTY)),
        "modern": _struct(Struct("ModernTLSProfile", _EMPTY)),
        "custom": _struct(
            Struct(
                "CustomTLSProfile",
                {"ciphers": _STRINGS, "minTLSVersion": _STRING},
                {"ciphers": None, "minTLSVersion": ""},
            )
        ),
    },
)
_SPECS: Mapping[str, Struct] = {
    "MachineConfig": Struct(
        "MachineConfigSpec",
        {
            "baseOSExtensionsContainerImage": _STRING,
            "config": _raw,
            "extensions": _STRINGS,
            "fips": _BOOL,
            "kernelArguments": _STRINGS,
            "kernelType": _STRING,
            "osImageURL": _STRING,
        },
        {
            "baseOSExtensionsContainerImage": "",
            "config": None,
            "extensions": None,
            "fips": False,
            "kernelArguments": None,
            "kernelType": "",
            "osImageURL": "",
        },
    ),
    "KubeletConfig": Struct(
        "KubeletConfigSpec",
        {
            "autoSizingReserved": _BOOL,
            "logLevel": _of(int, "int32"),
            "machineConfigPoolSelector": _raw,
            "kubeletConfig": _raw,
            "tlsSecurityProfile": _struct(_TLS),
        },
    ),
    "ContainerRuntimeConfig": Struct(
        "ContainerRuntimeConfigSpec",
        {
            "machineConfigPoolSelector": _raw,
            "containerRuntimeConfig": _struct(
                Struct(
                    "ContainerRuntimeConfiguration",
                    {
                        "pidsLimit": _INT64,
                        "logLevel": _STRING,
                        "logSizeMax": _quantity,
                        "overlaySize": _quantity,
                        "defaultRuntime": _STRING,
                    },
                )
            ),
        },
    ),
}
KINDS = frozenset(_SPECS)


def decode(kind: str, content: Manifest) -> Manifest:
    """A document as its Go struct holds it, ready to be written."""
    try:
        result = {
            "apiVersion": content["apiVersion"],
            "kind": kind,
            "metadata": _struct(_METADATA)(content.get("metadata") or {}, kind, "metadata"),
            "spec": _struct(_SPECS[kind])(content.get("spec") or {}, kind, "spec"),
        }
    except RecursionError as error:
        raise InvalidSpec("error decoding config: exceeded max depth") from error
    if kind != "MachineConfig":
        result["status"] = {"conditions": None}
    return result
