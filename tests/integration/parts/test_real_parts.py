"""The real compiler and the real registry, on small parts."""

import asyncio
import subprocess
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.lib.ports import free_port

from hypershift import oci, parts
from hypershift.oci import Tree, file

pytestmark = pytest.mark.integration

CONFIGURATION = """\
version: 0.1
log: {{level: error, accesslog: {{disabled: true}}}}
storage: {{filesystem: {{rootdirectory: {directory}}}}}
http: {{addr: "127.0.0.1:{port}"}}
"""


def silent(_line: str) -> None: ...


async def test_a_module_is_compiled_twice_to_the_same_bytes(tmp_path: Path) -> None:
    made = []
    for name in ("one", "two"):
        settings = replace(
            parts.Settings.from_environment(), cache=tmp_path / name, directory=None, offline=True
        )
        found = await parts.ensure(("loopback", "host-local"), settings=settings, report=silent)
        made.append({each: file.read_bytes() for each, file in found.items()})
    assert made[0] == made[1]


async def test_a_pause_holds_until_it_is_told_to_stop(tmp_path: Path) -> None:
    settings = replace(parts.Settings.from_environment(), cache=tmp_path, directory=None)
    found = await parts.ensure(("pause",), settings=settings, report=silent)
    process = await asyncio.create_subprocess_exec(found["pause"])
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(asyncio.shield(process.wait()), 0.3)
    process.terminate()
    assert await asyncio.wait_for(process.wait(), 60) == 0


@pytest.fixture
async def registry(tmp_path: Path) -> AsyncIterator[str]:
    """The real registry on a free port of the loopback."""
    program = (await parts.ensure(("registry",), report=silent))["registry"]
    port = free_port()
    configuration = tmp_path / "registry.yaml"
    configuration.write_text(CONFIGURATION.format(directory=tmp_path / "data", port=port))
    process = await asyncio.create_subprocess_exec(
        program,
        "serve",
        configuration,
        env={"OTEL_TRACES_EXPORTER": "none"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        await answering(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        await process.wait()


async def answering(port: int) -> None:
    for _ in range(200):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            await writer.wait_closed()
            return
    pytest.fail("the registry does not answer")


async def test_the_real_registry_takes_and_gives_our_images(registry: str, tmp_path: Path) -> None:
    layout = oci.Layout(tmp_path / "up")
    layers = [
        layout.put_layer(Tree().add("release-manifests/a", file("one"))),
        layout.put_layer(Tree().add("big", file(bytes(5 << 20)))),
    ]
    image = oci.assemble(layers, oci.Settings(("/big",)), "amd64")
    layout.put_image(image)
    reference = oci.parse("registry.hypershift.local/test/app:1")
    async with oci.Registry({"registry.hypershift.local": registry}) as client:
        await oci.push_image(client, layout, image.descriptor, reference)
        await oci.push_image(client, layout, image.descriptor, reference)
        pinned = reference.pinned(image.descriptor.digest)
        down = oci.Layout(tmp_path / "down")
        assert (await oci.pull_image(client, pinned, down)).digest == image.descriptor.digest
        files = await oci.read_files(client, reference, lambda path: path.startswith("release-"))
        with pytest.raises(oci.ImageNotFound):
            await client.pull(oci.parse("registry.hypershift.local/test/none:1"))
    assert files == {"release-manifests/a": b"one"}


async def test_an_index_for_two_platforms_is_served(registry: str, tmp_path: Path) -> None:
    layout = oci.Layout(tmp_path)
    reference = oci.parse("registry.hypershift.local/test/many:1")
    descriptors = []
    async with oci.Registry({"registry.hypershift.local": registry}) as client:
        for architecture in ("amd64", "arm64"):
            layer = layout.put_layer(Tree().add("arch", file(architecture)))
            image = oci.assemble([layer], oci.Settings(), architecture)
            layout.put_image(image)
            await oci.push_image(
                client, layout, image.descriptor, replace(reference, tag=architecture)
            )
            platform = oci.Platform(architecture=architecture)
            descriptors.append(
                oci.Descriptor(
                    media_type=image.descriptor.media_type,
                    digest=image.descriptor.digest,
                    size=image.descriptor.size,
                    platform=platform,
                )
            )
        index = oci.image_index(tuple(descriptors))
        await client.push_manifest(reference, index.media_type, oci.encode(index))
        for architecture in ("amd64", "arm64"):
            found = await oci.read_files(client, reference, lambda _path: True, architecture)
            assert found == {"arch": architecture.encode()}
