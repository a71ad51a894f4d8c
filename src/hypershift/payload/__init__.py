"""The images that are made of parts, and the Kubernetes release that lists them."""

from hypershift.payload.assembly import Payload, build, build_own
from hypershift.payload.images import names
from hypershift.payload.inspect import Inspection, inspect
from hypershift.payload.push import push
from hypershift.payload.release import REGISTRY, REPOSITORY, release_reference

__all__ = [
    "REGISTRY",
    "REPOSITORY",
    "Inspection",
    "Payload",
    "build",
    "build_own",
    "inspect",
    "names",
    "push",
    "release_reference",
]
