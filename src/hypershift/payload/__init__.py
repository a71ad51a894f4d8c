"""The images that are made of parts, and the Kubernetes release that lists them."""

from hypershift.payload.assembly import Payload, build
from hypershift.payload.images import names
from hypershift.payload.push import push
from hypershift.payload.release import REGISTRY, REPOSITORY, release_reference

__all__ = [
    "REGISTRY",
    "REPOSITORY",
    "Payload",
    "build",
    "names",
    "push",
    "release_reference",
]
