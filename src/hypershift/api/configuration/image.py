"""Which registries images may come from, and how they are trusted."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.meta import NameReference
from hypershift.api.rules import REGISTRY
from hypershift.api.shape import Field, Go, Refers, Rule, Shape, Value, constrained


class Image(Shape):
    """Which registries images may come from. A change rolls new node configuration out."""

    allowed_registries_for_import: Annotated[
        tuple[RegistryLocation, ...],
        Field(
            "Registries from which ordinary users may import images. Unset allows all.",
            list_type="atomic",
        ),
    ] = ()
    external_registry_hostnames: Annotated[
        tuple[str, ...],
        Field(
            (
                "Names under which the cluster's own registry can be reached from outside; the"
                " first is shown to users."
            ),
            list_type="atomic",
        ),
    ] = ()
    additional_trusted_ca: Annotated[
        NameReference | None,
        Field(
            "ConfigMap with CA certificates of registries; each key is a registry's host"
            " name, with `..` before a port.",
            refers=Refers.CONFIG_MAP,
        ),
    ] = None
    registry_sources: Annotated[
        RegistrySources | None, Field("How the container runtime treats registries.")
    ] = None
    image_stream_import_mode: Annotated[
        str | None,
        Field(
            (
                "How images of several architectures are imported: `Legacy` takes one"
                " architecture, `PreserveOriginal` the whole list. Empty lets the release decide."
            ),
            enum=("", "Legacy", "PreserveOriginal"),
            gate="ImageStreamImportMode",
            go=Go.ALWAYS,
        ),
    ] = None


class RegistryLocation(Shape):
    """A registry that users may import from."""

    domain_name: Annotated[
        str | None,
        Field("Host name of the registry, with optional port; `*` matches one part.", go=Go.ALWAYS),
    ] = None
    insecure: Annotated[
        bool | None, Field("Whether plain HTTP or unverified TLS is acceptable. Default false.")
    ] = None


@constrained(
    Rule(
        "has(self.blockedRegistries) ? !has(self.allowedRegistries) : true",
        "Only one of blockedRegistries or allowedRegistries may be set",
    ),
)
class RegistrySources(Shape):
    """How the container runtime treats registries.

    `allowedRegistries` and `blockedRegistries` exclude each other.
    """

    insecure_registries: Annotated[
        tuple[str, ...],
        Field(
            "Registries without valid TLS, at most 1024.",
            items=Value(
                min_length=1,
                max_length=256,
                rules=(REGISTRY,),
            ),
            max_items=1024,
            list_type="atomic",
        ),
    ] = ()
    blocked_registries: Annotated[
        tuple[str, ...],
        Field(
            "These may not be pulled from, at most 1024.",
            items=Value(
                min_length=1,
                max_length=256,
                rules=(REGISTRY,),
            ),
            max_items=1024,
            list_type="atomic",
        ),
    ] = ()
    allowed_registries: Annotated[
        tuple[str, ...],
        Field(
            "Only these may be pulled from, at most 1024. Remember those of the release itself.",
            items=Value(
                min_length=1,
                max_length=256,
                rules=(REGISTRY,),
            ),
            max_items=1024,
            list_type="atomic",
        ),
    ] = ()
    container_runtime_search_registries: Annotated[
        tuple[str, ...],
        Field(
            "Registries that short image names are looked up in, in this order.",
            format="hostname",
            min_items=1,
            list_type="set",
        ),
    ] = ()
