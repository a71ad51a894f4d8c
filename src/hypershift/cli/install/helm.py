"""`install helm`: the same objects as a chart whose values a user fills in."""

import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from hypershift.cli.command import Command
from hypershift.cli.flags import Flag
from hypershift.cli.install.checks import check
from hypershift.cli.install.cluster_api import manager_objects
from hypershift.cli.install.credentials import completed
from hypershift.cli.install.idle import warn_of_objects
from hypershift.cli.install.options import InstallOptions
from hypershift.cli.install.rendered_crds import rendered_crds
from hypershift.cli.install.resources import resources
from hypershift.cli.install.templating import IMAGE, NAMESPACE, S3, TAG, Language, templated
from hypershift.cli.output import to_yaml
from hypershift.cli.typed import Typed
from hypershift.kit import Manifest

LANGUAGE = Language(
    names={
        NAMESPACE: ".Release.Namespace",
        IMAGE: ".Values.image",
        TAG: ".Values.imagetag",
        "registry_overrides": ".Values.registryOverrides",
        "aro_hcp_key_vault_users_client_id": ".Values.azure.keyVault.clientId",
        f"{S3}_bucket_name": ".Values.oidc.s3.name",
        f"{S3}_region": ".Values.oidc.s3.region",
        f"{S3}_secret": ".Values.oidc.s3.credsSecret",
        f"{S3}_secret_key": ".Values.oidc.s3.credsSecretKey",
        "aws_private_region": ".Values.aws.private.region",
        "aws_private_secret": ".Values.aws.private.credsSecret",
        "aws_private_secret_key": ".Values.aws.private.credsSecretKey",
        "external_dns_secret": ".Values.externaldns.credsSecret",
        "external_dns_domain_filter": ".Values.externaldns.domainFilter",
        "external_dns_txt_owner_id": ".Values.externaldns.txtOwnerId",
        "external_dns_image": ".Values.externaldns.image",
        "external_dns_google_project": ".Values.externaldns.googleProject",
        "external_dns_interval": ".Values.externaldns.interval",
        "external_dns_aws_zones_cache_duration": ".Values.externaldns.awsZonesCacheDuration",
    },
    wrap=lambda name: f"{{{{ {name} }}}}",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HelmOptions(InstallOptions):
    """What `install helm` is given."""

    output_dir: str


async def run(options: HelmOptions) -> int:
    """Write the chart; its definitions go where Helm installs them first."""
    options = completed(options)
    check(options)
    made = [*resources(templated(options, LANGUAGE)), *manager_objects(options)]
    warn_of_objects(options)  # once nothing can be refused any more
    root = Path(options.output_dir or "chart")
    for manifest in await rendered_crds(options):
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
    run=Typed(HelmOptions, run),
)
