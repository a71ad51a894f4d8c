"""`install helm`: the same objects as a chart whose values a user fills in."""

import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from hypershift.cli.command import Command
from hypershift.cli.flags import Flag, Values
from hypershift.cli.install.checks import check
from hypershift.cli.install.cluster_api import manager_objects
from hypershift.cli.install.credentials import completed
from hypershift.cli.install.idle import warn_of_objects
from hypershift.cli.install.rendered_crds import rendered_crds
from hypershift.cli.install.resources import resources
from hypershift.cli.install.templating import IMAGE, NAMESPACE, S3, TAG, Language, templated
from hypershift.cli.output import to_yaml
from hypershift.kit import Manifest

LANGUAGE = Language(
    names={
        NAMESPACE: ".Release.Namespace",
        IMAGE: ".Values.image",
        TAG: ".Values.imagetag",
        "registry-overrides": ".Values.registryOverrides",
        "aro-hcp-key-vault-users-client-id": ".Values.azure.keyVault.clientId",
        f"{S3}-bucket-name": ".Values.oidc.s3.name",
        f"{S3}-region": ".Values.oidc.s3.region",
        f"{S3}-secret": ".Values.oidc.s3.credsSecret",
        f"{S3}-secret-key": ".Values.oidc.s3.credsSecretKey",
        "aws-private-region": ".Values.aws.private.region",
        "aws-private-secret": ".Values.aws.private.credsSecret",
        "aws-private-secret-key": ".Values.aws.private.credsSecretKey",
        "external-dns-secret": ".Values.externaldns.credsSecret",
        "external-dns-domain-filter": ".Values.externaldns.domainFilter",
        "external-dns-txt-owner-id": ".Values.externaldns.txtOwnerId",
        "external-dns-image": ".Values.externaldns.image",
        "external-dns-google-project": ".Values.externaldns.googleProject",
        "external-dns-interval": ".Values.externaldns.interval",
        "external-dns-aws-zones-cache-duration": ".Values.externaldns.awsZonesCacheDuration",
    },
    wrap=lambda name: f"{{{{ {name} }}}}",
)


async def run(values: Values) -> int:
    """Write the chart; its definitions go where Helm installs them first."""
    values = completed(values)
    check(values)
    made = [*resources(templated(values, LANGUAGE)), *manager_objects(values)]
    warn_of_objects(values)  # once nothing can be refused any more
    root = Path(values["output-dir"] or "chart")
    for manifest in await rendered_crds(values):
        _write(root / "crds", manifest)
    for manifest in made:
        if manifest["metadata"]["name"] != LANGUAGE.reference(NAMESPACE):  # Helm's own affair
            _write(root / "templates", manifest)
    (root / "Chart.yaml").write_text(to_yaml(chart()))
    (root / "values.yaml").write_text(to_yaml(chart_values()))
    sys.stderr.write(f"chart written to {root}\n")
    return 0


def chart() -> Manifest:
    return {
        "apiVersion": "v2",
        "name": "hypershift-operator",
        "description": "A Helm chart for the HyperShift Operator",
        "type": "application",
        "version": "0.1.0",
        "appVersion": version("hypershift"),
    }


def chart_values() -> dict[str, Any]:
    """Every value that the chart refers to, empty."""
    found: dict[str, Any] = {}
    for name in LANGUAGE.names.values():
        if not name.startswith(".Values."):
            continue
        *folders, last = name.removeprefix(".Values.").split(".")
        place = found
        for folder in folders:
            place = place.setdefault(folder, {})
        place[last] = ""
    return found


def _write(directory: Path, manifest: Manifest) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    name = f"{manifest['kind'].lower()}-{manifest['metadata']['name']}.yaml"
    path = directory / name
    path.touch(mode=0o600 if manifest["kind"] == "Secret" else 0o644)
    path.write_text(to_yaml(manifest))


COMMAND = Command(
    "helm",
    "Write a Helm chart of the operator",
    flags=(Flag("output-dir", "Directory of the chart (./chart when not given)"),),
    run=run,
)
