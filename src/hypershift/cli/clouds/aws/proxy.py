"""The keys of a proxy machine, and the authority of one that speaks TLS."""

import asyncio
import base64
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from hypershift.cli.cluster.build import new_ssh_key
from hypershift.infra.aws import Keys
from hypershift.kit import Secret, UsageError

ATTEMPTS, PAUSE = 10, 10.0
CARRIED = ("proxyPrivateSSHKey", "proxyCA")


def new_keys() -> Keys:
    """A new key by which the user reaches the proxy."""
    made = new_ssh_key()
    return Keys(made["id_rsa.pub"].decode(), Secret(made["id_rsa"]))


def carried_over(path: str, infra_id: str) -> dict[str, str]:
    """The proxy in an earlier description of the same network."""
    try:
        earlier = json.loads(Path(path).read_bytes()) if path else {}
    except (OSError, ValueError):
        return {}
    if not isinstance(earlier, dict) or earlier.get("infraID") != infra_id:
        return {}
    return {name: earlier[name] for name in CARRIED if earlier.get(name)}


async def authority(machine: dict[str, Any], key: str) -> str:
    """Ask a proxy for the certificate of its authority, over SSH and once it is up."""
    if not key:
        raise UsageError(
            f"the SSH key of proxy {machine['InstanceId']} is known to the run that made it alone: "
            "give its --output-file, or terminate the proxy and run this again"
        )
    public, private = machine.get("PublicIpAddress", ""), machine["PrivateIpAddress"]
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "key"
        path.touch(mode=0o600)
        path.write_bytes(base64.b64decode(key))
        for attempt in range(ATTEMPTS):
            if found := await _asked(path, public, private):
                return found
            if attempt < ATTEMPTS - 1:
                await asyncio.sleep(PAUSE)
    raise UsageError(f"failed to fetch proxy CA trust bundle from {public}")


async def _asked(key: Path, public: str, private: str) -> str:
    process = await asyncio.create_subprocess_exec(
        "ssh",
        *("-i", str(key), "-o", "BatchMode=yes", "-o", "ConnectTimeout=10"),
        *("-o", "StrictHostKeyChecking=no", "-o", f"UserKnownHostsFile={os.devnull}"),
        f"ec2-user@{public}",
        f"curl -s -x http://{private}:3128 http://mitm.it/cert/pem",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    output, _ = await process.communicate()
    text = output.decode(errors="replace")
    return text if process.returncode == 0 and "BEGIN CERTIFICATE" in text else ""
