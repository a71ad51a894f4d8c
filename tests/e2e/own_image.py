"""Images of programs that tests bring along, in the embedded cluster's registry."""

import asyncio
import tempfile
from pathlib import Path

from tests.e2e.embedded import Cluster

from hypershift import oci, parts
from hypershift.payload.base import base_tree
from hypershift.payload.machine_os import network_tools

REGISTRY = "registry.hypershift.local"


def an_image(
    cluster: Cluster, program: str, tools: tuple[str, ...] = (), user: str = "65532"
) -> str:
    """Push an image with a part at its root, and tools of the distribution; tells its name."""
    reference = f"{REGISTRY}/e2e/{program}:{cluster.spec.kubernetes}"
    binaries = asyncio.run(parts.ensure((program, "busybox", *tools)))
    tree = asyncio.run(parts.tools_tree())
    own = oci.Tree().add(program, oci.file(binaries[program], 0o755))
    layers = [base_tree(binaries["busybox"], tree), own]
    if tools:
        entries = network_tools(binaries, tools, tree).entries
        own.add_all({path: one for path, one in entries.items() if path not in layers[0].entries})
    with tempfile.TemporaryDirectory() as folder:
        layout = oci.Layout(Path(folder))
        layout.prepare()
        written = [layout.put_layer(each) for each in layers]
        made = oci.assemble(written, oci.Settings(user=user), parts.architecture())
        layout.put_image(made)

        async def push() -> None:
            mirrors = {REGISTRY: f"http://{cluster.spec.plan.pushes}"}
            async with oci.Registry(mirrors) as registry:
                await oci.push_image(registry, layout, made.descriptor, oci.parse(reference))

        asyncio.run(push())
    return reference
