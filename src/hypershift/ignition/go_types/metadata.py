"""What every object carries beside its spec: names, labels, owners, conditions."""

from hypershift.ignition.go_types.reading import (
    BOOL,
    INT64,
    MAP,
    RAW,
    STRING,
    STRINGS,
    TIME,
    Reader,
    Struct,
    struct,
    structs,
)

_OWNER = Struct(
    "OwnerReference",
    {
        "apiVersion": STRING,
        "kind": STRING,
        "name": STRING,
        "uid": STRING,
        "controller": BOOL,
        "blockOwnerDeletion": BOOL,
    },
    {"apiVersion": "", "kind": "", "name": "", "uid": ""},
    frozenset({"controller", "blockOwnerDeletion"}),
)
_MANAGER = Struct(
    "ManagedFieldsEntry",
    {
        "manager": STRING,
        "operation": STRING,
        "apiVersion": STRING,
        "time": TIME,
        "fieldsType": STRING,
        "fieldsV1": RAW,
        "subresource": STRING,
    },
    pointers=frozenset({"time", "fieldsV1"}),
)
METADATA = Struct(
    "ObjectMeta",
    {
        "name": STRING,
        "generateName": STRING,
        "namespace": STRING,
        "selfLink": STRING,
        "uid": STRING,
        "resourceVersion": STRING,
        "generation": INT64,
        "creationTimestamp": TIME,
        "deletionTimestamp": TIME,
        "deletionGracePeriodSeconds": INT64,
        "labels": MAP,
        "annotations": MAP,
        "ownerReferences": structs(_OWNER),
        "finalizers": STRINGS,
        "managedFields": structs(_MANAGER),
    },
    {"creationTimestamp": None},
    frozenset({"deletionGracePeriodSeconds"}),
)


def document(kind: str, *, status: Struct | None = None, spec: Struct) -> Struct:
    """A whole object: what it is, its metadata, its spec and perhaps its status."""
    fields: dict[str, Reader] = {
        "apiVersion": STRING,
        "kind": STRING,
        "metadata": struct(METADATA),
        "spec": struct(spec),
    }
    always = {"metadata": dict(METADATA.always), "spec": dict(spec.always)}
    if status is not None:
        fields["status"] = struct(status)
        always["status"] = dict(status.always)
    return Struct(kind, fields, always)
