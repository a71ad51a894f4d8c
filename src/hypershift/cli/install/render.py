"""`install render`: the objects as text; the cluster is never asked."""

import json
import sys
from dataclasses import dataclass

from hypershift.cli.command import Command
from hypershift.cli.files import write_file
from hypershift.cli.flags import BOOL, Flag
from hypershift.cli.install.checks import SCOPES, check
from hypershift.cli.install.cluster_api import manager_objects
from hypershift.cli.install.credentials import completed
from hypershift.cli.install.idle import warn_of_objects
from hypershift.cli.install.options import InstallOptions
from hypershift.cli.install.rendered_crds import rendered_crds
from hypershift.cli.install.resources import resources
from hypershift.cli.install.template import template
from hypershift.cli.output import documents
from hypershift.cli.typed import Typed
from hypershift.kit import Manifest, UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderOptions(InstallOptions):
    """What `install render` is given."""

    format: str
    output_file: str
    outputs: str
    render_sensitive: bool
    template: bool


async def run(options: RenderOptions) -> int:
    """Print the definitions and the objects, Secrets only when they are asked for."""
    options = completed(options)
    check(options)
    if options.format not in ("yaml", "json"):
        raise UsageError("--format must be yaml or json")
    if options.outputs not in SCOPES:
        raise UsageError(
            f"invalid --outputs value \"{options.outputs}\": must be 'all', 'crds', or 'resources'"
        )
    if options.template and not options.render_sensitive:
        raise UsageError(
            "--template requires --render-sensitive=true because Template output can embed "
            "Secret objects"
        )
    if options.template:
        found = [await template(options)]
    else:
        found = await wanted(options)
    warn_of_objects(options)  # once nothing can be refused any more
    _write(options, _text(options, found))
    return 0


async def wanted(options: RenderOptions) -> list[Manifest]:
    """The objects that are asked for: definitions, resources, or both."""
    found: list[Manifest] = []
    if options.outputs in ("all", "resources"):
        found = [*resources(options), *manager_objects(options)]
    if options.outputs in ("all", "crds"):
        # Definitions come last, because they print warnings, and a refused command prints only its
        # error.
        found = [*await rendered_crds(options), *found]
    if options.render_sensitive:
        return found
    return [each for each in found if each["kind"] != "Secret"]


def _text(options: RenderOptions, manifests: list[Manifest]) -> str:
    if options.format == "yaml":
        return documents(manifests)
    if len(manifests) == 1:
        return json.dumps(manifests[0], indent=2) + "\n"
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": manifests}, indent=2) + "\n"


def _write(options: RenderOptions, text: str) -> None:
    if options.output_file:
        write_file(options.output_file, text, private=options.render_sensitive)
    else:
        sys.stdout.write(text)


COMMAND = Command(
    "render",
    "Print what an installation consists of",
    flags=(
        Flag("format", "yaml or json", default="yaml"),
        Flag("output-file", "File to write to"),
        Flag("outputs", "all, crds or resources", default="all"),
        Flag("render-sensitive", "Print Secrets too", BOOL),
        Flag("template", "One OpenShift Template with parameters", BOOL),
    ),
    exclusive=(("template", "outputs"),),
    run=Typed(RenderOptions, run),
)
