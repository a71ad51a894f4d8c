"""Images: layers with a configuration, described by a manifest."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hypershift.oci.layer import Written
from hypershift.oci.spec import CONFIG, LAYER, MANIFEST, Descriptor, Manifest, describe, encode

#: Images carry no build time: equal inputs make equal digests.
CREATED = "1970-01-01T00:00:00Z"


@dataclass(frozen=True, slots=True)
class Settings:
    """How a container of an image starts."""

    entrypoint: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    user: str = ""
    directory: str = "/"
    labels: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Image:
    """A finished image: two small documents, and layers that lie elsewhere."""

    manifest: bytes
    config: bytes
    descriptor: Descriptor
    layers: tuple[Descriptor, ...]


def layer_descriptor(written: Written) -> Descriptor:
    """The descriptor of an uncompressed layer."""
    return Descriptor(media_type=LAYER, digest=written.digest, size=written.size)


def assemble(layers: Sequence[Written], settings: Settings, architecture: str) -> Image:
    """Make an image out of uncompressed layers, lowest first."""
    config = encode(_config(layers, settings, architecture))
    descriptors = tuple(layer_descriptor(layer) for layer in layers)
    manifest = encode(
        Manifest(
            schema_version=2,
            media_type=MANIFEST,
            config=describe(CONFIG, config),
            layers=descriptors,
        )
    )
    return Image(manifest, config, describe(MANIFEST, manifest), descriptors)


def _config(layers: Sequence[Written], settings: Settings, architecture: str) -> dict[str, Any]:
    run = {
        "Entrypoint": list(settings.entrypoint),
        "Cmd": list(settings.command),
        "Env": [f"{name}={value}" for name, value in sorted(settings.environment.items())],
        "User": settings.user,
        "WorkingDir": settings.directory,
        "Labels": settings.labels,
    }
    return {
        "created": CREATED,
        "architecture": architecture,
        "os": "linux",
        "config": {name: value for name, value in run.items() if value},
        "rootfs": {"type": "layers", "diff_ids": [layer.digest for layer in layers]},
        "history": [{"created": CREATED, "created_by": "hypershift"} for _ in layers],
    }
