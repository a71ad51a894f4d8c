"""`hypershift payload`: the images of a Kubernetes release, made of parts."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from hypershift import oci, parts, payload
from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, STRING, STRING_MAP, Flag
from hypershift.cli.output import format_flag, table, to_yaml
from hypershift.cli.typed import Typed
from hypershift.kit import UsageError
from hypershift.local.cluster import state
from hypershift.payload import openshift

KUBERNETES = Flag("kubernetes", "Kubernetes release", STRING, parts.KUBERNETES)
AUTOSCALER = Flag("cluster-autoscaler", "Include the cluster autoscaler's image", BOOL)
PROVIDER_AWS = Flag("provider-aws", "Include Cluster API's provider for AWS", BOOL)
KMS_AWS = Flag("kms-aws", "Include the plugin of AWS' key service", BOOL)
BOOT_IMAGE = Flag(
    "boot-image", "AMI that machines boot on AWS: REGION=AMI (repeatable)", STRING_MAP
)
PULL_SECRET = Flag("pull-secret", "File with the registry's credentials (dockerconfigjson)")
MIRROR = Flag("registry-mirror", "Where a registry is reached: NAME=URL", STRING_MAP)
OUTPUT = format_flag()


PRODUCT = Flag("product", "What to make: kubernetes, or openshift for tests", STRING, "kubernetes")
CACHED = Flag("cached", "Of OpenShift: only images whose programs are in the cache", BOOL)


MADE_OF = (PRODUCT, KUBERNETES, AUTOSCALER, PROVIDER_AWS, KMS_AWS, BOOT_IMAGE, CACHED)


@dataclass(frozen=True, slots=True)
class PayloadOptions:
    """What is given for every payload."""

    product: str
    kubernetes: str
    cluster_autoscaler: bool
    provider_aws: bool
    kms_aws: bool
    boot_image: dict[str, str]
    cached: bool

    @property
    def optional(self) -> list[str]:
        """The images that a payload has only where a flag asks for them."""
        asked = {
            "cluster-autoscaler": self.cluster_autoscaler,
            "aws-cluster-api-controllers": self.provider_aws,
            "aws-kms-encryption-provider": self.kms_aws,
        }
        return [image for image, wanted in asked.items() if wanted]


@dataclass(frozen=True, slots=True)
class Push(PayloadOptions):
    """What `payload push` is given."""

    pull_secret: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Inspect:
    """What `payload inspect` is given."""

    words: tuple[str, ...]
    registry_mirror: dict[str, str]
    pull_secret: str
    output: str


async def build(options: PayloadOptions) -> None:
    made = await _made(options, payload.REPOSITORY)
    sys.stdout.write(f"{made.release_reference}\n")


async def push(options: Push) -> None:
    repository, url = destination(options.words)
    made = await _made(options, repository)
    await payload.push(made, url, pull_secret(options.pull_secret))
    sys.stdout.write(f"{made.release_reference}\n")


async def _made(wish: PayloadOptions, repository: str) -> payload.Payload:
    """The payload that is asked for; each product has a usual repository of its own."""
    match wish.product:
        case "kubernetes":
            return await _kubernetes(wish, repository)
        case "openshift":
            usual = repository == payload.REPOSITORY
            return await _openshift(wish, openshift.REPOSITORY if usual else repository)
        case other:
            raise UsageError(f"no payload of {other!r} can be made: name kubernetes or openshift")


async def _openshift(wish: PayloadOptions, repository: str) -> payload.Payload:
    made = await openshift.build(repository=repository, cached=wish.cached)
    for image in sorted(openshift.MISSING):
        parts.to_stderr(f"without {image}: {openshift.MISSING[image]}")
    return made


async def _kubernetes(wish: PayloadOptions, repository: str) -> payload.Payload:
    return await payload.build(
        wish.kubernetes,
        repository=repository,
        optional=wish.optional,
        boot_images=wish.boot_image,
    )


async def inspect(options: Inspect) -> None:
    words = options.words
    reference = oci.parse(words[0] if words else payload.release_reference(parts.KUBERNETES))
    secret = pull_secret(options.pull_secret)
    found = await payload.inspect(reference, options.registry_mirror, secret)
    if options.output == "json":
        sys.stdout.write(json.dumps(found.as_json(), indent=2) + "\n")
    elif options.output == "yaml":
        sys.stdout.write(to_yaml(found.as_json()))
    else:
        sys.stdout.write(f"Digest: {found.digest}\n{to_yaml(dict(found.metadata))}\n")
        sys.stdout.write(table(("NAME", "IMAGE"), sorted(found.images.items())))


def destination(arguments: tuple[str, ...]) -> tuple[str, str]:
    """The repository that images are named after, and the address of its registry.

    `quay.io/me` names both; an address with a scheme serves images under their usual names.
    """
    if len(arguments) != 1:
        raise UsageError(
            "name one registry: an address such as http://10.80.0.1:5000, or quay.io/me"
        )
    where = arguments[0].rstrip("/")
    if "://" in where:
        # Machines reach the bridge too, so that pushes go over the loopback.
        return payload.REPOSITORY, embedded_registries().get(where, where)
    return where, oci.Registry(trust=oci.Trust(loopback=True)).address(where.partition("/")[0])


def embedded_registries() -> dict[str, str]:
    """Registries of this host's embedded clusters: the address on the bridge, and for pushes."""
    found = (state.load(where) for where in state.clusters(state.base_directory("")))
    plans = [spec.plan for spec in found if spec is not None]
    return {f"http://{plan.registry}": f"http://{plan.pushes}" for plan in plans}


def pull_secret(file: str) -> oci.PullSecret | None:
    """The credentials in a file, nothing when none is named."""
    if not file:
        return None
    try:
        return oci.read_pull_secret(Path(file).read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read the pull secret {file}: {error.strerror}") from error


COMMAND = Command(
    "payload",
    "Kubernetes releases as images, made of parts",
    commands=(
        Command(
            "build",
            "Make the images of a release in the cache",
            description=(
                "--product openshift makes a payload for tests out of OpenShift's own programs,\n"
                "as far as module registries have them: they are of different releases, several\n"
                "images are missing, and it is no release of OpenShift. Its programs are built\n"
                "once, which takes two cores about 40 minutes."
            ),
            run=Typed(PayloadOptions, build),
            flags=MADE_OF,
        ),
        Command(
            "push",
            "Make a release and push it to a registry",
            arguments="REGISTRY",
            run=Typed(Push, push),
            flags=(*MADE_OF, PULL_SECRET),
        ),
        Command(
            "inspect",
            "Show what a release image in a registry lists",
            arguments="[REFERENCE]",
            run=Typed(Inspect, inspect),
            flags=(MIRROR, PULL_SECRET, OUTPUT),
        ),
    ),
)
