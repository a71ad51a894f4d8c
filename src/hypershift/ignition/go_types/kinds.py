"""The Go structs behind the kinds that configure machines."""

from collections.abc import Mapping

from hypershift.ignition.go_types.metadata import document
from hypershift.ignition.go_types.reading import (
    BOOL,
    INT32,
    INT64,
    QUANTITY,
    RAW,
    STRING,
    STRINGS,
    TIME,
    Struct,
    several,
    struct,
    structs,
)

_TLS = Struct(
    "TLSSecurityProfile",
    {
        "type": STRING,
        "old": struct(Struct("OldTLSProfile", {})),
        "intermediate": struct(Struct("IntermediateTLSProfile", {})),
        "modern": struct(Struct("ModernTLSProfile", {})),
        "custom": struct(
            Struct(
                "CustomTLSProfile",
                {"ciphers": STRINGS, "groups": STRINGS, "minTLSVersion": STRING},
                {"ciphers": None, "minTLSVersion": ""},
            )
        ),
    },
    {"type": ""},
    frozenset({"old", "intermediate", "modern", "custom"}),
)


def _status(kind: str) -> Struct:
    condition = Struct(
        f"{kind}Condition",
        {
            "type": STRING,
            "status": STRING,
            "lastTransitionTime": TIME,
            "reason": STRING,
            "message": STRING,
        },
        {"type": "", "lastTransitionTime": None},
    )
    fields = {"observedGeneration": INT64, "conditions": structs(condition)}
    return Struct(f"{kind}Status", fields, {"conditions": None})


_MACHINE_CONFIG = Struct(
    "MachineConfigSpec",
    {
        "baseOSExtensionsContainerImage": STRING,
        "config": RAW,
        "extensions": STRINGS,
        "fips": BOOL,
        "kernelArguments": STRINGS,
        "kernelType": STRING,
        "osImageURL": STRING,
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
)
_KUBELET = Struct(
    "KubeletConfigSpec",
    {
        "autoSizingReserved": BOOL,
        "logLevel": INT32,
        "machineConfigPoolSelector": RAW,
        "kubeletConfig": RAW,
        "tlsSecurityProfile": struct(_TLS),
    },
    pointers=frozenset({"autoSizingReserved", "logLevel", "kubeletConfig", "tlsSecurityProfile"}),
)


def _store(name: str) -> Struct:
    return Struct(name, {"path": STRING})


_RUNTIME = Struct(
    "ContainerRuntimeConfigSpec",
    {
        "machineConfigPoolSelector": RAW,
        "containerRuntimeConfig": struct(
            Struct(
                "ContainerRuntimeConfiguration",
                {
                    "pidsLimit": INT64,
                    "logLevel": STRING,
                    "logSizeMax": QUANTITY,
                    "overlaySize": QUANTITY,
                    "defaultRuntime": STRING,
                    "additionalLayerStores": structs(_store("AdditionalLayerStore")),
                    "additionalImageStores": structs(_store("AdditionalImageStore")),
                    "additionalArtifactStores": structs(_store("AdditionalArtifactStore")),
                },
                pointers=frozenset({"pidsLimit"}),
            )
        ),
    },
    pointers=frozenset({"containerRuntimeConfig"}),
)

#: Kinds that are written again from their decoded form.
WRITTEN: Mapping[str, Struct] = {
    "MachineConfig": document("MachineConfig", spec=_MACHINE_CONFIG),
    "KubeletConfig": document("KubeletConfig", spec=_KUBELET, status=_status("KubeletConfig")),
    "ContainerRuntimeConfig": document(
        "ContainerRuntimeConfig", spec=_RUNTIME, status=_status("ContainerRuntimeConfig")
    ),
}

_SOURCES = Struct(
    "RepositoryDigestMirrors", {"source": STRING, "mirrors": STRINGS}, {}, frozenset(), "v1alpha1"
)
_DIGESTS = Struct(
    "ImageDigestMirrors",
    {
        "source": STRING,
        "mirrors": several(STRING, "[]v1.ImageMirror"),
        "mirrorSourcePolicy": STRING,
    },
)
#: Kinds whose text stays as it is, once it is read without a complaint.
KEPT: Mapping[str, Struct] = {
    "ImageContentSourcePolicy": document(
        "ImageContentSourcePolicy",
        spec=Struct("ImageContentSourcePolicySpec", {"repositoryDigestMirrors": structs(_SOURCES)}),
    ),
    "ImageDigestMirrorSet": document(
        "ImageDigestMirrorSet",
        spec=Struct("ImageDigestMirrorSetSpec", {"imageDigestMirrors": structs(_DIGESTS)}),
    ),
    "ClusterImagePolicy": document(
        "ClusterImagePolicy",
        spec=Struct(
            "ClusterImagePolicySpec",
            {"scopes": several(STRING, "[]v1.ImageScope"), "policy": RAW},
        ),
    ),
}
