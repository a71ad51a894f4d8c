"""Pushing a payload to the registry that will serve it."""

from hypershift import oci
from hypershift.payload.assembly import Payload


async def push(payload: Payload, registry_url: str, secret: oci.PullSecret | None = None) -> None:
    """Push every image, the release last, to the registry at an address.

    Images keep the names that the release lists; `registry_url` is where the registry of those
    names is reached, such as `http://10.80.0.1:5000`. What it has already is not sent again.
    """
    host = payload.repository.partition("/")[0]
    async with oci.Registry({host: registry_url}, secret) as registry:
        images = payload.tagged
        release = payload.release_reference
        tagged = oci.Reference(release.host, release.repository, release.tag)
        if await registry.has_manifest(tagged, payload.release.digest):
            return
        last = images.pop(tagged)
        await oci.push_images(registry, payload.layout, images)
        await oci.push_image(registry, payload.layout, last, tagged)
