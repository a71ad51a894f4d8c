"""Named edits of manifests: each returns a changed one and leaves the first alone."""

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from hypershift.kit import Manifest, deep_merge
from hypershift.kit.documents import dumped, loaded

Change = Callable[[Any], Any]

_POD: dict[str, tuple[str, ...]] = {
    "CronJob": ("spec", "jobTemplate", "spec", "template"),
}


def at(manifest: Manifest, path: Sequence[str], change: Change) -> Manifest:
    """Replace what is at `path` by `change` of it; what is not there yet counts as None."""
    if not path:
        changed: Manifest = change(manifest)
        return changed
    head, *rest = path
    inner = manifest.get(head)
    value = at(inner or {}, rest, change) if rest else change(inner)
    return {**manifest, head: value}


def put(manifest: Manifest, path: Sequence[str], value: Any) -> Manifest:
    """Set what is at `path`."""
    return at(manifest, path, lambda _: value)


def drop(manifest: Manifest, path: Sequence[str]) -> Manifest:
    """Remove what is at `path`."""
    *parents, last = path
    return at(manifest, parents, lambda inner: {k: v for k, v in inner.items() if k != last})


def pod_path(workload: Manifest) -> tuple[str, ...]:
    """Where a workload keeps its pod template."""
    return _POD.get(workload["kind"], ("spec", "template"))


def pod_of(workload: Manifest) -> Manifest:
    """The pod template of a workload."""
    for step in pod_path(workload):
        workload = workload[step]
    return workload


def change_pod(workload: Manifest, change: Change) -> Manifest:
    """Change the pod template of a workload."""
    return at(workload, pod_path(workload), change)


def change_containers(pod: Manifest, change: Change, *, init: bool = True) -> Manifest:
    """Change every container of a pod template, by default with its init containers."""
    for group in ("initContainers", "containers") if init else ("containers",):
        if found := pod["spec"].get(group):
            pod = put(pod, ("spec", group), [change(container) for container in found])
    return pod


def change_container(manifest: Manifest, name: str, change: Change) -> Manifest:
    """Change one container of a workload by its name."""

    def chosen(container: Manifest) -> Manifest:
        changed: Manifest = change(container) if container["name"] == name else container
        return changed

    return change_pod(manifest, lambda pod: change_containers(pod, chosen))


def add_args(manifest: Manifest, container: str, args: Iterable[str]) -> Manifest:
    """Append arguments to a container."""
    more = list(args)
    return change_container(
        manifest, container, lambda found: {**found, "args": [*found.get("args", ()), *more]}
    )


def set_args(manifest: Manifest, container: str, values: Mapping[str, str]) -> Manifest:
    """Give flags of a container another value (`--name`), in place; each must be there once."""

    def valued(arg: str) -> str:
        name, equals, _ = arg.partition("=")
        return f"{name}={values[name]}" if equals and name in values else arg

    return change_container(
        manifest, container, lambda found: {**found, "args": [valued(arg) for arg in found["args"]]}
    )


def set_env(manifest: Manifest, container: str, values: Mapping[str, str]) -> Manifest:
    """Set environment variables, in place where they exist and at the end where not."""

    def changed(found: Manifest) -> Manifest:
        env = [
            {"name": one["name"], "value": values[one["name"]]} if one["name"] in values else one
            for one in found.get("env", ())
        ]
        known = {one["name"] for one in env}
        fresh = ({"name": name, "value": v} for name, v in values.items() if name not in known)
        return {**found, "env": [*env, *fresh]}

    return change_container(manifest, container, changed)


_EXPANDED = re.compile(r"\$(?=[$(])")


def literal(text: str) -> str:
    """A text as a container's env, command or args has to say it for programs to see it.

    Kubelet reads `$(NAME)` as a variable there and `$$` as `$`; a single `$` is itself.
    """
    return _EXPANDED.sub("$$", text)


def before_stop(manifest: Manifest, container: str, hook: Manifest) -> Manifest:
    """Let the kubelet run a command before it stops a container."""
    stop = {"preStop": hook}
    return change_container(manifest, container, lambda found: {**found, "lifecycle": stop})


def allow_to_stop(manifest: Manifest, seconds: int) -> Manifest:
    """Set how long a pod may take to stop, with what comes before it."""
    return put(manifest, (*pod_path(manifest), "spec", "terminationGracePeriodSeconds"), seconds)


def set_image(manifest: Manifest, container: str, image: str) -> Manifest:
    """Let a container run another image."""
    return change_container(manifest, container, lambda found: {**found, "image": image})


