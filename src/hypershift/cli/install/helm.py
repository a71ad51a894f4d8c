"""`install helm`: the same objects as a chart whose values a user fills in."""

import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from hypershift.cli.command import Command
from hypershift.cli.flags import Flag, Values
from hypershift.cli.install.checks import check
from hypershift.cli.install.crds import crds
from hypershift.cli.install.credentials import with_roles
from hypershift.cli.install.resources import resources
from hypershift.cli.output import to_yaml
from hypershift.kit import Manifest

NAMESPACE = "{{ .Release.Namespace }}"
#: Flags that always become values of the chart.
ALWAYS = {
    "hypershift-image": "{{ .Values.image }}:{{ .Values.imagetag }}",
    "registry-overrides": "{{ .Values.registryOverrides }}",
    "aro-hcp-key-vault-users-client-id": "{{ .Values.azure.keyVault.clientId }}",
    "external-dns-image": "{{ .Values.externaldns.image }}",
}
#: Flags that become values of the chart when they are used.
WHEN_USED = {
    "oidc-storage-provider-s3-bucket-name": "oidc.s3.name",
    "oidc-storage-provider-s3-region": "oidc.s3.region",
    "oidc-storage-provider-s3-secret": "oidc.s3.credsSecret",
    "oidc-storage-provider-s3-secret-key": "oidc.s3.credsSecretKey",
    "aws-private-region": "aws.private.region",
    "aws-private-secret": "aws.private.credsSecret",
    "aws-private-secret-key": "aws.private.credsSecretKey",
    "external-dns-secret": "externaldns.credsSecret",
    "external-dns-domain-filter": "externaldns.domainFilter",
    "external-dns-txt-owner-id": "externaldns.txtOwnerId",
    "external-dns-google-project": "externaldns.googleProject",
    "external-dns-interval": "externaldns.interval",
    "external-dns-aws-zones-cache-duration": "externaldns.awsZonesCacheDuration",
}
FURTHER_VALUES = (
    "image",
    "imagetag",
    "registryOverrides",
    "azure.keyVault.clientId",
    "externaldns.image",
)


async def run(values: Values) -> int:
    """Write the chart; its definitions go where Helm installs them first."""
    values = with_roles(values)
    check(values)
    root = Path(values["output-dir"] or "chart")
    for manifest in await crds(values):
        _write(root / "crds", manifest)
    for manifest in resources(templated(values)):
        if (manifest["kind"], manifest["metadata"]["name"]) != ("Namespace", NAMESPACE):
            _write(root / "templates", manifest)
    (root / "Chart.yaml").write_text(to_yaml(chart()))
    (root / "values.yaml").write_text(to_yaml(chart_values()))
    sys.stderr.write(f"chart written to {root}\n")
    return 0


def templated(values: Values) -> Values:
    """The flags with references to the chart's values in their place."""
    used = {flag: f"{{{{ .Values.{name} }}}}" for flag, name in WHEN_USED.items() if values[flag]}
    return values.having(namespace=NAMESPACE, **ALWAYS, **used)


def chart() -> Manifest:
    return {
        "apiVersion": "v2",
        "name": "hypershift-operator",
        "description": "The HyperShift operator: hosted control planes on this cluster",
        "type": "application",
        "version": "0.1.0",
        "appVersion": version("hypershift"),
    }


def chart_values() -> dict[str, Any]:
    """Every value that the chart refers to, empty."""
    found: dict[str, Any] = {}
    for name in (*FURTHER_VALUES, *WHEN_USED.values()):
        *folders, last = name.split(".")
        place = found
        for folder in folders:
            place = place.setdefault(folder, {})
        place[last] = ""
    return found


def _write(directory: Path, manifest: Manifest) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    name = f"{manifest['kind'].lower()}-{manifest['metadata']['name']}.yaml"
    (directory / name).write_text(to_yaml(manifest))


COMMAND = Command(
    "helm",
    "Write a Helm chart of the operator",
    flags=(Flag("output-dir", "Directory of the chart (./chart when not given)"),),
    run=run,
)
