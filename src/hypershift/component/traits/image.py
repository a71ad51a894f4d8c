"""Images and volumes: what a manifest calls by a component's name becomes a real reference."""

from hypershift.component import edit
from hypershift.component.view import View
from hypershift.kit import InvalidSpec, Manifest

CONFIG_MAP_MODE = 0o644
SECRET_MODE = 0o640


def image_of(view: View, name: str) -> str:
    """The reference of an image: from the payload, else from the manifest."""
    return view.release.find(name) or name


def with_images(view: View, pod: Manifest) -> Manifest:
    """Give every container its image and its pull policy."""

    def resolved(container: Manifest) -> Manifest:
        if not container.get("image"):
            raise InvalidSpec(f"container {container['name']} has no image")
        image = image_of(view, container["image"])
        policy = "Always" if image.endswith(":latest") else "IfNotPresent"
        return {**container, "image": image, "imagePullPolicy": policy}

    return edit.change_containers(pod, resolved)


def with_volume_modes(pod: Manifest) -> Manifest:
    """Let Secrets be read by their group alone, and ConfigMaps by everybody."""
    volumes = pod["spec"].get("volumes")
    if not volumes:
        return pod
    return edit.put(pod, ("spec", "volumes"), [_with_mode(volume) for volume in volumes])


def _with_mode(volume: Manifest) -> Manifest:
    for source, mode in (("configMap", CONFIG_MAP_MODE), ("secret", SECRET_MODE)):
        if source in volume:
            return edit.put(volume, (source, "defaultMode"), mode)
    return volume
