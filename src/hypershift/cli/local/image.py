"""`local image load`: images for the cluster's nodes, without a registry of one's own."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hypershift.cli.command import Command
from hypershift.cli.flags import STRINGS, Flag
from hypershift.cli.local.common import OUTPUT, Place
from hypershift.cli.output import show
from hypershift.cli.payload import PULL_SECRET, pull_secret
from hypershift.cli.typed import Typed
from hypershift.kit import UsageError
from hypershift.local.images import loading


@dataclass(frozen=True, slots=True)
class Load(Place):
    """What `local image load` is given."""

    machines: tuple[str, ...]
    output: str
    pull_secret: str
    words: tuple[str, ...]


async def load(options: Load) -> None:
    where, spec = options.present()
    if not options.words:
        raise UsageError("image load FILE|REF...: name archives or image references")
    secret = pull_secret(options.pull_secret or own_credentials(os.environ))
    order = loading.Order(options.words, options.machines, secret)
    found = await loading.load(where, spec, order)
    document = [{"machine": each.machine, "images": list(each.images)} for each in found]
    lines = [(each.machine, image) for each in found for image in each.images]
    show(document, options.output, ("MACHINE", "IMAGE"), lines)


def own_credentials(environment: Mapping[str, str]) -> str:
    """The file where this user's container tools keep their logins, if there is one."""
    return next((str(file) for file in _places(environment) if file.is_file()), "")


def _places(environment: Mapping[str, str]) -> Iterator[Path]:
    if file := environment.get("REGISTRY_AUTH_FILE"):
        yield Path(file)
    if directory := environment.get("DOCKER_CONFIG"):
        yield Path(directory) / "config.json"
    if directory := environment.get("XDG_RUNTIME_DIR"):
        yield Path(directory) / "containers" / "auth.json"
    if home := environment.get("HOME"):
        yield Path(home) / ".docker" / "config.json"


IMAGE = Command(
    "image",
    "Images of the cluster's nodes",
    commands=(
        Command(
            "load",
            "Load archives or images of a registry into every node",
            description=(
                "FILE is an OCI archive or what `docker save` and `podman save` write. REF is\n"
                "pulled, of several architectures the nodes' own. Pods find the image under its\n"
                "name; give them imagePullPolicy IfNotPresent or Never. Without --pull-secret\n"
                "the logins of docker and podman are used."
            ),
            examples="hypershift local image load app.tar quay.io/me/app:1",
            arguments="FILE|REF...",
            run=Typed(Load, load),
            flags=(
                Flag("machines", "Machines to load into, also hosted ones (every node)", STRINGS),
                PULL_SECRET,
                OUTPUT,
            ),
        ),
    ),
)
