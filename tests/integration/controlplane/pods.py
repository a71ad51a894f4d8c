"""Pods without a kubelet: the real programs, with the very flags and files that were rendered.

They run in a network namespace of their own, whose hosts file knows the names of Services, so that
nothing but the paths of volumes has to be rewritten.
"""

import os
import shutil
import signal
import subprocess
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from hypershift import parts
from hypershift.component import edit
from hypershift.kit import Manifest

PARTS = (
    "etcd",
    "etcdctl",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "kubectl",
    "konnectivity-server",
)
PATIENCE = 120.0


@dataclass(slots=True)
class Machine:
    """A network namespace, and the processes in it."""

    name: str
    directory: Path
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def run(self, *words: str | Path, timeout: float = 60) -> subprocess.CompletedProcess[bytes]:
        """Run a program to its end."""
        command = ("ip", "netns", "exec", self.name, *map(str, words))
        return subprocess.run(command, capture_output=True, timeout=timeout, check=False)

    def spawn(self, name: str, words: list[str], env: dict[str, str]) -> None:
        """Start a program that stays."""
        settings = [f"{key}={value}" for key, value in env.items()]
        command = ("ip", "netns", "exec", self.name, "env", *settings, *words)
        with (self.directory / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                command, stdout=log, stderr=log, start_new_session=True
            )

    def kill(self, name: str) -> None:
        """End a program, and what it started."""
        process = self.processes.pop(name)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def wait_for(self, url: str, *, who: str) -> None:
        """Wait until a health check answers well, or tell the end of a log."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.run("curl", "-kfsS", "--max-time", "5", url).returncode == 0:
                return
            if self.processes[who].poll() is not None:
                break
            time.sleep(0.1)
        log = (self.directory / f"{who}.log").read_text(errors="replace")
        raise AssertionError(f"{who} does not answer {url}:\n{log[-2000:]}")


@contextmanager
def a_machine(name: str, directory: Path, hosts: dict[str, str]) -> Iterator[Machine]:
    """Make a namespace whose names are `hosts`, and leave nothing of it."""
    settings = Path("/etc/netns") / name
    settings.mkdir(parents=True)
    lines = [f"{address} {host}\n" for host, address in {"localhost": "127.0.0.1", **hosts}.items()]
    (settings / "hosts").write_text("".join(lines))
    subprocess.run(("ip", "netns", "add", name), check=True)
    machine = Machine(name, directory)
    try:
        machine.run("ip", "link", "set", "lo", "up")
        yield machine
    finally:
        for running in list(machine.processes):
            machine.kill(running)
        subprocess.run(("ip", "netns", "delete", name), check=True)
        shutil.rmtree(settings)


def start(
    machine: Machine,
    workload: Manifest,
    objects: dict[tuple[str, str], Manifest],
    *,
    pod: str = "",
    listen: str = "",
) -> None:
    """Start the containers of a workload's pod."""
    suffix = "-0" if workload["kind"] == "StatefulSet" else ""
    name = pod or workload["metadata"]["name"] + suffix
    spec = edit.pod_of(workload)["spec"]
    claims = workload["spec"].get("volumeClaimTemplates", ())
    volumes = [*spec["volumes"], *({"name": c["metadata"]["name"]} for c in claims)]
    folders = {v["name"]: _volume(machine.directory / name, v, objects) for v in volumes}
    for container in spec["containers"]:
        paths = {m["mountPath"]: folders[m["name"]] for m in container["volumeMounts"]}
        rewrite_files(paths)
        env = _environment(container, name, workload["metadata"]["namespace"], objects)
        args = [_local(_expanded(arg, env), paths, listen) for arg in container["args"]]
        machine.spawn(pod or container["name"], [*_command(container, paths), *args], env)


def _command(container: Manifest, paths: dict[str, Path]) -> list[str]:
    """The program that a container starts, or a shell that finds the container's own."""
    program, *more = container["command"]
    if program != "sh":
        return [str(parts.path(program)), *more]
    folder = parts.path(container["name"]).parent
    words = [_local(word, paths, "") for word in more]
    return [f"PATH={folder}:{os.environ['PATH']}", str(parts.path("busybox")), "sh", *words]


def _volume(folder: Path, volume: Manifest, objects: dict[tuple[str, str], Manifest]) -> Path:
    """A volume as a directory; a disk that is there already stays as it is."""
    place = folder / str(volume["name"])
    place.mkdir(parents=True, exist_ok=True)
    if secret := volume.get("secret"):
        for key, value in objects["Secret", secret["secretName"]]["data"].items():
            (place / key).write_bytes(b64decode(value))
    if config := volume.get("configMap"):
        for key, value in objects["ConfigMap", config["name"]]["data"].items():
            (place / key).write_text(value)
    return place


def rewrite_files(paths: dict[str, Path]) -> None:
    """Let configuration files name the directories instead of the mounts."""
    for folder in set(paths.values()):
        for file in folder.iterdir():
            if file.is_file() and (file.name == "kubeconfig" or file.suffix in {".yaml", ".json"}):
                text = file.read_text()
                file.write_text(_local(text, paths, ""))


def _environment(
    container: Manifest, pod: str, namespace: str, objects: dict[tuple[str, str], Manifest]
) -> dict[str, str]:
    found = {}
    for entry in container.get("env", ()):
        source = entry.get("valueFrom", {})
        if field_ref := source.get("fieldRef"):
            known = {"metadata.name": pod, "metadata.namespace": namespace}
            found[entry["name"]] = known[field_ref["fieldPath"]]
        elif key := source.get("configMapKeyRef"):
            found[entry["name"]] = objects["ConfigMap", key["name"]]["data"][key["key"]]
        else:
            found[entry["name"]] = entry["value"]
    return found


def _expanded(text: str, env: dict[str, str]) -> str:
    for name, value in env.items():
        text = text.replace(f"$({name})", value)
    return text


def _local(text: str, paths: dict[str, Path], listen: str) -> str:
    for mount in sorted(paths, key=len, reverse=True):
        if mount != "/tmp":  # noqa: S108 - the tests' own files lie there
            text = text.replace(f"{mount}/", f"{paths[mount]}/")
    return text.replace("0.0.0.0", listen) if listen else text  # noqa: S104 - what was rendered
