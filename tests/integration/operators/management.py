"""The management cluster that operators find: definitions, Secrets, and who collects garbage."""

import asyncio
import subprocess
from pathlib import Path

import yaml
from tests.integration.operators.samples import a_secret, endpoints
from tests.lib.server import RealServer

from hypershift import parts
from hypershift.api.schema.manifests import crds
from hypershift.kit import Manifest
from hypershift.kube import Client, kinds


class collected:  # noqa: N801 - reads as what it does
    """Namespaces and owned objects go away, as on every cluster."""

    def __init__(self, server: RealServer, directory: Path, *more: str) -> None:
        """Run these controllers beside those that clean up."""
        self._controllers = ("namespace-controller", "garbage-collector-controller", *more)
        self._kubeconfig = directory / "kubeconfig"
        self._kubeconfig.write_text(yaml.safe_dump(server.kubeconfig))
        self._kubeconfig.chmod(0o600)
        self._log = (directory / "controller-manager.log").open("ab")

    def __enter__(self) -> None:
        self._process = subprocess.Popen(
            [
                str(parts.path("kube-controller-manager")),
                f"--kubeconfig={self._kubeconfig}",
                f"--controllers={','.join(self._controllers)}",
                "--leader-elect=false",
                "--secure-port=0",
                "--kube-api-qps=1000",
                "--kube-api-burst=2000",
            ],
            stdout=self._log,
            stderr=self._log,
        )

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._log.close()


async def prepare(server: RealServer) -> None:
    async with server.client() as client:
        definitions = [*crds(gates=("LocalPlatform",)), *await parts.cluster_api_crds()]
        for definition in definitions:
            await client.create(definition)
        for name in ("clusters", "hypershift"):
            await client.apply(
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
            )
        await client.apply(a_secret("ssh", **{"id_rsa.pub": "ssh-ed25519 A"}))
        pull = a_secret("pull", **{".dockerconfigjson": '{"auths":{}}'})
        await client.apply(pull | {"type": "kubernetes.io/dockerconfigjson"})
        await client.apply(endpoints("192.0.2.100"))
        await established(client, definitions)


async def established(client: Client, definitions: list[Manifest]) -> None:
    for definition in definitions:
        for _ in range(100):
            found = await client.get(
                kinds.CUSTOM_RESOURCE_DEFINITION, definition["metadata"]["name"]
            )
            conditions = (found.get("status") or {}).get("conditions") or ()
            if any(c["type"] == "Established" and c["status"] == "True" for c in conditions):
                break
            await asyncio.sleep(0.1)