def add_container(manifest: Manifest, container: Manifest, *, init: bool = False) -> Manifest:
    """Append a container."""
    group = "initContainers" if init else "containers"
    return change_pod(
        manifest, lambda pod: at(pod, ("spec", group), lambda found: [*(found or ()), container])
    )


def drop_containers(manifest: Manifest, *names: str) -> Manifest:
    """Remove containers and init containers by name."""

    def without(pod: Manifest) -> Manifest:
        for group in ("containers", "initContainers"):
            kept = [c for c in pod["spec"].get(group, ()) if c["name"] not in names]
            pod = put(pod, ("spec", group), kept) if kept else drop(pod, ("spec", group))
        return pod

    return change_pod(manifest, without)


def add_volumes(manifest: Manifest, *volumes: Manifest) -> Manifest:
    """Append volumes."""
    return change_pod(
        manifest,
        lambda pod: at(pod, ("spec", "volumes"), lambda found: [*(found or ()), *volumes]),
    )


def replace_volume(manifest: Manifest, volume: Manifest) -> Manifest:
    """Put a volume in the place of the one with its name."""

    def chosen(found: Manifest) -> Manifest:
        return volume if found["name"] == volume["name"] else found

    path = (*pod_path(manifest), "spec", "volumes")
    return at(manifest, path, lambda found: [chosen(one) for one in found or ()])


def drop_volumes(manifest: Manifest, *names: str) -> Manifest:
    """Remove volumes by name, and every mount of them."""

    def unmounted(container: Manifest) -> Manifest:
        mounts = [m for m in container.get("volumeMounts", ()) if m["name"] not in names]
        rest = {key: value for key, value in container.items() if key != "volumeMounts"}
        return {**rest, "volumeMounts": mounts} if mounts else rest

    def without(pod: Manifest) -> Manifest:
        kept = [volume for volume in pod["spec"].get("volumes", ()) if volume["name"] not in names]
        return put(change_containers(pod, unmounted), ("spec", "volumes"), kept)

    return change_pod(manifest, without)


def mount(
    manifest: Manifest, container: str, mounts: Mapping[str, str], *, read_only: bool = False
) -> Manifest:
    """Mount volumes in a container: path by volume name."""
    mode = {"readOnly": True} if read_only else {}
    more = [{"name": volume, "mountPath": path, **mode} for volume, path in mounts.items()]
    return change_container(
        manifest,
        container,
        lambda found: {**found, "volumeMounts": [*found.get("volumeMounts", ()), *more]},
    )


def merge_json(manifest: Manifest, key: str, overlay: Mapping[str, Any]) -> Manifest:
    """Merge into a JSON document inside a ConfigMap."""
    return at(
        manifest,
        ("data", key),
        lambda text: json.dumps(deep_merge(json.loads(text), dict(overlay))),
    )


def merge_yaml(manifest: Manifest, key: str, overlay: Mapping[str, Any]) -> Manifest:
    """Merge into a YAML document inside a ConfigMap."""
    said = json.dumps(overlay)
    return at(manifest, ("data", key), lambda text: _merged_yaml(text, said))


@lru_cache(maxsize=256)
def _merged_yaml(text: str, overlay: str) -> str:
    """The merged document; reading and writing YAML is slow, and most passes change nothing."""
    return dumped(deep_merge(loaded(text), json.loads(overlay)))


def set_data(manifest: Manifest, values: Mapping[str, str | bytes]) -> Manifest:
    """Set data keys; a Secret's values are encoded, a ConfigMap's are text."""
    secret = manifest["kind"] == "Secret"
    encoded = {key: _encoded(value) if secret else value for key, value in values.items()}
    return at(manifest, ("data",), lambda data: {**(data or {}), **encoded})


def label(manifest: Manifest, labels: Mapping[str, str]) -> Manifest:
    """Add labels."""
    return at(manifest, ("metadata", "labels"), lambda found: {**(found or {}), **labels})


def annotate(manifest: Manifest, annotations: Mapping[str, str]) -> Manifest:
    """Add annotations."""
    return at(manifest, ("metadata", "annotations"), lambda found: {**(found or {}), **annotations})


def secret_volume(name: str, secret: str) -> Manifest:
    """A volume with the content of a Secret."""
    return {"name": name, "secret": {"secretName": secret}}


def config_volume(name: str, config_map: str) -> Manifest:
    """A volume with the content of a ConfigMap."""
    return {"name": name, "configMap": {"name": config_map}}


def _encoded(value: str | bytes) -> str:
    return b64encode(value.encode() if isinstance(value, str) else value).decode()
