"""`install render`: the objects as text; the cluster is never asked."""

import json
import sys

from hypershift.cli.command import Command
from hypershift.cli.files import write_file
from hypershift.cli.flags import BOOL, Flag, Values
from hypershift.cli.install.checks import SCOPES, check
from hypershift.cli.install.cluster_api import manager_objects
from hypershift.cli.install.credentials import completed
from hypershift.cli.install.idle import warn_of_objects
from hypershift.cli.install.rendered_crds import rendered_crds
from hypershift.cli.install.resources import resources
from hypershift.cli.install.template import template
from hypershift.cli.output import documents
from hypershift.kit import Manifest, UsageError


async def run(values: Values) -> int:
    """Print the definitions and the objects, Secrets only when they are asked for."""
    values = completed(values)
    check(values)
    if values["format"] not in ("yaml", "json"):
        raise UsageError("--format must be yaml or json")
    if values["outputs"] not in SCOPES:
        raise UsageError(
            f'invalid --outputs value "{values["outputs"]}": '
            "must be 'all', 'crds', or 'resources'"
        )
    if values["template"] and not values["render-sensitive"]:
        raise UsageError(
            "--template requires --render-sensitive=true because Template output can embed "
            "Secret objects"
        )
    if values["template"]:
        found = [await template(values)]
    else:
        found = await wanted(values, values["outputs"])
    warn_of_objects(values)  # once nothing can be refused any more
    _write(values, _text(values, found))
    return 0


async def wanted(values: Values, outputs: str) -> list[Manifest]:
    """The objects that are asked for: definitions, resources, or both."""
    found: list[Manifest] = []
    if outputs in ("all", "resources"):
        found = [*resources(values), *manager_objects(values)]
    if outputs in ("all", "crds"):
        # Definitions come last, because they print warnings, and a refused command prints only its
        # error.
        found = [*await rendered_crds(values), *found]
    if values.get("render-sensitive", default=True):
        return found
    return [each for each in found if each["kind"] != "Secret"]


def _text(values: Values, manifests: list[Manifest]) -> str:
    if values["format"] == "yaml":
        return documents(manifests)
    if len(manifests) == 1:
        return json.dumps(manifests[0], indent=2) + "\n"
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": manifests}, indent=2) + "\n"


def _write(values: Values, text: str) -> None:
    if values["output-file"]:
        write_file(values["output-file"], text, private=values["render-sensitive"])
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
    run=run,
)
